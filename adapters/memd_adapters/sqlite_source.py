"""Databases of hosts, read while the host writes them, and left exactly as they are.

What is promised, and how SQLite is made to keep it (sqlite.org: uri.html, wal.html, walformat.html):

- Nothing is written: `mode=ro`, and `readonly_shm=1`, without which a reader notes its place in the host's -shm.
- Rows that live only in the -wal are seen: never `immutable` while there is a -wal.
- Nothing is created: a database in WAL mode without a -wal would be given one by any reader. It has no writer at that
  moment, so it is read as immutable, and what was read is thrown away when the file changed meanwhile. One with a -wal
  but without -shm (a copy, or what a crash left) is copied to a folder of ours and read there.
- The host never waits for long: one short read transaction, closed at the end of the `with` block.

What stands in the way for a moment (a lock, a missing -shm, a change while reading) is an OSError: try again later.
What never will be a database is a TranscriptError.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

from memd.adapter import Cursor
from memd.errors import TranscriptError

Value: TypeAlias = "str | bytes | int | float | None"
Row: TypeAlias = "tuple[Value, ...]"

BUSY_S: Final = 0.25
"""How long a lock is waited for before the read is given up till later."""
COPY_BYTES: Final = 256 << 20
"""A larger database without -shm is opened where it lies; SQLite then makes the -shm."""
VALUE_BYTES: Final = 256 << 20
"""A longer value is an error of the statement."""
MAGIC: Final = b"SQLite format 3\0"

_HEADER_BYTES: Final = 100
_WRITE_VERSION: Final = 18
_WAL: Final = 2
_PASSING: Final = frozenset((
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PERM,
))  # fmt: skip
_CAPACITY: Final = frozenset((sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_TOOBIG))


class HostDatabase:
    """An open database within one read transaction: what it shows does not change."""

    __slots__ = ("_columns", "_conn")

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._columns: dict[str, frozenset[str]] = {}

    def tables(self) -> frozenset[str]:
        """Return the names of the tables; views are not among them."""
        found = self._conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return frozenset(name for (name,) in found if isinstance(name, str))

    def columns(self, table: str) -> frozenset[str]:
        """Return the columns of a table, none where there is no such table."""
        if table not in self._columns:
            known = table in self.tables()
            found = self._conn.execute("SELECT name FROM pragma_table_info(?)", (table,)) if known else ()
            self._columns[table] = frozenset(name for (name,) in found if isinstance(name, str))
        return self._columns[table]

    def rows(self, sql: str, parameters: Row = ()) -> Iterator[Row]:
        """Return the rows of a query, one by one. Text is decoded with bad bytes replaced."""
        return self._conn.execute(sql, parameters)

    def row(self, sql: str, parameters: Row = ()) -> Row | None:
        """Return the first row of a query."""
        found: Row | None = self._conn.execute(sql, parameters).fetchone()
        return found


@contextmanager
def open_database(path: Path) -> Iterator[HostDatabase]:
    """Open a host's database for the length of a `with` block.

    Raises OSError when it cannot be read now, and TranscriptError when it is no database or a damaged one; also for
    what happens within the block, whose work is void then.
    """
    real = Path(os.path.realpath(path))
    with real.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header.startswith(MAGIC) or len(header) < _HEADER_BYTES:
        raise TranscriptError(path, "is empty" if not header else "is no SQLite database")
    wal, shm = _beside(real, "-wal"), _beside(real, "-shm")
    try:
        if header[_WRITE_VERSION] != _WAL:
            yield from _within(real, "mode=ro")
        elif not wal.exists() or not (_size(wal) or shm.exists()):
            before = stamp(path)
            yield from _within(real, "mode=ro&immutable=1")
            if stamp(path) != before or _size(wal):
                raise BlockingIOError(errno.EAGAIN, "changed while it was read", str(path))
        elif shm.exists():
            yield from _within(real, "mode=ro&readonly_shm=1")
        elif _size(real) + _size(wal) <= COPY_BYTES:
            yield from _copied(path, real, wal)
        else:
            yield from _within(real, "mode=ro")
    except MemoryError:
        raise TranscriptError(path, "holds more than can be held in memory") from None
    except UnicodeDecodeError as error:  # a message of SQLite's that quotes bytes of a damaged schema
        raise TranscriptError(path, "is a damaged database") from error
    except sqlite3.Error as error:
        raise _explained(path, error) from error


def stamp(path: Path) -> Cursor:
    """Return a cursor that bears the stamp of a database: inode, size of it and its -wal, the newer of their mtimes.

    `memd.capture.scan` makes the same stamp of the same files.
    """
    main = path.stat()
    try:
        wal = _beside(path, "-wal").stat()
    except FileNotFoundError:
        return Cursor(size=main.st_size, inode=main.st_ino, mtime_ns=main.st_mtime_ns)
    newest = max(main.st_mtime_ns, wal.st_mtime_ns)
    return Cursor(size=main.st_size + wal.st_size, inode=main.st_ino, mtime_ns=newest)


def same_stamp(cursor: Cursor, now: Cursor) -> bool:
    """Tell whether nothing happened to a database since a cursor that was read to the end."""
    return (cursor.size, cursor.inode, cursor.mtime_ns) == (now.size, now.inode, now.mtime_ns)


def stamped(now: Cursor, offset: int, state: str, *, more: bool) -> Cursor:
    """Return the cursor of a read; while there is more its stamp fits no file, so that it is asked for again."""
    seen = replace(now, size=0, mtime_ns=0) if more else now
    return replace(seen, offset=offset, state=state)


def main_file(path: Path) -> Path | None:
    """Return the database that a path belongs to: itself, or what its -wal is of; None for other companions."""
    name = path.name
    if name.endswith("-wal"):
        return path.with_name(name[:-4])
    return None if name.endswith(("-shm", "-journal")) else path


def _within(real: Path, options: str) -> Iterator[HostDatabase]:
    uri = f"file:{quote(os.fsencode(real))}?{options}"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_S)) as conn:  # noqa: TID251
        conn.text_factory = _text
        conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES)
        _distrust(conn)
        conn.execute("PRAGMA query_only = ON")
        conn.execute("BEGIN")
        yield HostDatabase(conn)
        conn.execute("COMMIT")


def _distrust(conn: sqlite3.Connection) -> None:
    """Keep the schema from running functions, unless it can only be read with some in it.

    Kilo 7 has indexes over `json_extract`, which older versions of SQLite do not count among the harmless ones. No view
    is asked and no trigger runs here, and no function is there but SQLite's own.
    """
    conn.execute("PRAGMA trusted_schema = OFF")
    try:
        conn.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.DatabaseError as error:
        if "unsafe use of" not in str(error):
            raise
        conn.execute("PRAGMA trusted_schema = ON")


def _copied(path: Path, real: Path, wal: Path) -> Iterator[HostDatabase]:
    """Read a copy: SQLite cannot read this one without making a file beside it. The -wal is copied last."""
    before = stamp(path)
    with tempfile.TemporaryDirectory(prefix="memd-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(real, copy)
        shutil.copyfile(wal, _beside(copy, "-wal"))
        if stamp(path) != before:
            raise BlockingIOError(errno.EAGAIN, "changed while it was copied", str(path))
        yield from _within(copy, "mode=rw")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _explained(path: Path, error: sqlite3.Error) -> Exception:
    primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if primary in _PASSING:
        return BlockingIOError(errno.EAGAIN, f"cannot be read just now ({error})", str(path))
    if primary in _CAPACITY:
        return TranscriptError(path, f"holds more than can be read ({error})")
    return TranscriptError(path, f"is a damaged or foreign database ({error})")
