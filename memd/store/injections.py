"""Injections: what each session was given, so that nothing is said to it twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_ADD: Final = """
    INSERT INTO injections (host, native_id, event, tokens, at) VALUES (?, ?, ?, ?, ?) RETURNING id
"""
_ADD_FACT: Final = "INSERT OR IGNORE INTO injected_facts (injection_id, fact_id) SELECT ?, id FROM facts WHERE id = ?"
_EVENTS: Final = "SELECT DISTINCT event FROM injections WHERE host = ? AND native_id = ? AND armed"
_FACTS: Final = """
    SELECT DISTINCT f.fact_id FROM injections i JOIN injected_facts f ON f.injection_id = i.id
    WHERE i.host = ? AND i.native_id = ? AND i.armed
"""
_REARM: Final = "UPDATE injections SET armed = 0 WHERE host = ? AND native_id = ? AND armed"
_USED: Final = """
    UPDATE injected_facts SET used = 1 WHERE fact_id = ?3 AND injection_id IN (
        SELECT id FROM injections WHERE host = ?1 AND native_id = ?2)
"""
_STATS: Final = """
    SELECT i.event, count(*), sum(i.tokens), max(i.at),
        sum((SELECT count(*) FROM injected_facts f WHERE f.injection_id = i.id))
    FROM injections i WHERE i.at >= ? GROUP BY i.event ORDER BY i.event
"""


@dataclass(frozen=True, slots=True)
class Given:
    """What a session was given since it was last re-armed: row ids of facts, and on which events."""

    facts: frozenset[int]
    events: frozenset[str]


@dataclass(frozen=True, slots=True)
class InjectionStats:
    """How much was given on one kind of event."""

    event: str
    times: int
    tokens: int
    last_at: int
    facts: int


def record(
    conn: sqlite3.Connection, host: str, native_id: str, event: str, facts: Iterable[int], tokens: int, now_ms: int
) -> None:
    """Note what a session was given on an event; the session may not have been seen otherwise.

    `tokens` is the size of it all, by estimate. A fact that is gone meanwhile is left out.
    """
    injection = conn.execute(_ADD, (host, native_id, event, tokens, now_ms)).fetchone()[0]
    conn.executemany(_ADD_FACT, [(injection, fact) for fact in facts])


def given(conn: sqlite3.Connection, host: str, native_id: str) -> Given:
    """Return what a session was given and still has before it."""
    facts = frozenset(fact for (fact,) in conn.execute(_FACTS, (host, native_id)))
    return Given(facts, frozenset(event for (event,) in conn.execute(_EVENTS, (host, native_id))))


def rearm(conn: sqlite3.Connection, host: str, native_id: str) -> None:
    """Let a session be given everything anew: a compaction took it away, or it was resumed or cleared."""
    conn.execute(_REARM, (host, native_id))


def mark_used(conn: sqlite3.Connection, host: str, native_id: str, facts: Iterable[int]) -> None:
    """Note that a session made use of facts it was given."""
    conn.executemany(_USED, [(host, native_id, fact) for fact in facts])


def stats(conn: sqlite3.Connection, since_ms: int = 0) -> tuple[InjectionStats, ...]:
    """Return how much was given since a time, by event."""
    return tuple(InjectionStats(*row) for row in conn.execute(_STATS, (since_ms,)))
