"""The lock: one daemon for one data folder.

Held by flock for as long as the daemon lives, so that the kernel lets go of it however the daemon ends. The file says
who holds it; it is never removed, because a lock on a removed file would guard nothing. Who ends in order empties it,
so what still stands in it tells of a daemon that was killed, or whose machine lost its power.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memd.errors import AlreadyRunning
from memd.paths import make_private
from memd_service import lockfile


@contextmanager
def held(path: Path, version: str) -> Iterator[lockfile.Holder | None]:
    """Hold the lock, and give who held it last and ended without letting go of it in order, None for nobody.

    Raises AlreadyRunning, naming the process, when another daemon holds it.
    """
    make_private(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = lockfile.read(path)
            raise AlreadyRunning(path, holder.pid if holder else None) from error
        left = lockfile.read(path)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, lockfile.render(version), 0)
        try:
            yield left
        finally:
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)
