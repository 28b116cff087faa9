"""The pump that hosts run to speak MCP, as one of the parts that install puts on the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from memd_service import files, folders
from memd_service.environment import Environment
from memd_service.parts import Step

_RUNTIME = "XDG_RUNTIME_DIR"
"""Decides where the socket lies; a service is given it, and some agents keep it from what they run."""


def render_pump(environment: Environment) -> bytes:
    """Give the pump's program for these folders: sockets, and how the daemon is started where it does not run."""
    paths = environment.paths
    source = resources.files("memd.doors.mcp").joinpath("pump.py").read_bytes()
    command = (os.fspath(environment.python), "-I", "-m", "memd", "start")
    variables = environment.folder_variables
    if runtime := environment.variables.get(_RUNTIME):
        variables[_RUNTIME] = runtime
    values = {
        b'MCP_SOCKET = b""\n': repr(os.fsencode(paths.mcp_socket)),
        b'DAEMON_SOCKET = b""\n': repr(os.fsencode(paths.socket)),
        b'GREETINGS = b""\n': repr(os.fsencode(paths.greetings_dir)),
        b"START_COMMAND = ()  # type: tuple[bytes, ...]\n": repr(tuple(map(os.fsencode, command))),
        b"START_ENV = {}  # type: dict[bytes, bytes]\n": repr(
            {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}
        ),
    }
    for blank, value in values.items():
        if source.count(blank) != 1:
            raise AssertionError(f"pump.py has no single blank {blank!r}")
        source = source.replace(blank, blank.split(b" = ")[0] + b" = " + value.encode() + b"\n")
    return source


@dataclass(frozen=True, slots=True)
class McpPart:
    """The pump in memd's folder of programs, with the paths of this installation in it."""

    environment: Environment

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return "MCP pump"

    @property
    def _path(self) -> Path:
        return self.environment.paths.mcp_shim

    def step(self) -> Step:
        """Say whether it has to be written."""
        try:
            current = self._path.read_bytes() == render_pump(self.environment)
        except OSError:
            current = False
        return Step(self.name, f"{'keep' if current else 'write'} {self._path}", not current)

    def install(self) -> str:
        """Write it."""
        folders.make(self.environment.paths, self._path.parent, private=True)
        files.write(self._path, render_pump(self.environment), mode=0o700)
        return f"the MCP pump is {self._path}"

    def remove(self) -> tuple[str, ...]:
        """Remove it. A session that still has it in its settings cannot start it, and says so."""
        there = self._path.exists()
        self._path.unlink(missing_ok=True)
        files.remove_if_empty(self._path.parent)
        return (str(self._path),) if there else ()
