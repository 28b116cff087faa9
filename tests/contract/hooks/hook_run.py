"""Runs the hook client the way a host does: installed in a folder, as a process, fed through a pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Self

from memd_hooks.shim import HOOK_NAME, render_client
from tests.measured import MEASURED

SESSION = "6f1c2d3e-0000-4000-8000-00000000000a"
CLEAN_ENV = {**MEASURED, "PATH": "/usr/bin:/bin", "LANG": "C"}
# The client itself instead of its text as it is installed, because nobody counts the lines of a text.
MODULE = """\
import sys
from memd_hooks import client

client.SOCKET_PATH, client.SPOOL_FOLDER, client.DEADLINE_S = {blanks!r}
try:
    client.main(sys.argv)
except BaseException:
    pass  # as leaving at once would
"""


def event(name: str, **more: object) -> bytes:
    """An event of Claude Code as its hooks get it."""
    common = {
        "session_id": SESSION,
        "transcript_path": f"/home/ada/.claude/projects/-home-ada-loom/{SESSION}.jsonl",
        "cwd": "/home/ada/loom",
        "hook_event_name": name,
    }
    return json.dumps(common | more, separators=(",", ":")).encode()


@dataclass(frozen=True, slots=True)
class InstalledHook:
    """One installation: the shim, the socket it calls and the spool it falls back to."""

    shim: Path
    socket: Path
    spool: Path
    options: tuple[str, ...] = ("-I", "-S")

    @classmethod
    def install(cls, room: Path, *, deadline_s: float | None = None, socket: Path | None = None) -> Self:
        """Install into `room`, with the shipped deadline or another."""
        socket = socket or room / "s"
        spool = room / "state" / "spool"
        spool.parent.mkdir(exist_ok=True)
        source = render_client(socket, spool)
        if deadline_s is not None:
            shipped = b"DEADLINE_S = 0.22\n"
            assert shipped in source
            source = source.replace(shipped, b"DEADLINE_S = %f\n" % deadline_s)
        shim = room / HOOK_NAME
        shim.write_bytes(source)
        return cls(shim, socket, spool)

    def counted(self, deadline_s: float) -> Self:
        """The same client, followed by coverage where that is measured: it is in less of a hurry then."""
        if not MEASURED:
            return self
        blanks = (os.fsencode(self.socket), os.fsencode(self.spool), deadline_s)
        self.shim.write_text(MODULE.format(blanks=blanks))
        return replace(self, options=("-I",))

    @property
    def argv(self) -> list[str]:
        """The command without a shell."""
        return [sys.executable, *self.options, str(self.shim), "claude_code"]

    def run(
        self, stdin: bytes, *arguments: str, env: Mapping[str, str] = CLEAN_ENV
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the hook to its end."""
        return subprocess.run(
            [*self.argv, *arguments], input=stdin, capture_output=True, env=env, timeout=150, check=False
        )

    def start(self, stdout: int | IO[bytes] = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start the hook and leave its pipes to the test."""
        return subprocess.Popen(self.argv, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, env=CLEAN_ENV)

    def spooled(self) -> list[dict[str, object]]:
        """The lines in the spool, each of which must be whole."""
        try:
            lines = (self.spool / "events.ndjson").read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        assert all(line.endswith(b"\n") for line in lines)
        return [json.loads(line) for line in lines]


def silent(result: subprocess.CompletedProcess[bytes]) -> bool:
    """Whether the host noticed nothing."""
    return (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
