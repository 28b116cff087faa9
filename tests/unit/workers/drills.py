"""Tasks that behave and misbehave on purpose, imported by the worker processes of the tests."""

from __future__ import annotations

import atexit
import os
import sys
import time
from pathlib import Path

from memd.errors import TranscriptError


def double(value: int) -> int:
    return value * 2


def pid(_: object) -> int:
    return os.getpid()


def repeat(size: int) -> bytes:
    return b"x" * size


def measure(value: bytes) -> int:
    return len(value)


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "awake"


def tell_and_sleep(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    time.sleep(600)


def hoard(size: int) -> int:
    return len(bytearray(size))


def print_and_read(_: object) -> str:
    print("not a frame")
    os.write(1, b"neither")
    return sys.stdin.read()


def raise_transcript_error(path: str) -> None:
    raise TranscriptError(Path(path), "holds no rows")


def raise_missing_file(path: str) -> None:
    Path(path).read_bytes()


def raise_something(secret: str) -> None:
    raise ValueError(secret)


def give_up(status: int) -> None:
    os._exit(status)


def surroundings(_: object) -> dict[str, object]:
    return {
        "internal": os.environ.get("MEMD_INTERNAL"),
        "nice": os.nice(0),
        "own_group": os.getpgid(0) == os.getpid(),
        "isolated": sys.flags.isolated,
        "cwd": str(Path.cwd()),
    }


def leave_a_note_at_the_end(path: str) -> None:
    atexit.register(Path(path).write_text, "ended in order")
