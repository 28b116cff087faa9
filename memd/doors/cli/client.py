"""The client: one request over the daemon's socket, answered within a deadline."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from memd.errors import DaemonUnavailable, MemdError, UsageError

_CONNECT_S: Final = 2.0
_CHUNK: Final = 1 << 16


class Problem(msgspec.Struct):
    """Why the daemon said no, as it sends it."""

    code: str
    message: str
    exit_status: int
    what: str | None = None
    about: str | None = None


class Refused(MemdError):
    """The daemon understood the request and said no; the sentence and the numbers are its own."""

    def __init__(self, op: str, problem: Problem) -> None:
        super().__init__(problem.message)
        self.op = op
        self.answer_code = problem.code
        self.answer_status = problem.exit_status
        self.missing = problem.what
        """What was not found, such as "project"; None for another trouble."""
        self.about = problem.about
        """What the message begins with, such as the operation's name; None where it does not."""


class _Answer(msgspec.Struct):
    ok: bool
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: Problem | None = None


def call(path: Path, op: str, params: Mapping[str, object], *, deadline_s: float = 30.0) -> bytes:
    """Return the JSON text of an operation's result.

    Raises DaemonUnavailable when nobody answers at the socket in time, Refused when the answer is an error, UsageError
    when a parameter is no text (a word on the command line that is not UTF-8).
    """
    try:
        asked: dict[str, object] = {"op": op, "params": params, "door": "cli"}
        if "TZ" in os.environ:
            asked["zone"] = os.environ["TZ"]
        request = msgspec.json.encode(asked) + b"\n"
    except UnicodeEncodeError as error:
        raise UsageError("A word on the command line is not valid UTF-8.") from error
    end = time.monotonic() + deadline_s
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
            door.settimeout(min(_CONNECT_S, deadline_s))
            door.connect(str(path))
            door.settimeout(deadline_s)
            door.sendall(request)
            line = _line(door, end)
    except TimeoutError as error:
        raise DaemonUnavailable(path, f"no answer within {deadline_s:.0f} s") from error
    except FileNotFoundError as error:
        raise DaemonUnavailable(path, "there is no socket") from error
    except ConnectionRefusedError as error:
        raise DaemonUnavailable(path, "nobody listens") from error
    except OSError as error:
        raise DaemonUnavailable(path, error.strerror or str(error)) from error
    return _result(path, op, line)


def _line(door: socket.socket, end: float) -> bytes:
    chunks: list[bytes] = []
    while not chunks or not chunks[-1].endswith(b"\n"):
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        door.settimeout(left_s)
        chunk = door.recv(_CHUNK)
        if not chunk:
            raise ConnectionResetError(None, "it hung up")
        chunks.append(chunk)
    return b"".join(chunks)


def _result(path: Path, op: str, line: bytes) -> bytes:
    try:
        answer = msgspec.json.decode(line, type=_Answer)
    except msgspec.MsgspecError as error:
        raise DaemonUnavailable(path, "what answers there is no memd") from error
    if answer.error is not None:
        raise Refused(op, answer.error)
    return bytes(answer.result)
