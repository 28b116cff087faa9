"""Description: an operation as it is told to doors that do not run it themselves, and how its things are referred to.

It imports nothing: the process that speaks MCP holds the SDK already, and should not hold the rest of memd as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SCHEME: Final = "memd://"
"""What the address of a resource begins with."""
WAKEUP: Final = f"{SCHEME}wakeup"
"""The resource that tells what holds in a project."""


@dataclass(frozen=True, slots=True)
class OperationAnswer:
    """An operation. `parameters` is a JSON Schema object: its properties, with their help, and what is required."""

    name: str
    summary: str
    reads: bool
    writes: bool
    destroys: bool
    parameters: Mapping[str, object]
