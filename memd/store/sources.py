"""Sources: the files and databases a host writes, how far each was read, and what was passed over in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd.adapter import Cursor, Source
from memd.text.session_ids import session_id

_CURSOR: Final = '"offset", size, inode, mtime_ns, head, tail, state'
_LOAD: Final = f"SELECT {_CURSOR} FROM sources WHERE host = ? AND path = ?"  # noqa: S608 - constant columns
_ALL: Final = f"SELECT path, {_CURSOR} FROM sources WHERE host = ? ORDER BY path"  # noqa: S608 - constant columns
_SAVE: Final = """
    INSERT INTO sources (host, path, session, "offset", size, inode, mtime_ns, head, tail, state, lines, read_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (host, path) DO UPDATE SET
        session = coalesce(excluded.session, session), "offset" = excluded."offset", size = excluded.size,
        inode = excluded.inode, mtime_ns = excluded.mtime_ns, head = excluded.head, tail = excluded.tail,
        state = excluded.state, lines = excluded.lines + iif(?, 0, lines), read_at = excluded.read_at,
        gone_at = NULL, error = NULL, error_at = NULL
    RETURNING id
"""
_FORGET_SKIPS: Final = "DELETE FROM source_skips WHERE source_id = ?"
_ADD_SKIP: Final = """
    INSERT INTO source_skips (source_id, reason, count) VALUES (?, ?, ?)
    ON CONFLICT (source_id, reason) DO UPDATE SET count = count + excluded.count
"""
_ERROR: Final = """
    INSERT INTO sources (host, path, session, error, error_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (host, path) DO UPDATE SET error = excluded.error, error_at = excluded.error_at
"""
_GONE: Final = "UPDATE sources SET gone_at = ? WHERE host = ? AND path = ? AND gone_at IS NULL"
_RENAME: Final = "UPDATE sources SET path = ?, gone_at = NULL WHERE host = ? AND path = ?"
_REMOVE: Final = "DELETE FROM sources WHERE host = ? AND path = ?"
_COUNTS: Final = """
    SELECT host, count(*), sum(gone_at IS NOT NULL), sum(lines), max(read_at) FROM sources GROUP BY host ORDER BY host
"""
_HAS_SKIPPED: Final = """
    SELECT EXISTS (SELECT 1 FROM source_skips k JOIN sources s ON s.id = k.source_id
    WHERE s.host = ? AND s.path = ? AND k.reason = ?)
"""
_NEWEST: Final = "SELECT max(ifnull(last_at, seen_at)) FROM sessions WHERE host = ? AND messages > 0"
_ANY: Final = "SELECT EXISTS (SELECT 1 FROM sessions WHERE host = ? AND (messages > 0 OR erased_at IS NOT NULL))"
# SQLite gives a bare column beside max() the value of the row that has it (SELECT, 2.5).
_VERSION: Final = "SELECT version, max(last_at) FROM sessions WHERE host = ? AND version IS NOT NULL"
_SKIPPED: Final = """
    SELECT k.reason, sum(k.count) FROM source_skips k JOIN sources s ON s.id = k.source_id
    WHERE s.host = ? GROUP BY k.reason ORDER BY k.reason
"""
_FAILED: Final = "SELECT host, path FROM sources WHERE error IS NOT NULL AND gone_at IS NULL"
_ERRORS: Final = (
    "SELECT path, error FROM sources WHERE host = ? AND error IS NOT NULL ORDER BY error_at DESC, path LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class HostStatus:
    """What was read of one host. `skipped` counts what was passed over, by reason; `errors` are the newest ones."""

    host: str
    sources: int
    gone: int
    lines: int
    newest_captured: int | None
    """Time of the newest message, UTC epoch milliseconds."""
    messages: bool
    """Whether there is any, with a time or without."""
    version: str | None
    """What the newest session that tells its version was written by."""
    read_at: int | None
    skipped: Mapping[str, int]
    errors: tuple[SourceError, ...]


@dataclass(frozen=True, slots=True)
class SourceError:
    """A source that could not be read, and why."""

    path: Path
    error: str


def load(conn: sqlite3.Connection, host: str, path: Path) -> Cursor | None:
    """Return how far a source was read, None when it was never read."""
    row = conn.execute(_LOAD, (host, str(path))).fetchone()
    return None if row is None or _unread(Cursor(*row)) else Cursor(*row)


def has_skipped(conn: sqlite3.Connection, source: Source, reason: str) -> bool:
    """Return whether anything of a source was passed over for a reason."""
    return bool(conn.execute(_HAS_SKIPPED, (source.host, str(source.path), reason)).fetchone()[0])


def all_cursors(conn: sqlite3.Connection, host: str) -> dict[Path, Cursor]:
    """Return the cursors of all sources of a host that were read."""
    cursors = ((Path(path), Cursor(*rest)) for path, *rest in conn.execute(_ALL, (host,)))
    return {path: cursor for path, cursor in cursors if not _unread(cursor)}


def save(
    conn: sqlite3.Connection,
    source: Source,
    cursor: Cursor,
    now_ms: int,
    *,
    lines: int,
    skipped: Mapping[str, int],
    restarted: bool,
) -> None:
    """Keep a cursor and add up what was passed over; an earlier error of the source is over.

    A read that began at the start again counts anew.
    """
    where = (cursor.offset, cursor.size, cursor.inode, cursor.mtime_ns, cursor.head, cursor.tail, cursor.state)
    row = (source.host, str(source.path), _session(source), *where, lines, now_ms, restarted)
    source_id = conn.execute(_SAVE, row).fetchone()[0]
    if restarted:
        conn.execute(_FORGET_SKIPS, (source_id,))
    if skipped:
        conn.executemany(_ADD_SKIP, [(source_id, reason, count) for reason, count in skipped.items()])


def set_error(conn: sqlite3.Connection, source: Source, error: str, now_ms: int) -> None:
    """Remember why a source could not be read; its cursor stays, and the next successful read clears the error."""
    conn.execute(_ERROR, (source.host, str(source.path), _session(source), error, now_ms))


def failed(conn: sqlite3.Connection) -> tuple[tuple[str, Path], ...]:
    """Return host and path of every source that is there and could not be read."""
    return tuple((host, Path(path)) for host, path in conn.execute(_FAILED))


def mark_gone(conn: sqlite3.Connection, host: str, path: Path, now_ms: int) -> None:
    """Note that a source is no longer on disk; what was read of it is kept."""
    conn.execute(_GONE, (now_ms, host, str(path)))


def rename(conn: sqlite3.Connection, host: str, old: Path, new: Path) -> bool:
    """Let a moved file keep its cursor; return False when nothing is known of the old path.

    The move took the place of whatever lay at the new path.
    """
    if old == new or conn.execute(_LOAD, (host, str(old))).fetchone() is None:
        return False
    conn.execute(_REMOVE, (host, str(new)))
    conn.execute(_RENAME, (str(new), host, str(old)))
    return True


def status(conn: sqlite3.Connection, errors: int = 20) -> tuple[HostStatus, ...]:
    """Return what was read of each host that has a source, with its newest `errors` errors."""
    return tuple(_host_status(conn, row, errors) for row in conn.execute(_COUNTS).fetchall())


def _host_status(conn: sqlite3.Connection, row: tuple[str, int, int, int, int | None], errors: int) -> HostStatus:
    host, sources, gone, lines, read_at = row
    return HostStatus(
        host=host,
        sources=sources,
        gone=gone,
        lines=lines,
        newest_captured=conn.execute(_NEWEST, (host,)).fetchone()[0],
        messages=bool(conn.execute(_ANY, (host,)).fetchone()[0]),
        version=conn.execute(_VERSION, (host,)).fetchone()[0],
        read_at=read_at,
        skipped=dict(conn.execute(_SKIPPED, (host,))),
        errors=tuple(SourceError(Path(path), error) for path, error in conn.execute(_ERRORS, (host, errors))),
    )


def _unread(cursor: Cursor) -> bool:
    """Tell a row that only remembers an error."""
    return cursor == Cursor()


def _session(source: Source) -> str | None:
    return None if source.session is None else session_id(source.session)
