"""Clean shutdown: how the database's file was when the daemon let go of it.

Reading a whole file through takes seconds for a million messages, and somebody waits for the daemon to answer. A file
that an orderly end left as it still is needs no such check at the start; the daily one looks at it while it is in use.
"""

from __future__ import annotations

from pathlib import Path

import orjson

_WAL = "-wal"


def note(database: Path, mark: Path) -> None:
    """Write into `mark` what tells whether the file was touched since; call it when nothing has the file open.

    Where that cannot be written the file is checked at the next start.
    """
    told = _told(database)
    if told is None:
        return
    try:
        mark.write_bytes(orjson.dumps(told))
        mark.chmod(0o600)
    except OSError:
        mark.unlink(missing_ok=True)


def untouched(database: Path, mark: Path) -> bool:
    """Return whether the file is as it was noted. The note goes: it says nothing of a file that is opened again.

    Raises OSError when the note cannot be removed.
    """
    try:
        noted = mark.read_bytes()
    except OSError:
        return False
    mark.unlink()
    told = _told(database)
    return told is not None and noted == orjson.dumps(told)


def _told(database: Path) -> dict[str, int] | None:
    """Return size, time of the last change and identity of the file; None for none, or where a log is left over."""
    if database.with_name(database.name + _WAL).exists():
        return None
    try:
        status = database.stat()
    except OSError:
        return None
    return {"size": status.st_size, "changed_ns": status.st_mtime_ns, "inode": status.st_ino, "device": status.st_dev}
