"""Migrations: from any schema memd ever had to the present one, or not at all.

A migration is a file `NNN-name.sql`, never edited after release. `PRAGMA user_version` holds the number of the last one
applied. All pending ones run in one transaction, after a backup of what was there.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from memd.errors import DamagedDatabase, NewerDatabase, NotOurDatabase, StoreFull
from memd.store.backup import copy_to
from memd.store.connection import APPLICATION_ID, connect_reader, connect_writer, translate


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Migrated:
    """What `migrate` did: the versions before and after, and the backup it took (None for a new database)."""

    before: int
    after: int
    backup: Path | None


def migrations() -> tuple[Migration, ...]:
    """Return the migrations this memd carries, in order."""
    found = []
    for entry in resources.files("memd.store").joinpath("migrations").iterdir():
        if entry.name.endswith(".sql"):
            number, _, rest = entry.name.removesuffix(".sql").partition("-")
            found.append(Migration(int(number), rest, entry.read_text("utf-8")))
    return tuple(sorted(found, key=lambda migration: migration.number))


def migrate(path: Path, backups_dir: Path, now_ms: int, steps: tuple[Migration, ...] | None = None) -> Migrated:
    """Bring the database at `path` to the newest schema, creating it where there is none.

    Raises NewerDatabase or NotOurDatabase (nothing touched), StoreFull when there is no room for the backup, or another
    StoreError when a step fails (the database stays as it was).
    """
    steps = migrations() if steps is None else steps
    known = steps[-1].number if steps else 0
    existed = path.exists() and path.stat().st_size > 0
    if existed:
        _refuse_foreign(path, known)
    conn = connect_writer(path)
    try:
        before = _version(conn)
        pending = tuple(step for step in steps if step.number > before)
        if not pending:
            return Migrated(before, before, None)
        backup = _backup_before(conn, path, backups_dir, before, now_ms) if existed and before else None
        _apply(conn, pending)
        return Migrated(before, known, backup)
    except sqlite3.Error as error:
        raise translate(error, path) from error
    finally:
        conn.close()


def refuse_unusable(path: Path) -> None:
    """Look at a database that is there, changing nothing.

    Raises NewerDatabase or NotOurDatabase, or another StoreError when it cannot be read.
    """
    known = migrations()[-1].number
    _refuse_foreign(path, known)


def is_current(path: Path) -> bool:
    """Return whether a database has the schema that this version reads, changing nothing.

    Raises NewerDatabase or NotOurDatabase, or another StoreError when it cannot be read.
    """
    refuse_unusable(path)
    conn = connect_reader(path)
    try:
        return _version(conn) == migrations()[-1].number
    except sqlite3.Error as error:
        raise translate(error, path) from error
    finally:
        conn.close()


def schema(conn: sqlite3.Connection) -> str:
    """Return the schema as SQL text, one statement after the other, in a stable order."""
    rows = conn.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB '*_fts_*' ORDER BY type DESC, name"
    )
    return "".join(f"{sql};\n\n" for (sql,) in rows)


def statements(sql: str) -> Iterator[str]:
    """Split a script into its statements (executescript would commit the open transaction)."""
    buffer = ""
    for line in sql.splitlines(keepends=True):
        buffer += line
        if sqlite3.complete_statement(buffer):
            yield buffer
            buffer = ""
    if buffer.strip():
        yield buffer


def _refuse_foreign(path: Path, known: int) -> None:
    # Looked at read-only, so that a database which is not ours is not even given a WAL.
    conn = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)  # noqa: TID251 - see the comment above
    try:
        application = conn.execute("PRAGMA application_id").fetchone()[0]
        version = _version(conn)
        tables = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as error:
        translated = translate(error, path)
        if isinstance(translated, DamagedDatabase) and not _has_sqlite_header(path):
            raise NotOurDatabase(path) from error
        raise translated from error
    finally:
        conn.close()
    if application != APPLICATION_ID and (tables or application or version):
        raise NotOurDatabase(path)
    if version > known:
        raise NewerDatabase(path, version, known)


def _has_sqlite_header(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _backup_before(conn: sqlite3.Connection, path: Path, backups_dir: Path, version: int, now_ms: int) -> Path:
    need = path.stat().st_size * 2  # the backup, and as much again for the migration itself
    backups_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if shutil.disk_usage(backups_dir).free < need:
        raise StoreFull(backups_dir)
    target = backups_dir / f"memd-before-migration-v{version}-{now_ms}.db"
    copy_to(conn, target)
    return target


def _apply(conn: sqlite3.Connection, pending: tuple[Migration, ...]) -> None:
    # Tables are rebuilt by drop and rename, which foreign keys would turn into cascades; the check takes their place.
    conn.execute("PRAGMA foreign_keys = OFF")
    conn.execute("BEGIN IMMEDIATE")
    try:
        for migration in pending:
            for statement in statements(migration.sql):
                conn.execute(statement)
        # The pragma answers in rows and never fails by itself.
        broken = conn.execute("PRAGMA foreign_key_check").fetchone()
        if broken is not None:
            raise sqlite3.IntegrityError(
                f"a migration left table {broken[0]} pointing at rows of {broken[2]} that are not there"
            )
        conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        conn.execute(f"PRAGMA user_version = {pending[-1].number}")
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise
    finally:
        conn.execute("PRAGMA foreign_keys = ON")


def _version(conn: sqlite3.Connection) -> int:
    return int(conn.execute("PRAGMA user_version").fetchone()[0])
