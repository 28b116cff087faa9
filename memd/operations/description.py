"""Description: an operation as it is told to doors that do not run it themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperationAnswer:
    """An operation. `parameters` is a JSON Schema object: its properties, with their help, and what is required."""

    name: str
    summary: str
    reads: bool
    writes: bool
    destroys: bool
    parameters: Mapping[str, object]
