"""`memd logs`: the daemon's log."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TextIO

from memd.doors.cli.columns import clean
from memd.doors.cli.invocation import Invocation
from memd.errors import PathError

_POLL_S: Final = 0.3


def run(invocation: Invocation) -> int:
    """Print the last lines; with `--follow` go on until interrupted."""
    path = invocation.places().paths.log_file
    if not path.exists() and not invocation.given.follow:
        raise PathError(f"There is no log yet at {path}; the daemon has not run here.")
    terminal = invocation.terminal
    terminal.say_all(clean(line) for line in last(path, invocation.given.lines))
    if invocation.given.follow:
        terminal.out.flush()
        for line in follow(path):
            terminal.say(clean(line))
            terminal.out.flush()
    return 0


def last(path: Path, count: int) -> list[str]:
    """Return the last lines of a file; none when it is not there."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in deque(file, maxlen=count)]
    except FileNotFoundError:
        return []


def follow(path: Path, pause: Callable[[], None] = lambda: time.sleep(_POLL_S)) -> Iterator[str]:
    """Yield lines as they are written from now on, also over a rotation of the file; never ends.

    `pause` is called whenever there is nothing to yield.
    """
    file = _open(path, at_end=True)
    try:
        while True:
            if file is None:
                file = _open(path, at_end=False)
            if file is not None:
                while line := file.readline():
                    yield line.rstrip("\n")
                if _replaced(file, path):
                    file.close()
                    file = None
                    continue
            pause()
    finally:
        if file is not None:
            file.close()


def _open(path: Path, *, at_end: bool) -> TextIO | None:
    try:
        file = path.open(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    if at_end:
        file.seek(0, os.SEEK_END)
    return file


def _replaced(file: TextIO, path: Path) -> bool:
    try:
        return path.stat().st_ino != os.fstat(file.fileno()).st_ino
    except FileNotFoundError:
        return True
