"""The place: where hosts and memd keep their files on one machine, which is all that a registration is made from."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memd_hooks.shim import MCP_NAME, hook_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memd_hooks.jsonc import JsonValue


@dataclass(frozen=True, slots=True)
class Place:
    """Handed in, never looked up."""

    home: Path
    env: Mapping[str, str]
    python: Path
    """The interpreter that runs the hook client."""
    shim: Path
    """The hook client as it is installed."""
    socket: Path
    spool: Path
    data_dir: Path

    def command(self, host: str, event: str = "") -> str:
        """The shell command by which `host` runs the hook client."""
        return hook_command(self.python, self.shim, host, event)

    def mcp_command(self) -> tuple[str, ...]:
        """The program and its arguments by which a host starts memd's MCP server."""
        return (os.fspath(self.python), "-I", "-S", os.fspath(self.shim.with_name(MCP_NAME)))

    def mcp_server(self, kind: str | None = None, **more: JsonValue) -> JsonValue:
        """memd's MCP server as most hosts name one in JSON: its `type` where the host wants one, program, arguments."""
        program, *arguments = self.mcp_command()
        typed: dict[str, JsonValue] = {} if kind is None else {"type": kind}
        return {**typed, "command": program, "args": [*arguments], **more}

    def folder(self, variable: str, usual: str) -> Path:
        """The folder that an environment variable names, or else `usual` below the home folder."""
        given = Path(self.env.get(variable, "").strip())
        return given if given.is_absolute() else self.home / usual

    def has_program(self, *names: str) -> bool:
        """Whether one of the programs can be run by its name."""
        usual = self.home / ".local" / "bin"
        search = os.pathsep.join((self.env.get("PATH", ""), str(usual)))
        return any(shutil.which(name, path=search) for name in names)
