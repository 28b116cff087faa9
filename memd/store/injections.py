"""Injections: the ledger of what each session was given, so that nothing is said twice, and of what it made of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import orjson

_ADD: Final = """
    INSERT INTO injections (host, native_id, event, tokens, at, project_id, reason, extra)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""
_ADD_FACT: Final = """
    INSERT OR IGNORE INTO injected_facts (injection_id, fact_id, score) SELECT ?, id, ? FROM facts WHERE id = ?
"""
_GIVEN: Final = "SELECT event, extra FROM injections WHERE host = ? AND native_id = ? AND armed"
_FACTS: Final = """
    SELECT DISTINCT f.fact_id FROM injections i JOIN injected_facts f ON f.injection_id = i.id
    WHERE i.host = ? AND i.native_id = ? AND i.armed
"""
_REARM: Final = "UPDATE injections SET armed = 0 WHERE host = ? AND native_id = ? AND armed"
# What the latest spell of a session was given: everything since the re-arming before the latest one.
_LOST: Final = """
    SELECT f.fact_id, max(i.event = 'prompt') AS asked, max(ifnull(f.used, 0)) AS used, max(i.id) AS latest
    FROM injections i JOIN injected_facts f ON f.injection_id = i.id
    WHERE i.host = ? AND i.native_id = ? AND NOT i.armed
    GROUP BY f.fact_id ORDER BY used DESC, asked DESC, latest DESC, f.fact_id
"""
_USED: Final = """
    UPDATE injected_facts SET used = 1, shown = ?4 WHERE fact_id = ?3 AND injection_id IN (
        SELECT id FROM injections WHERE host = ?1 AND native_id = ?2)
"""
_STATS: Final = """
    SELECT i.event, count(*), sum(i.tokens), max(i.at), sum(n.facts), sum(n.used), sum(n.judged)
    FROM injections i LEFT JOIN (
        SELECT injection_id, count(*) AS facts, ifnull(sum(used), 0) AS used, count(used) AS judged
        FROM injected_facts GROUP BY injection_id) n ON n.injection_id = i.id
    WHERE i.at >= ?1 AND (?2 IS NULL OR i.project_id = ?2) GROUP BY i.event ORDER BY i.event
"""
_RECENT: Final = """
    SELECT i.id, i.host, i.native_id, s.uid, p.root, i.event, i.reason, i.tokens, i.at, i.extra
    FROM injections i LEFT JOIN projects p ON p.id = i.project_id
        LEFT JOIN sessions s ON s.host = i.host AND s.native_id = i.native_id
    WHERE (?1 IS NULL OR i.project_id = ?1) AND (?2 IS NULL OR i.native_id = ?2 OR s.uid = ?2)
    ORDER BY i.at DESC, i.id DESC LIMIT ?3
"""
_FACTS_OF: Final = """
    SELECT j.injection_id, f.uid, f.title, j.score, j.used, j.shown
    FROM json_each(?) AS asked JOIN injected_facts j ON j.injection_id = asked.value JOIN facts f ON f.id = j.fact_id
    ORDER BY j.injection_id, j.score DESC, f.id
"""
_UNCHECKED: Final = """
    SELECT DISTINCT s.id, s.revision FROM injections i
    JOIN sessions s ON s.host = i.host AND s.native_id = i.native_id
    WHERE i.at >= ?2 AND (i.checked IS NULL OR i.checked < s.revision) AND s.state != 'live'
        AND EXISTS (SELECT 1 FROM injected_facts f WHERE f.injection_id = i.id)
    ORDER BY s.id LIMIT ?1
"""
_OF_SESSION: Final = """
    SELECT i.id, i.at, f.fact_id, f.used FROM sessions s
    JOIN injections i ON i.host = s.host AND i.native_id = s.native_id
    JOIN injected_facts f ON f.injection_id = i.id
    WHERE s.id = ? ORDER BY i.at, i.id, f.fact_id
"""
_JUDGE: Final = "UPDATE injected_facts SET used = ?, shown = ? WHERE injection_id = ? AND fact_id = ?"
_CHECKED: Final = """
    UPDATE injections SET checked = ?2 WHERE (host, native_id) = (SELECT host, native_id FROM sessions WHERE id = ?1)
"""
_RECORD: Final = """
    SELECT fact_id, count(used), ifnull(sum(used), 0) FROM injected_facts
    WHERE fact_id IN (SELECT value FROM json_each(?)) GROUP BY fact_id
"""


@dataclass(frozen=True, slots=True)
class Given:
    """What a session was given since it was last re-armed: row ids of facts, other names, and on which events."""

    facts: frozenset[int]
    events: frozenset[str]
    extra: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Injection:
    """What a session is given at one time, to be written down.

    `facts` has the score of each fact by row id (None: not weighed), `tokens` the size of it all by estimate, `extra`
    the names of files and symbols that something was said of.
    """

    host: str
    native_id: str
    event: str
    facts: Mapping[int, float | None]
    tokens: int
    reason: str = ""
    project_id: int | None = None
    extra: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InjectionStats:
    """How much was given on one kind of event, and how many of the facts whose use was looked for were used."""

    event: str
    times: int
    tokens: int
    last_at: int
    facts: int
    used: int = 0
    judged: int = 0


@dataclass(frozen=True, slots=True)
class InjectedFact:
    """A fact as a session was given it. `used` None: not looked for yet; `shown` is what shows the use."""

    uid: str
    title: str
    score: float | None
    used: bool | None
    shown: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger; `session` is a uid, None for a session that was never captured."""

    id: int
    host: str
    native_id: str
    session: str | None
    project: str | None
    event: str
    reason: str
    tokens: int
    at: int
    extra: tuple[str, ...]
    facts: tuple[InjectedFact, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Handed:
    """A fact that was handed to a session: in which injection, when, and what is known of its use."""

    injection: int
    at: int
    fact: int
    used: bool | None


def record(conn: sqlite3.Connection, given: Injection, now_ms: int) -> None:
    """Note what a session was given; the session may not have been seen otherwise.

    A fact that is gone meanwhile is left out.
    """
    injection = conn.execute(
        _ADD,
        (
            given.host, given.native_id, given.event, given.tokens, now_ms, given.project_id, given.reason,
            orjson.dumps(given.extra).decode(),
        ),
    ).fetchone()[0]  # fmt: skip
    conn.executemany(_ADD_FACT, [(injection, score, fact) for fact, score in given.facts.items()])


def given(conn: sqlite3.Connection, host: str, native_id: str) -> Given:
    """Return what a session was given and still has before it."""
    rows = conn.execute(_GIVEN, (host, native_id)).fetchall()
    facts = frozenset(fact for (fact,) in conn.execute(_FACTS, (host, native_id)))
    extra = frozenset(name for _, names in rows for name in orjson.loads(names))
    return Given(facts, frozenset(event for event, _ in rows), extra)


def rearm(conn: sqlite3.Connection, host: str, native_id: str) -> None:
    """Let a session be given everything anew: a compaction took it away, or it was resumed or cleared."""
    conn.execute(_REARM, (host, native_id))


def lost(conn: sqlite3.Connection, host: str, native_id: str) -> tuple[int, ...]:
    """Return the row ids of facts that a session was given and no longer has: used ones first, then those asked for."""
    return tuple(row[0] for row in conn.execute(_LOST, (host, native_id)))


def mark_used(conn: sqlite3.Connection, host: str, native_id: str, facts: Iterable[int], shown: str = "") -> None:
    """Note that a session made use of facts it was given."""
    conn.executemany(_USED, [(host, native_id, fact, shown or None) for fact in facts])


def stats(conn: sqlite3.Connection, since_ms: int = 0, project_id: int | None = None) -> tuple[InjectionStats, ...]:
    """Return how much was given since a time, by event."""
    rows = conn.execute(_STATS, (since_ms, project_id)).fetchall()
    return tuple(InjectionStats(*row[:4], *(counted or 0 for counted in row[4:])) for row in rows)


def recent(
    conn: sqlite3.Connection, *, project_id: int | None = None, session: str | None = None, limit: int = 20
) -> tuple[Entry, ...]:
    """Return the newest lines of the ledger, whole. `session` is a uid or a host's own id."""
    rows = conn.execute(_RECENT, (project_id, session, limit)).fetchall()
    facts: dict[int, list[InjectedFact]] = {}
    for injection, uid, title, score, used, shown in conn.execute(
        _FACTS_OF, (orjson.dumps([row[0] for row in rows]).decode(),)
    ):
        known = None if used is None else bool(used)
        facts.setdefault(injection, []).append(InjectedFact(uid, title, score, known, shown))
    return tuple(Entry(*(*row[:9], tuple(orjson.loads(row[9])), tuple(facts.get(row[0], ())))) for row in rows)


def unchecked(conn: sqlite3.Connection, since_ms: int = 0, limit: int = 100) -> tuple[tuple[int, int], ...]:
    """Return sessions (row id, revision) that were given facts since a time and have gone on since it was looked into.

    Live ones are left out.
    """
    return tuple(conn.execute(_UNCHECKED, (limit, since_ms)))


def handed(conn: sqlite3.Connection, session_id: int) -> tuple[Handed, ...]:
    """Return the facts that a session was given, in the order of time."""
    return tuple(
        Handed(injection, at, fact, None if used is None else bool(used))
        for injection, at, fact, used in conn.execute(_OF_SESSION, (session_id,))
    )


def judge(
    conn: sqlite3.Connection, session_id: int, revision: int, found: Mapping[tuple[int, int], str | None]
) -> None:
    """Write down what a session made of what it was given, up to a revision of it.

    `found` has, by injection and fact, what shows the use; None where nothing does.
    """
    rows = [(shown is not None, shown, *key) for key, shown in found.items()]
    conn.executemany(_JUDGE, rows)
    conn.execute(_CHECKED, (session_id, revision))


def record_of(conn: sqlite3.Connection, facts: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Return, by row id of a fact, how often it was given to sessions that are over, and how often they used it."""
    rows = conn.execute(_RECORD, (orjson.dumps(list(facts)).decode(),))
    return {fact: (times, used) for fact, times, used in rows}
