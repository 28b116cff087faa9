"""Handoffs: what somebody wrote down for whoever works on a project next; the newest few of each project are kept."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memd.store.uid import uuid7

KEPT: Final = 3
"""Handoffs of a project that are kept."""

_ADD: Final = "INSERT INTO handoffs (uid, project_id, text, author, at, session) VALUES (?, ?, ?, ?, ?, ?)"
_FORGET: Final = """
    DELETE FROM handoffs WHERE project_id = ?1 AND id NOT IN (
        SELECT id FROM handoffs WHERE project_id = ?1 ORDER BY at DESC, id DESC LIMIT ?2)
"""
_TO_TELL: Final = """
    SELECT uid, text, author, at FROM handoffs WHERE project_id = ?1 AND at >= ?2 AND (?3 IS NULL OR at <= ?3)
    ORDER BY session IS NOT NULL, at DESC, id DESC LIMIT 1
"""
_NEWEST: Final = """
    SELECT uid, text, author, at FROM handoffs WHERE project_id = ? ORDER BY at DESC, id DESC LIMIT ?
"""
_IS_THERE: Final = "SELECT EXISTS (SELECT 1 FROM handoffs WHERE uid = ?)"
_LET_GO: Final = """
    DELETE FROM handoffs WHERE session IN (
        SELECT uid FROM sessions WHERE id IN (SELECT value FROM json_each(?1))
        UNION SELECT s.uid FROM messages m JOIN sessions s ON s.id = m.session_id
        WHERE m.id IN (SELECT value FROM json_each(?2)))
    RETURNING uid
"""


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
    conn.execute(_ADD, (handoff.uid, project_id, text, author, now_ms, session))
    conn.execute(_FORGET, (project_id, KEPT))
    return handoff


def is_there(conn: sqlite3.Connection, uid: str) -> bool:
    """Return whether there is a handoff of that uid."""
    return bool(conn.execute(_IS_THERE, (uid,)).fetchone()[0])


def let_go(conn: sqlite3.Connection, sessions: Iterable[int], messages: Iterable[int]) -> tuple[str, ...]:
    """Delete the handoffs that are made of these sessions, or of those of these messages; return their uids."""
    of = (json.dumps(list(sessions)), json.dumps(list(messages)))
    return tuple(uid for (uid,) in conn.execute(_LET_GO, of).fetchall())


def newest(conn: sqlite3.Connection, project_id: int, limit: int = KEPT) -> tuple[Handoff, ...]:
    """Return a project's handoffs, the newest first."""
    return tuple(Handoff(*row) for row in conn.execute(_NEWEST, (project_id, limit)))


def to_tell(conn: sqlite3.Connection, project_id: int, since_ms: int, until_ms: int | None = None) -> Handoff | None:
    """Return what the next one is told of what was left since a time, None when nothing was.

    What somebody wrote goes before what was made of a session that was closed; of these the newest.
    """
    row = conn.execute(_TO_TELL, (project_id, since_ms, until_ms)).fetchone()
    return None if row is None else Handoff(*row)
