"""Frames: what the pool and a worker process say to each other.

A frame is the length of its body as eight bytes, big-endian, and the body, a pickle. Both ends are the same
installation and the pipe is private to them, so that pickle is no boundary of trust.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import BinaryIO, Final, TypeAlias

HEADER: Final = struct.Struct("!Q")


@dataclass(frozen=True, slots=True)
class Call:
    """One task to run: `module:function`, its only argument, and how long it may take."""

    task: str
    payload: object
    deadline_s: float


@dataclass(frozen=True, slots=True)
class Done:
    """The task returned."""

    value: object
    rss_bytes: int


@dataclass(frozen=True, slots=True)
class Raised:
    """The task raised an error that its caller knows how to take (a MemdError or an OSError)."""

    kind: type[Exception]
    args: tuple[object, ...]
    state: dict[str, object]
    rss_bytes: int

    def rebuild(self) -> Exception:
        """Return the error as it was raised; its `__init__`, which may take other arguments, does not run again."""
        error = self.kind.__new__(self.kind, *self.args)
        error.args = self.args
        error.__dict__.update(self.state)
        return error


@dataclass(frozen=True, slots=True)
class Crashed:
    """The task raised anything else: `reason` says what and where, and holds none of the data."""

    reason: str
    rss_bytes: int


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The task ran into the memory cap; the process ends after saying so."""


Reply: TypeAlias = Done | Raised | Crashed | OutOfMemory


def pack(message: Call | Reply) -> bytes:
    """Return the frame of a message."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def read_call(stream: BinaryIO) -> Call | None:
    """Return the next call from a blocking stream, or None at its end."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (size,) = HEADER.unpack(header)
    body = stream.read(size)
    if len(body) < size:
        return None
    call = pickle.loads(body)
    assert isinstance(call, Call)
    return call


def unpack_reply(body: bytes | bytearray) -> Reply:
    """Return the reply that a frame's body holds."""
    reply = pickle.loads(body)
    assert isinstance(reply, Done | Raised | Crashed | OutOfMemory)
    return reply
