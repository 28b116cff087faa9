"""Backups: whole, checked copies of the database, taken while it is in use.

SQLite's online backup API reads a consistent state; the copy is checked and only then given its name, so a file with a
backup's name is a good backup.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd.errors import DamagedDatabase
from memd.paths import make_private
from memd.store.connection import connect_reader, translate

_NAME: Final = re.compile(r"memd-(?P<at>\d+)\.db")
_COPY: Final = re.compile(r"memd-(?:before-migration-v\d+-)?(?P<at>\d+)\.db")
_DAY_MS: Final = 86_400_000
_OF_MIGRATIONS: Final = 2  # each is as large as the database, and an upgrade makes one
_PAGES_A_STEP: Final = 1024
_PAUSE_S: Final = 0.005
_NOT_LOOKED_AT: Final = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
    }
)
_CANNOT_BE_READ: Final = frozenset(
    {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
)
"""Of what SQLite calls disk I/O errors those that tell of the file; a full disk, where its index of the log does not
fit, or a lock that is not granted say nothing of it."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup and when it was taken."""

    path: Path
    at: int


def take(database: Path, backups_dir: Path, now_ms: int, *, keep_recent: int = 3, keep_weekly: int = 3) -> Backup:
    """Copy the live database into `backups_dir`, then drop the backups that rotation no longer keeps.

    Blocks for as long as the copy takes (call it in a thread). Raises StoreError; a failed copy leaves no file behind.
    """
    make_private(backups_dir)
    target = backups_dir / f"memd-{now_ms}.db"
    with closing(connect_reader(database)) as conn:
        copy_to(conn, target)
    rotate(backups_dir, keep_recent=keep_recent, keep_weekly=keep_weekly)
    return Backup(target, now_ms)


def copy_to(conn: sqlite3.Connection, target: Path) -> None:
    """Copy the database behind `conn` to `target` (0600), complete and checked or not at all.

    Raises DamagedDatabase where the copy is not whole, and OSError.
    """
    partial = target.with_suffix(".partial")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))
        with closing(sqlite3.connect(partial, isolation_level=None)) as copy:  # noqa: TID251 - a file of our own
            # One read transaction for the whole copy: else each write meanwhile would make it begin anew.
            conn.execute("BEGIN")
            try:
                conn.execute("SELECT count(*) FROM sqlite_master").fetchone()
                conn.backup(copy, pages=_PAGES_A_STEP, sleep=_PAUSE_S)
            finally:
                conn.execute("COMMIT")
            # A backup stands alone: without this it would ask for a WAL beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
        finding = check(partial)
        if finding is not None:
            raise DamagedDatabase(target, finding)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise translate(error, target) from error
    finally:
        partial.unlink(missing_ok=True)


def drop_unfinished(database: Path, backups_dir: Path) -> tuple[Path, ...]:
    """Remove copies that whoever made them did not finish, killed at it; return those. Not while one is being made.

    They are no backups and hold what was in the database then, also what was deleted since.
    """
    gone = tuple(path for path in (*backups_dir.glob("*.partial*"), restoring(database)) if path.exists())
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def restoring(database: Path) -> Path:
    """Return where a backup is put that becomes the database when it is there whole."""
    return database.with_suffix(".restoring")


def check(path: Path, *, full: bool = False) -> str | None:
    """Return what SQLite's integrity check finds wrong with the file, or None when it is good.

    Raises StoreError when it cannot be looked at (no permission, locked, no memory, a full disk): that says nothing of
    the file.
    """
    pragma = "PRAGMA integrity_check(1)" if full else "PRAGMA quick_check(1)"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as conn:  # noqa: TID251 - may not be ours
            finding = str(conn.execute(pragma).fetchone()[0])
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0)
        is_beside = code & 0xFF == sqlite3.SQLITE_IOERR and code not in _CANNOT_BE_READ
        if is_beside or code & 0xFF in _NOT_LOOKED_AT:
            raise translate(error, path) from error
        return str(error)
    return None if finding == "ok" else finding


def backups(backups_dir: Path) -> tuple[Backup, ...]:
    """Return the backups there are, newest first."""
    return _named(backups_dir, _NAME)


def copies(backups_dir: Path) -> tuple[Backup, ...]:
    """Return all that a damaged database can be put right from, newest first: backups, and what migrations kept."""
    return _named(backups_dir, _COPY)


def _named(folder: Path, name: re.Pattern[str]) -> tuple[Backup, ...]:
    if not folder.is_dir():
        return ()
    found = [Backup(path, int(match["at"])) for path in folder.iterdir() if (match := name.fullmatch(path.name))]
    return tuple(sorted(found, key=lambda backup: backup.at, reverse=True))


def rotate(backups_dir: Path, *, keep_recent: int, keep_weekly: int) -> tuple[Path, ...]:
    """Delete all but the newest `keep_recent` and the newest of each of the last `keep_weekly` weeks; return those.

    Of the copies that migrations made the newest two stay.
    """
    found = backups(backups_dir)
    keep = {backup.path for backup in found[:keep_recent]}
    weeks: dict[int, Path] = {}
    for backup in found:
        weeks.setdefault(backup.at // (7 * _DAY_MS), backup.path)
    keep.update(list(weeks.values())[:keep_weekly])
    of_migrations = [copy for copy in copies(backups_dir) if copy not in found]
    gone = tuple(backup.path for backup in (*found, *of_migrations[_OF_MIGRATIONS:]) if backup.path not in keep)
    for path in gone:
        path.unlink(missing_ok=True)
    return gone
