"""Moments: when messages were said and sessions last spoke."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

import orjson

from memd.store.chosen import Chosen

_OF: Final = """
    SELECT m.id, m.at FROM json_each(?) AS asked JOIN messages m ON m.id = asked.value WHERE m.at IS NOT NULL
"""
_LAST: Final = """
    SELECT s.id, s.last_at FROM json_each(?) AS asked JOIN sessions s ON s.id = asked.value
    WHERE s.last_at IS NOT NULL
"""

_SPOKEN: Final = """
    SELECT s.id, (SELECT min(m.id) FROM messages m WHERE m.session_id = s.id AND m.role = 'user' AND m.text != '')
    FROM sessions s WHERE s.last_at >= ?1 AND s.started_at <= ?2 AND s.messages > 0
        AND (?3 IS NULL OR s.project_id = ?3) AND (?4 IS NULL OR s.host = ?4) AND (?5 IS NULL OR s.id = ?5)
    ORDER BY s.last_at LIMIT ?6
"""


def of(conn: sqlite3.Connection, messages: Iterable[int]) -> dict[int, int]:
    """Return the times of messages by row id; without those whose time is not known."""
    return dict(conn.execute(_OF, (orjson.dumps(list(messages)).decode(),)))


def last_of_sessions(conn: sqlite3.Connection, sessions: Iterable[int]) -> dict[int, int]:
    """Return when sessions last spoke, by row id; without those of which it is not known."""
    return dict(conn.execute(_LAST, (orjson.dumps(list(sessions)).decode(),)))


def spoken(conn: sqlite3.Connection, since: int, until: int, chosen: Chosen, most: int) -> list[tuple[int, int]]:
    """Return the sessions that went on between two times, each with the first thing that was asked in it."""
    where = (chosen.project_id, chosen.host, chosen.session_id)
    rows = conn.execute(_SPOKEN, (since, until, *where, most))
    return [(session, message) for session, message in rows if message is not None]
