"""The command line in a home of its own, and a daemon that says what a test wants."""

from __future__ import annotations

import io
import json
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memd.doors.cli.main import run
from memd.doors.cli.terminal import Terminal
from memd.paths import Paths, resolve
from memd_service import lockfile
from tests.measured import MEASURED


@dataclass(frozen=True, slots=True)
class Told:
    """What a command answered."""

    status: int
    out: str
    err: str


@dataclass(slots=True)
class CommandLine:
    """`memd` in this process, with streams that can be read."""

    env: dict[str, str]

    @property
    def paths(self) -> Paths:
        return resolve(self.env)

    def __call__(self, *words: str, interactive: bool = False, colour: bool = False) -> Told:
        out, err = io.StringIO(), io.StringIO()
        status = run(words, self.env, Terminal(out, err, interactive, colour))
        return Told(status, out.getvalue(), err.getvalue())


@dataclass(slots=True)
class StubDaemon:
    """A socket that answers each operation with what the test put there."""

    path: Path
    answers: dict[str, object] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    raw: bytes | None = None
    """Sent instead of any answer."""

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                line = lines.readline()
                if not line:
                    continue
                request = json.loads(line)
                self.asked.append((request["op"], request["params"]))
                connection.sendall(self._reply(request["op"]))

    def _reply(self, op: str) -> bytes:
        if self.raw is not None:
            return self.raw
        answer = self.answers[op]
        if callable(answer):
            answer = answer()
        if isinstance(answer, Mapping) and "refused" in answer:
            return json.dumps({"ok": False, "error": answer["refused"]}).encode() + b"\n"
        return json.dumps({"ok": True, "result": answer}).encode() + b"\n"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {**MEASURED, "HOME": str(tmp_path), "PATH": os.environ["PATH"], "MEMD_DATA_DIR": str(tmp_path / "data")}


@pytest.fixture
def memd(env: dict[str, str]) -> CommandLine:
    return CommandLine(env)


@pytest.fixture
def daemon(memd: CommandLine) -> Iterator[StubDaemon]:
    paths = memd.paths
    paths.runtime_dir.mkdir(parents=True, mode=0o700)
    paths.state_dir.mkdir(parents=True)
    paths.lock_file.write_bytes(lockfile.render("0.1.0"))
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(paths.socket))
    listener.listen(8)
    stub = StubDaemon(paths.socket)
    server = threading.Thread(target=stub.serve, args=(listener,))
    server.start()
    yield stub
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    server.join()
    paths.socket.unlink()
