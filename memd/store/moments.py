"""Moments: when messages were said and sessions last spoke."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

import orjson

_OF: Final = """
    SELECT m.id, m.at FROM json_each(?) AS asked JOIN messages m ON m.id = asked.value WHERE m.at IS NOT NULL
"""
_LAST: Final = """
    SELECT s.id, s.last_at FROM json_each(?) AS asked JOIN sessions s ON s.id = asked.value
    WHERE s.last_at IS NOT NULL
"""


def of(conn: sqlite3.Connection, messages: Iterable[int]) -> dict[int, int]:
    """Return the times of messages by row id; without those whose time is not known."""
    return dict(conn.execute(_OF, (orjson.dumps(list(messages)).decode(),)))


def last_of_sessions(conn: sqlite3.Connection, sessions: Iterable[int]) -> dict[int, int]:
    """Return when sessions last spoke, by row id; without those of which it is not known."""
    return dict(conn.execute(_LAST, (orjson.dumps(list(sessions)).decode(),)))
