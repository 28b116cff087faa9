"""Handoffs: what somebody wrote down for whoever works on a project next; the newest few of each project are kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memd.store import meta
from memd.store.uid import uuid7

KEPT: Final = 3
"""Handoffs of a project that are kept."""

_ADD: Final = "INSERT INTO handoffs (uid, project_id, text, author, at) VALUES (?, ?, ?, ?, ?)"
_FORGET: Final = """
    DELETE FROM handoffs WHERE project_id = ?1 AND id NOT IN (
        SELECT id FROM handoffs WHERE project_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2)
"""
_NEWEST: Final = """
    SELECT uid, text, author, at FROM handoffs WHERE project_id = ? ORDER BY at DESC, id DESC LIMIT ?
"""
_IS_THERE: Final = "SELECT EXISTS (SELECT 1 FROM handoffs WHERE uid = ?)"
_DELETE: Final = "DELETE FROM handoffs WHERE uid = ?"
_OF: Final = """
    SELECT uid FROM sessions WHERE id IN (SELECT value FROM json_each(?1))
    UNION SELECT s.uid FROM messages m JOIN sessions s ON s.id = m.session_id
    WHERE m.id IN (SELECT value FROM json_each(?2))
"""
_ORIGINS: Final = "handoff_sessions"


@dataclass(frozen=True, slots=True)
class Handoff:
    """A text for the next one, with who wrote it (None: not told) and when (UTC milliseconds)."""

    uid: str
    text: str
    author: str | None
    at: int


def add(
    conn: sqlite3.Connection, project_id: int, text: str, author: str | None, now_ms: int, session: str | None = None
) -> Handoff:
    """Keep a handoff; of the project's older ones the newest two stay.

    `session` is the uid of the one whose words it is made of; with what is deleted of that it goes.
    """
    handoff = Handoff(uuid7(now_ms), text, author, now_ms)
    conn.execute(_ADD, (handoff.uid, project_id, text, author, now_ms))
    conn.execute(_FORGET, (project_id, KEPT))
    if session is not None:
        _note(conn, {**_origins(conn), handoff.uid: session})
    return handoff


def is_there(conn: sqlite3.Connection, uid: str) -> bool:
    """Return whether there is a handoff of that uid."""
    return bool(conn.execute(_IS_THERE, (uid,)).fetchone()[0])


def let_go(conn: sqlite3.Connection, sessions: Iterable[int], messages: Iterable[int]) -> tuple[str, ...]:
    """Delete the handoffs that are made of these sessions, or of those of these messages; return their uids."""
    origins = _origins(conn)
    if not origins:
        return ()
    concerned = {uid for (uid,) in conn.execute(_OF, (json.dumps(list(sessions)), json.dumps(list(messages))))}
    gone = tuple(uid for uid, session in origins.items() if session in concerned)
    conn.executemany(_DELETE, [(uid,) for uid in gone])
    _note(conn, origins)
    return gone


def newest(conn: sqlite3.Connection, project_id: int, limit: int = KEPT) -> tuple[Handoff, ...]:
    """Return a project's handoffs, the newest first."""
    return tuple(Handoff(*row) for row in conn.execute(_NEWEST, (project_id, limit)))


def _origins(conn: sqlite3.Connection) -> dict[str, str]:
    """Return of which session each handoff is made that is not in somebody's own words, by their uids."""
    note = meta.get(conn, _ORIGINS)
    return {} if note is None else {str(uid): str(session) for uid, session in json.loads(note).items()}


def _note(conn: sqlite3.Connection, origins: dict[str, str]) -> None:
    kept = {uid: session for uid, session in origins.items() if is_there(conn, uid)}
    meta.put(conn, _ORIGINS, json.dumps(kept) if kept else None)
