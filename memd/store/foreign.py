"""Foreign databases: SQLite files of other programs, read and never written to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

from memd.errors import ImportRefused
from memd.text.clip import clip

Row: TypeAlias = "dict[str, object]"

_MAGIC: Final = b"SQLite format 3\x00"
# A name in a damaged schema may be no UTF-8.
_TROUBLE: Final = (sqlite3.Error, UnicodeDecodeError)
_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"


class Foreign:
    """An open foreign database."""

    def __init__(self, conn: sqlite3.Connection, path: Path) -> None:
        self._conn = conn
        self._path = path
        self.tables = frozenset(str(row[0]) for row in conn.execute(_TABLES))

    def rows(self, table: str) -> Iterator[Row]:
        """Yield every row of a table as a dictionary, in the order of its rowid; nothing where there is no such table.

        Raises ImportRefused when the file turns out to be damaged.
        """
        if table not in self.tables:
            return
        name = table.replace('"', '""')
        try:
            cursor = self._conn.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - a name out of the schema, quoted
            columns = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(columns, row, strict=True))
        except _TROUBLE as error:
            raise ImportRefused(self._path, f"cannot be read ({_said(error)})") from error


def _said(error: Exception) -> str:
    """Return SQLite's words on one line; of a damaged schema it repeats whole statements."""
    return clip(" ".join(str(error).split()), 200)


def is_database(path: Path) -> bool:
    """Tell whether a file begins as SQLite files do; raises nothing."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def has_tables(path: Path, *names: str) -> bool:
    """Tell whether a file is an SQLite database with all these tables; raises nothing."""
    if not is_database(path):
        return False
    try:
        with opened(path) as foreign:
            return foreign.tables >= set(names)
    except ImportRefused:
        return False


@contextmanager
def opened(path: Path) -> Iterator[Foreign]:
    """Open a database for reading only. Raises ImportRefused when it is none."""
    try:
        uri = f"file:{quote(str(path.absolute()))}?mode=ro"
        conn = sqlite3.connect(uri, uri=True, isolation_level=None)  # noqa: TID251 - read-only, and not ours
    except sqlite3.Error as error:
        raise ImportRefused(path, f"cannot be opened ({error})") from error
    try:
        conn.execute("PRAGMA query_only = ON")
        conn.execute("PRAGMA trusted_schema = OFF")
        # A text that is no UTF-8 is no reason to lose the row.
        conn.text_factory = lambda raw: raw.decode("utf-8", "replace")
        yield Foreign(conn, path)
    except _TROUBLE as error:
        raise ImportRefused(path, f"cannot be read ({_said(error)})") from error
    finally:
        conn.close()
