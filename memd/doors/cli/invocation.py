"""The invocation: one call of the command, with everything its code may know."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memd.doors.cli.terminal import Terminal

if TYPE_CHECKING:
    from memd.doors.cli.places import Places


@dataclass(frozen=True, slots=True)
class Invocation:
    """The parsed words, the environment and the terminal."""

    given: Namespace
    env: Mapping[str, str]
    terminal: Terminal

    def places(self) -> Places:
        """Return the folders this call is about; raises PathError and ConfigError."""
        from memd.doors.cli.places import locate

        return locate(self.env, self.given.data_dir)
