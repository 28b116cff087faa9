"""Handoffs: what somebody wrote down for whoever works on a project next; the newest few of each project are kept."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Handoff:
    """A text for the next one, with who wrote it (None: not told) and when (UTC milliseconds)."""

    uid: str
    text: str
    author: str | None
    at: int


def add(conn: sqlite3.Connection, project_id: int, text: str, author: str | None, now_ms: int) -> Handoff:
    """Keep a handoff; of the project's older ones the newest two stay."""
    handoff = Handoff(uuid7(now_ms), text, author, now_ms)
    conn.execute(_ADD, (handoff.uid, project_id, text, author, now_ms))
    conn.execute(_FORGET, (project_id, KEPT))
    return handoff


def newest(conn: sqlite3.Connection, project_id: int, limit: int = KEPT) -> tuple[Handoff, ...]:
    """Return a project's handoffs, the newest first."""
    return tuple(Handoff(*row) for row in conn.execute(_NEWEST, (project_id, limit)))
