"""The keeper: notices that the database file under a running daemon was taken away or is damaged.

SQLite goes on writing into a file that was removed, and a damaged page shows only to who reads it. Either would lose
what is stored from then on, so the daemon begins anew with what `recovery` makes of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NoReturn

import anyio
from anyio import to_thread

from memd.errors import DamagedDatabase
from memd.store.backup import check

LOOK_S: Final = 5.0


class Keeper:
    """Looks after the file at `path` as it is when this is made."""

    def __init__(self, path: Path, look_s: float = LOOK_S) -> None:
        self._path = path
        self._look_s = look_s
        self._identity = _identity(path)
        self._suspected = False

    def suspect(self) -> None:
        """Ask for a check, because a read found damage; may be called from any thread."""
        self._suspected = True

    async def serve(self) -> NoReturn:
        """Look every few seconds; raises DamagedDatabase once the file is not what it was."""
        while True:
            await anyio.sleep(self._look_s)
            finding = await to_thread.run_sync(self._look)
            if finding is not None:
                raise DamagedDatabase(self._path, finding)

    def _look(self) -> str | None:
        if _identity(self._path) != self._identity:
            return "it was removed or replaced while it was in use"
        if self._suspected:
            self._suspected = False
            return check(self._path)
        return None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
