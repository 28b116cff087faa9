"""The diary of promotion, and what speaks for a fact."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

_ADD: Final = """
    INSERT INTO diary (run, at, project_id, fact_uid, applied, passed, detail) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_LIST: Final = "SELECT run, at, fact_uid, applied, passed, detail FROM diary ORDER BY at DESC, id DESC LIMIT ?"
_SESSIONS: Final = """
    SELECT DISTINCT s.id FROM evidence e JOIN sessions s ON s.id = e.session_id
    WHERE e.fact_id = ? AND NOT EXISTS (SELECT 1 FROM sources o
        WHERE o.host = s.host AND o.session = s.native_id AND o.gone_at IS NOT NULL)
    ORDER BY s.id
"""
_PROMPTS: Final = """
    SELECT m.text FROM messages m WHERE m.session_id = ? AND m.role = 'user' AND m.kind = 'prompt' AND NOT m.abandoned
    ORDER BY m.seq LIMIT 200
"""
_ITEMS: Final = """
    SELECT count(*), max(at) FROM evidence WHERE fact_id = ? AND session_id IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the diary; `detail` is a JSON object of signals, gates and outcome."""

    run: str
    at: int
    fact: str
    applied: bool
    passed: bool
    detail: str


def add(conn: sqlite3.Connection, project_id: int | None, entry: Entry) -> None:
    """Write a line."""
    conn.execute(_ADD, (entry.run, entry.at, project_id, entry.fact, entry.applied, entry.passed, entry.detail))


def entries(conn: sqlite3.Connection, limit: int) -> tuple[Entry, ...]:
    """Return lines, the newest first."""
    return tuple(
        Entry(run, at, fact, bool(applied), bool(passed), detail)
        for run, at, fact, applied, passed, detail in conn.execute(_LIST, (limit,))
    )


def sessions_behind(conn: sqlite3.Connection, fact_id: int) -> tuple[int, ...]:
    """Return the sessions that say a fact and whose transcripts the host still has."""
    return tuple(session for (session,) in conn.execute(_SESSIONS, (fact_id,)))


def prompts_of(conn: sqlite3.Connection, session_id: int) -> tuple[str, ...]:
    """Return what was asked in a session, in order, at most 200."""
    return tuple(text for (text,) in conn.execute(_PROMPTS, (session_id,)))


def items(conn: sqlite3.Connection, fact_id: int, sessions: str) -> tuple[int, int | None]:
    """Return how many places in some sessions (a JSON array of row ids) a fact rests on, and the time of the last."""
    count, last = conn.execute(_ITEMS, (fact_id, sessions)).fetchone()
    return int(count), last
