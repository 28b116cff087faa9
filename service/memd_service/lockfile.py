"""Lock file: who is the daemon right now.

The daemon holds flock on this file for its whole life and writes three lines into it: its process
number, when that process started (`process.start_of`), and its version. Everybody else only reads:
taking the lock to see whether it is held could make a daemon fail that starts at that moment.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from memd_service import process


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that wrote the lock file."""

    pid: int
    start_time: str
    version: str


def render(version: str) -> bytes:
    """Give what the calling process writes into the lock file once it holds it."""
    pid = os.getpid()
    return f"{pid}\n{process.start_of(pid)}\n{version}\n".encode()


def read(path: Path) -> Holder | None:
    """Read who wrote the lock file last; None when it is missing, unreadable or torn."""
    try:
        lines = path.read_text("utf-8", errors="replace").split("\n")
    except OSError:
        return None
    if len(lines) != 4 or not lines[0].isascii() or not lines[0].isdigit():
        return None
    return Holder(int(lines[0]), lines[1], lines[2])


def running(path: Path) -> Holder | None:
    """Read who the daemon is; None when nobody is, whatever a stale file says."""
    holder = read(path)
    if holder is None or not process.is_running(holder.pid, holder.start_time):
        return None
    return holder
