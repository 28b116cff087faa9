"""Sessions: looked up, listed, and led through their life (live, idle, ended, and live again when they go on)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import orjson

from memd.errors import BadParameter, NotFound
from memd.model import Project, Session, SessionState, Transcript
from memd.store import messages
from memd.store.uid import LISTED_CHARS

_COLUMNS: Final = (
    "s.id, s.uid, s.host, s.native_id, s.kind, s.parent, s.forked_from, p.id, p.uid, p.root, p.name, s.cwd, s.branch,"
    " s.model, s.agent, s.version, s.title, s.started_at, s.last_at, s.ended_at, s.end_reason, s.state, s.messages,"
    " s.revision"
)
_SELECT: Final = f"SELECT {_COLUMNS} FROM sessions s LEFT JOIN projects p ON p.id = s.project_id"  # noqa: S608 - constant
_BY_ID: Final = f"{_SELECT} WHERE s.id = ?"
_BY_IDS: Final = f"{_SELECT} WHERE s.id IN (SELECT value FROM json_each(?))"  # noqa: S608 - constant
_KEPT_IN: Final = """
    SELECT s.cwd, p.root, count(*), s.native_id, max(s.last_at)
    FROM sessions s LEFT JOIN projects p ON p.id = s.project_id
    WHERE s.cwd IS NOT NULL AND s.messages > 0 AND s.kind != 'subagent' GROUP BY s.cwd, p.root ORDER BY s.cwd, p.root
"""
_BY_NATIVE: Final = f"{_SELECT} WHERE s.host = ? AND s.native_id = ?"
_BY_NAME: Final = f"{_SELECT} WHERE s.native_id = ?1 OR s.uid = ?1 ORDER BY s.id"
_BY_PIECE: Final = f"""
    {_SELECT} WHERE substr(s.native_id, 1, length(?1)) = ?1 OR substr(s.native_id, -length(?1)) = ?1
        OR substr(s.uid, 1, length(?1)) = ?1 OR substr(s.uid, -length(?1)) = ?1
        OR substr(s.uid, -{LISTED_CHARS}, length(?1)) = ?1
    ORDER BY s.last_at DESC LIMIT ?2
"""
_LIST: Final = f"""
    {_SELECT} WHERE (?1 IS NULL OR s.project_id = ?1) AND (?2 IS NULL OR s.host = ?2)
        AND (?3 IS NULL OR s.last_at >= ?3) AND (?4 IS NULL OR s.last_at < ?4) AND (?5 IS NULL OR s.state = ?5)
        AND (?6 IS NULL OR s.parent = ?6) AND (?7 OR s.kind != 'subagent')
        AND (s.messages > 0 OR (?8 AND s.erased_at IS NULL))
    ORDER BY coalesce(s.last_at, s.ended_at) DESC, s.id DESC LIMIT ?9 OFFSET ?10
"""
_IN_STATE: Final = f"{_SELECT} WHERE s.state = ?1 AND (?2 IS NULL OR s.host = ?2) ORDER BY s.last_at DESC"
_DUE: Final = """
    SELECT id FROM sessions WHERE revision > distilled AND (state = 'ended' OR (?2 AND state = 'idle'))
        AND (?1 IS NULL OR project_id = ?1)
    ORDER BY last_at DESC LIMIT ?3
"""
# What is told of long ago is history being read, and a very long session waits for its end.
_PAUSED: Final = """
    SELECT s.id FROM sessions s LEFT JOIN session_summaries y ON y.session_id = s.id
    WHERE s.state IN ('live', 'idle') AND s.kind != 'subagent' AND s.revision > s.distilled
        AND s.messages <= 2000 AND s.last_at > ?1 - 3600000
        AND (SELECT count(*) FROM messages m WHERE m.session_id = s.id AND m.kind = 'prompt' AND m.abandoned = 0
            AND m.at > ifnull(y.at, 0)) >= iif(s.last_at <= ?1 - ?3, ?2, ?4)
    ORDER BY s.last_at DESC LIMIT 20
"""
_MARK_IDLE: Final = "UPDATE sessions SET state = 'idle' WHERE id = ? AND state = 'live'"
_MARK_ENDED: Final = """
    UPDATE sessions SET state = 'ended', ended_at = ?, end_reason = ? WHERE id = ? AND state != 'ended'
"""
_REOPEN: Final = """
    UPDATE sessions SET state = 'live', ended_at = NULL, end_reason = NULL WHERE id = ? AND state != 'live'
"""
_MARK_DISTILLED: Final = "UPDATE sessions SET distilled = max(distilled, ?) WHERE id = ?"
_FORGET_DISTILLED: Final = "UPDATE sessions SET distilled = 0"
_TITLE: Final = """
    UPDATE sessions SET title = ?, title_origin = 'distill'
    WHERE id = ? AND (title_origin IS NULL OR title_origin = 'distill')
"""
_TITLE_IS_OURS: Final = "SELECT title_origin IS 'distill' FROM sessions WHERE id = ?"
_PROJECT: Final = """
    UPDATE sessions SET project_id = ?1, revision = revision + 1 WHERE id = ?2 AND project_id IS NOT ?1
"""

_AMBIGUOUS_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """Which sessions to list; None means any. `since` and `until` (not included) are about the last message."""

    project_id: int | None = None
    host: str | None = None
    since: int | None = None
    until: int | None = None
    state: SessionState | None = None
    parent: str | None = None
    """Native id of the session that started them."""
    subagents: bool = False
    """Whether sessions that another one started as its agent are listed as well."""
    empty: bool = True
    """Whether sessions without a message are listed as well: opened and closed again, or just opened."""


def get(conn: sqlite3.Connection, session_id: int) -> Session:
    """Return the session of a row id. Raises NotFound."""
    row = conn.execute(_BY_ID, (session_id,)).fetchone()
    if row is None:
        raise NotFound("session", str(session_id))
    return _session(row)


def by_ids(conn: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Session]:
    """Return the sessions of row ids, by row id; those that do not exist are left out."""
    rows = conn.execute(_BY_IDS, (orjson.dumps(list(ids)).decode(),))
    return {row[0]: _session(row) for row in rows}


@dataclass(frozen=True, slots=True)
class KeptIn:
    """How many sessions with messages are kept of a folder; the root of their project, and the newest one's id."""

    cwd: str
    root: str | None
    sessions: int
    newest: str


def kept_in_folders(conn: sqlite3.Connection) -> tuple[KeptIn, ...]:
    """Return what is kept of each folder; sessions of agents go with their parents and are not counted."""
    return tuple(KeptIn(*row[:4]) for row in conn.execute(_KEPT_IN))


def by_native(conn: sqlite3.Connection, host: str, native_id: str) -> Session | None:
    """Return a host's session, None when it was never seen."""
    row = conn.execute(_BY_NATIVE, (host, native_id)).fetchone()
    return None if row is None else _session(row)


def find(conn: sqlite3.Connection, name: str) -> Session:
    """Return the session a person means: by native id or uid, or how one begins or ends that only one has.

    What lists show of a uid may be shortened too.

    Raises NotFound, or BadParameter that lists the sessions when several fit.
    """
    found = conn.execute(_BY_NAME, (name,)).fetchall()
    if not found and name:
        found = conn.execute(_BY_PIECE, (name, _AMBIGUOUS_SHOWN + 1)).fetchall()
    if not found:
        raise NotFound("session", name)
    if len(found) > 1:
        raise _ambiguous(name, [_session(row) for row in found])
    return _session(found[0])


def list_sessions(
    conn: sqlite3.Connection, chosen: SessionFilter, limit: int = 50, offset: int = 0
) -> tuple[Session, ...]:
    """Return sessions, the one with the newest message first."""
    values = (
        chosen.project_id, chosen.host, chosen.since, chosen.until, chosen.state, chosen.parent,
        chosen.subagents or chosen.parent is not None, chosen.empty, limit, offset,
    )  # fmt: skip
    return tuple(_session(row) for row in conn.execute(_LIST, values))


def in_state(conn: sqlite3.Connection, state: SessionState, host: str | None = None) -> tuple[Session, ...]:
    """Return all sessions in a state, of one host or of all."""
    return tuple(_session(row) for row in conn.execute(_IN_STATE, (state, host)))


def transcript(
    conn: sqlite3.Connection, session_id: int, *, include_copies: bool = False, include_abandoned: bool = True
) -> Transcript:
    """Return a session with its messages, as `memd.store.messages.of_session` picks them. Raises NotFound."""
    session = get(conn, session_id)
    shown = messages.of_session(conn, session_id, include_copies=include_copies, include_abandoned=include_abandoned)
    return Transcript(session, shown)


def to_distill(conn: sqlite3.Connection, session_id: int) -> Transcript:
    """Return a session as it was told: without the title that an earlier distillation gave it. Raises NotFound."""
    found = transcript(conn, session_id)
    (ours,) = conn.execute(_TITLE_IS_OURS, (session_id,)).fetchone()
    return replace(found, session=replace(found.session, title=None)) if ours else found


def due(
    conn: sqlite3.Connection, *, project_id: int | None = None, quiet: bool = False, limit: int = 100
) -> tuple[int, ...]:
    """Return the row ids of ended sessions that changed since they were distilled last, newest first.

    `quiet` adds those that are merely idle; `project_id` leaves only one project's.
    """
    return tuple(session for (session,) in conn.execute(_DUE, (project_id, quiet, limit)))


def paused(conn: sqlite3.Connection, now_ms: int, turns: int, pause_ms: int, most: int) -> tuple[int, ...]:
    """Return the row ids of sessions that go on and have so many new prompts since they were distilled last.

    `turns` of them are enough for one without news for `pause_ms`, `most` for any.
    """
    return tuple(session for (session,) in conn.execute(_PAUSED, (now_ms, turns, pause_ms, most)))


def mark_idle(conn: sqlite3.Connection, session_id: int) -> bool:
    """Let a live session be idle; return whether that changed anything."""
    return conn.execute(_MARK_IDLE, (session_id,)).rowcount > 0


def mark_ended(conn: sqlite3.Connection, session_id: int, at_ms: int, reason: str | None) -> bool:
    """End a session; return False when it had ended before."""
    return conn.execute(_MARK_ENDED, (at_ms, reason, session_id)).rowcount > 0


def reopen(conn: sqlite3.Connection, session_id: int) -> bool:
    """Make a session live again; return whether that changed anything. New content does so by itself."""
    return conn.execute(_REOPEN, (session_id,)).rowcount > 0


def mark_distilled(conn: sqlite3.Connection, session_id: int, revision: int) -> None:
    """Note the revision that was distilled: what came since is still to do."""
    conn.execute(_MARK_DISTILLED, (revision, session_id))


def are_known(conn: sqlite3.Connection) -> bool:
    """Return whether there is any session."""
    return conn.execute("SELECT 1 FROM sessions LIMIT 1").fetchone() is not None


def distil_again(conn: sqlite3.Connection) -> None:
    """Let every session be distilled anew, for rules that changed."""
    conn.execute(_FORGET_DISTILLED)


def set_title(conn: sqlite3.Connection, session_id: int, title: str) -> bool:
    """Give a session the title distillation found; one of the host or the user stays. Return whether it was taken."""
    return conn.execute(_TITLE, (title, session_id)).rowcount > 0


def stay_put(conn: sqlite3.Connection, session: Session) -> None:
    """Raise NotFound where a session that was read is no longer of the project it was of, or is gone."""
    now = get(conn, session.id).project
    if (None if now is None else now.id) != (None if session.project is None else session.project.id):
        raise NotFound("session in its former project", session.native_id)


def set_project(conn: sqlite3.Connection, session_id: int, project_id: int | None) -> bool:
    """Say which project a session is of; return whether that changed anything."""
    return conn.execute(_PROJECT, (project_id, session_id)).rowcount > 0


def _ambiguous(name: str, found: list[Session]) -> BadParameter:
    shown = ", ".join(f"{session.native_id} ({session.host})" for session in found[:_AMBIGUOUS_SHOWN])
    more = " and more" if len(found) > _AMBIGUOUS_SHOWN else ""
    return BadParameter("session", f"{name!r} could be any of {shown}{more}; say more of the id")


def _session(row: tuple[object, ...]) -> Session:
    project_id = row[7]
    project = None if project_id is None else Project(*row[7:11])  # type: ignore[arg-type]
    return Session(*row[:7], project, *row[11:])  # type: ignore[arg-type, call-arg]
