"""Capturing: the transactions that capture makes, and what it asks before it makes them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import orjson

from memd.adapter import SessionUpdate, Source
from memd.model import Session
from memd.store import erased, projects, seams, sessions, sources
from memd.store.ingest import Ingested, Prepared, store_batch
from memd.store.session_rows import SessionRows

_OF_SESSION: Final = "SELECT path FROM sources WHERE host = ? AND session = ? AND gone_at IS NULL"
_OF_OPEN_SESSIONS: Final = """
    SELECT c.path FROM sessions s JOIN sources c ON c.host = s.host AND c.session = s.native_id
    WHERE s.project_id = ? AND s.state != 'ended' AND c.gone_at IS NULL
"""
_WRITTEN: Final = """
    SELECT ifnull((SELECT max(mtime_ns) FROM sources WHERE host = ?1 AND session = ?2) / 1000000, seen_at)
    FROM sessions WHERE host = ?1 AND native_id = ?2
"""
_OF_CHILDREN: Final = """
    SELECT id, native_id FROM sessions
    WHERE host = ? AND state != 'ended' AND parent IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class ProjectAt:
    """A project as it was found on disk.

    `aliases` are other folders that mean it, `identity` is a name that goes with it wherever it is moved, and
    `moved_from` the root it had when it was seen last. `apart` is said of one that has taken the place of a project
    that was moved away: what that one is called does not mean it.
    """

    root: Path
    name: str
    aliases: tuple[Path, ...] = ()
    identity: str | None = None
    moved_from: Path | None = None
    apart: bool = False


@dataclass(frozen=True, slots=True)
class NewState:
    """A session, by row id, that went idle or, where a time is given, ended."""

    session: int
    ended_at: int | None = None
    reason: str | None = None


def take_in(
    conn: sqlite3.Connection,
    source: Source,
    prepared: Prepared,
    places: Mapping[str, ProjectAt],
    moved_from: Path | None,
    now_ms: int,
) -> Ingested:
    """Store a batch with its cursor and give its sessions their projects; `places` has them by recorded folder.

    A session belongs to where it began; the folders it moves to later say nothing of its project.

    `moved_from` is the path that the file had when its cursor was stored.
    """
    if moved_from is not None:
        sources.rename(conn, source.host, moved_from, source.path)
    prepared = seams.mended(conn, source.host, erased.without_erased(conn, source, prepared))
    ingested = store_batch(conn, source, prepared, now_ms)
    erased.mark_sessions(conn, source.host, [native for _, native in ingested.sessions])
    told = {event.session for event in prepared.batch.events if isinstance(event, SessionUpdate) and event.cwd}
    if told:
        for session_id, native in ingested.sessions:
            if native in told:
                _place(conn, session_id, places, now_ms)
    return ingested


def note_session(
    conn: sqlite3.Connection,
    host: str,
    update: SessionUpdate,
    places: Mapping[str, ProjectAt],
    now_ms: int,
    *,
    reopen: bool,
) -> int:
    """Make known what a hook told of a session, which may not have been seen yet; return its row id.

    What is known already is added to, never replaced by less.
    """
    rows = SessionRows(conn, host, now_ms)
    row = rows.of(update.session)
    row.merge(update)
    rows.flush()
    _place(conn, row.id, places, now_ms)
    if reopen:
        sessions.reopen(conn, row.id)
    return row.id


def end_session(conn: sqlite3.Connection, host: str, native_id: str, at_ms: int, reason: str) -> tuple[str, ...]:
    """End a session and those it started; return the native ids of those that had not ended before."""
    session = sessions.by_native(conn, host, native_id)
    if session is None:
        return ()
    ended = [native_id] if sessions.mark_ended(conn, session.id, at_ms, reason) else []
    waiting = [native_id]
    while waiting:
        children = conn.execute(_OF_CHILDREN, (host, orjson.dumps(waiting).decode())).fetchall()
        waiting = [native for child, native in children if sessions.mark_ended(conn, child, at_ms, reason)]
        ended += waiting
    return tuple(ended)


def set_states(conn: sqlite3.Connection, states: Iterable[NewState]) -> None:
    """Let sessions go idle or end."""
    for state in states:
        if state.ended_at is None:
            sessions.mark_idle(conn, state.session)
        else:
            sessions.mark_ended(conn, state.session, state.ended_at, state.reason)


def open_sessions(conn: sqlite3.Connection) -> tuple[Session, ...]:
    """Return all sessions that have not ended.

    Where a host gives no times, `last_at` is that of its newest file, or of the file it shares with others when it was
    last seen to grow.
    """
    found = (*sessions.in_state(conn, "live"), *sessions.in_state(conn, "idle"))
    return tuple(session if session.last_at is not None else _timed(conn, session) for session in found)


def _timed(conn: sqlite3.Connection, session: Session) -> Session:
    return replace(session, last_at=conn.execute(_WRITTEN, (session.host, session.native_id)).fetchone()[0])


def paths_of_session(conn: sqlite3.Connection, host: str, native_id: str) -> tuple[Path, ...]:
    """Return the sources on disk that hold a session."""
    return tuple(Path(path) for (path,) in conn.execute(_OF_SESSION, (host, native_id)))


def paths_of_project(conn: sqlite3.Connection, root: Path) -> tuple[Path, ...]:
    """Return the sources on disk of a project's sessions that have not ended."""
    project = projects.by_path(conn, root)
    if project is None:
        return ()
    return tuple(Path(path) for (path,) in conn.execute(_OF_OPEN_SESSIONS, (project.id,)))


def known_places(conn: sqlite3.Connection) -> dict[Path, Path]:
    """Return the root of the project that each known path, root or alias, belongs to; with a NUL nothing is a path."""
    return {Path(path): Path(root) for path, root in projects.paths(conn).items() if "\0" not in path + root}


def mark_gone(conn: sqlite3.Connection, host: str, paths: Iterable[Path], now_ms: int) -> None:
    """Note that sources are no longer on disk."""
    for path in paths:
        sources.mark_gone(conn, host, path, now_ms)


def cursors(conn: sqlite3.Connection, hosts: Iterable[str]) -> dict[str, dict[Path, tuple[int, int, int]]]:
    """Return size, mtime in nanoseconds and inode of each source as it was read, by host and path."""
    return {
        host: {
            path: (cursor.size, cursor.mtime_ns, cursor.inode)
            for path, cursor in sources.all_cursors(conn, host).items()
        }
        for host in hosts
    }


def _place(conn: sqlite3.Connection, session_id: int, places: Mapping[str, ProjectAt], now_ms: int) -> None:
    """Give a session the project of the folder it began in; one that has a project stays where it is."""
    session = sessions.get(conn, session_id)
    place = None if session.cwd is None else places.get(session.cwd)
    if session.project is not None or place is None or erased.is_empty(conn, session_id):
        return
    if place.apart:
        projects.forget_alias(conn, place.root)
    names = place.aliases if place.moved_from is None else (*place.aliases, place.moved_from)
    project = projects.resolve(conn, place.root, names, place.name, now_ms)
    if place.identity is not None:
        projects.add_alias(conn, project.id, place.identity)  # of two clones the first has it
    sessions.set_project(conn, session_id, project.id)
