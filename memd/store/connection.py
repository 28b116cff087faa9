"""Connections: the only place that opens memd's database.

One connection writes, ever: SQLite before 3.51.3 can corrupt a WAL database when two connections write or checkpoint at
once, and every current Python carries such a version. Readers are opened read-only.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from memd.errors import DamagedDatabase, MemdError, StoreError, StoreFull, StoreReadOnly
from memd.paths import make_private

APPLICATION_ID: Final = 0x6D656D64  # "memd"

_FULL: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE})
_READ_ONLY: Final = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_WRITER_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA journal_mode = WAL",
    # A power cut may take the last transactions, never the file; what is lost is read again from the transcript,
    # because the cursor is lost with it.
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    # What is deleted is zeroed where that costs no writing of its own; free pages go by `memd.store.scrubbing`.
    "PRAGMA secure_delete = FAST",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16384",
    "PRAGMA journal_size_limit = 67108864",
    # Folding the log into the file waits for the disk. The writer does it between background writes; what is left to
    # SQLite, which does it within the COMMIT of whoever comes along, is a log that has grown to 64 MB.
    "PRAGMA wal_autocheckpoint = 16384",
)
_READER_PRAGMAS: Final = (
    "PRAGMA busy_timeout = 5000",
    "PRAGMA query_only = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA temp_store = MEMORY",
    # Pages of the indexes that one question needs; with half of that a tenth more processor time is spent on reading.
    "PRAGMA cache_size = -8192",
)


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open the database for writing, creating an empty one (mode 0600, in a 0700 folder) where there is none.

    Transactions are the caller's (`isolation_level` is None). Raises StoreError for what the disk or file refuses.
    """
    try:
        make_private(path.parent)
        fresh = not path.exists()
        if fresh:
            # SQLite gives -wal and -shm the mode of the database, so it is set before SQLite sees the file.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise translate(error, path) from error
    try:
        if fresh or path.stat().st_size == 0:
            conn.execute("PRAGMA auto_vacuum = INCREMENTAL")
        for pragma in _WRITER_PRAGMAS:
            conn.execute(pragma)
    except sqlite3.Error as error:
        conn.close()
        raise translate(error, path) from error
    return conn


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open the database for reading only; a write through it fails. Raises StoreError when it cannot be opened."""
    try:
        conn = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False)
        for pragma in _READER_PRAGMAS:
            conn.execute(pragma)
    except sqlite3.Error as error:
        raise translate(error, path) from error
    return conn


def connect_scratch() -> sqlite3.Connection:
    """Open an empty database in memory, for what only SQLite can tell; for one thread at a time."""
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def translate(error: Exception, path: Path) -> MemdError:
    """Return memd's error for what SQLite or the operating system said about this file."""
    if isinstance(error, OSError):
        return StoreReadOnly(path) if isinstance(error, PermissionError) else _from_os(error, path)
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return StoreError(f"{path}: {error}.")
    if code in _FULL:
        return StoreFull(path)
    if code == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        # What was looked up for a write went before it could be written, as a project that is merged or deleted does.
        return StoreError(f"{path}: what this belongs to was deleted or merged meanwhile; ask again.")
    primary = code & 0xFF
    if code in _READ_ONLY or primary in _READ_ONLY:
        return StoreReadOnly(path)
    if primary in _DAMAGED:
        return DamagedDatabase(path, str(error))
    return StoreError(f"{path}: {error}.")


def _from_os(error: OSError, path: Path) -> MemdError:
    import errno

    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return StoreFull(path)
    if error.errno == errno.EROFS:
        return StoreReadOnly(path)
    return StoreError(f"{path}: {error.strerror or error}.")
