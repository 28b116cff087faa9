"""Search: what the full-text indexes find, best first; filters come before any cut.

Scoring is what costs (1 to 2 us a row), so no more rows are scored than can be in time. First come the rows
that hold a rare phrase of the query: bm25 puts them first anyway. Where those are too few, rows with common phrases
follow, the newest of them; among rows that share only words which stand everywhere, newest is as good as best.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from memd.adapter import Role, ToolKind
from memd.model import Fact, FactKind
from memd.store import spans
from memd.store.chosen import FACTS_CHOSEN, ChosenFacts
from memd.store.columns import SCALE, best_in_one, read, scored
from memd.store.fact_rows import load

_MESSAGES: Final = best_in_one(
    f"""
    SELECT messages_fts.rowid AS row, {scored("bm25(messages_fts)")} FROM messages_fts
    WHERE messages_fts MATCH ?1 AND messages_fts.rowid BETWEEN ?2 AND ?3
        AND (?4 IS NULL OR +messages_fts.rowid IN (
            SELECT m.id FROM sessions s JOIN messages m ON m.session_id = s.id WHERE s.project_id = ?4))
        AND (NOT ?5 OR EXISTS (
            SELECT 1 FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.id = messages_fts.rowid
                AND (?6 IS NULL OR m.session_id IN (SELECT id FROM sessions WHERE project_id = ?6))
                AND (?7 IS NULL OR m.session_id = ?7) AND (?8 IS NULL OR m.role = ?8)
                AND (?9 IS NULL OR m.at >= ?9) AND (?10 IS NULL OR m.at < ?10)
                AND (?12 IS NULL OR s.host = ?12) AND ?13 IS NULL AND ?14 IS NULL))
    ORDER BY messages_fts.rowid DESC LIMIT ?11
    """,  # noqa: S608 - constants
    "?15",
)
_CALL_SCORE: Final = scored("bm25(calls_fts)")
_NEWEST_CALLS: Final = f"""
    SELECT calls_fts.rowid AS row, {_CALL_SCORE} FROM calls_fts
    WHERE calls_fts MATCH ?1 AND calls_fts.rowid BETWEEN ?2 AND ?3
        AND (?4 IS NULL OR +calls_fts.rowid IN (
            SELECT t.id FROM sessions s JOIN tool_calls t ON t.session_id = s.id WHERE s.project_id = ?4))
        AND (NOT ?5 OR EXISTS (
            SELECT 1 FROM tool_calls t JOIN messages m ON m.id = t.message_id JOIN sessions s ON s.id = t.session_id
            WHERE t.id = calls_fts.rowid
                AND (?6 IS NULL OR t.session_id IN (SELECT id FROM sessions WHERE project_id = ?6))
                AND (?7 IS NULL OR t.session_id = ?7) AND (?8 IS NULL OR m.role = ?8)
                AND (?9 IS NULL OR m.at >= ?9) AND (?10 IS NULL OR m.at < ?10)
                AND (?12 IS NULL OR s.host = ?12) AND (?13 IS NULL OR t.ok = ?13)
                AND (?14 IS NULL OR t.kind IN (SELECT value FROM json_each(?14)))))
    ORDER BY calls_fts.rowid DESC LIMIT ?11
"""  # noqa: S608 - constants
_CALLS: Final = best_in_one(_NEWEST_CALLS, "?15")
_CALLS_PLAIN: Final = best_in_one(_NEWEST_CALLS.replace(_CALL_SCORE, f"{SCALE} AS score"), "?15")
_SESSION_OF: Final = """
    SELECT m.id, m.session_id FROM json_each(?) AS asked JOIN messages m ON m.id = asked.value
"""
# What an agent asked memd for (mcp__memd__search, memd_search, memd.search) is no answer to what is asked of memd.
_MESSAGE_OF: Final = """
    SELECT t.id, t.message_id FROM json_each(?) AS asked JOIN tool_calls t ON t.id = asked.value
    WHERE t.name NOT GLOB '*memd[_.]*'
"""
_FACTS: Final = best_in_one(
    f"""
    SELECT f.id AS row, {scored("bm25(facts_fts, 3.0, 1.0)")}
    FROM facts_fts CROSS JOIN facts f ON f.id = facts_fts.rowid
    WHERE facts_fts MATCH ?1 AND {FACTS_CHOSEN} AND (NOT ?7 OR f.origin != 'code')
    ORDER BY facts_fts.rowid DESC LIMIT ?6
    """,  # noqa: S608 - constants
    "?8",
)
_FREQUENCY: Final = "SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)"

_PHRASE: Final = re.compile(r'"(?:[^"]|"")*"\*?')
_RARE: Final = 2_000
"""Rows that a phrase may be in and still be called rare."""
_RARE_IN_ALL: Final = 8_000
"""Rows that all rare phrases of a query together may be in."""
_SCORED: Final = 5_000
"""Rows that are scored for one common phrase; of several it is fewer."""
_MANY: Final = 12
"""Phrases of a query above which those that are common do not count beside rare ones."""
_LEAST_FACTS: Final = 3
_LEAST_CALLS: Final = 4

Scored = tuple[int, float]
_Scorer = Callable[[str, int, int], list[Scored]]
"""Looks at so many of the newest rows that an expression finds, and returns so many of the best, best first."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look for messages and calls; None means anywhere. Times are those of messages, `until` not included."""

    project_id: int | None = None
    session_id: int | None = None
    role: Role | None = None
    since: int | None = None
    until: int | None = None
    host: str | None = None
    ok: bool | None = None
    """Of calls: only those that went well, or only those that failed."""
    call_kinds: tuple[ToolKind, ...] | None = None
    """Of calls: only those of these kinds."""


def messages(
    conn: sqlite3.Connection, match: str, where: Where | None = None, limit: int = 50
) -> list[tuple[int, int, float]]:
    """Return row ids of messages and their sessions with their scores, best first.

    `match` is an FTS5 expression as `memd.text.tokens.match_query` makes it, not empty. Scores are bm25 turned round:
    higher is better, and comparable within one answer only.
    """
    return _lookup(conn, _OF_MESSAGES, match, where or Where(), limit)


def calls(
    conn: sqlite3.Connection, match: str, where: Where | None = None, limit: int = 50
) -> list[tuple[int, int, float]]:
    """Return row ids of tool calls and the messages that made them with their scores, best first; as `messages`."""
    return _lookup(conn, _OF_CALLS, match, where or Where(), limit)


def facts(
    conn: sqlite3.Connection,
    match: str,
    project_id: int | None,
    limit: int = 50,
    *,
    kinds: Iterable[FactKind] | None = None,
    as_of: int | None = None,
    all_projects: bool = False,
    unasked: bool = False,
    topic: str | None = None,
    tag: str | None = None,
) -> list[tuple[Fact, float]]:
    """Return facts with their scores, best first: current ones, or with `as_of` those that held at that time.

    They are the project's and those that hold everywhere; with no project only the latter. Other projects' facts are
    given only when `all_projects` asks for them. `unasked`: without what only comments in the code say.
    """
    chosen = ChosenFacts(project_id, all_projects, None if kinds is None else tuple(kinds), as_of, topic, tag)

    def scored(expression: str, most: int, kept: int) -> list[Scored]:
        return _rows(conn, _FACTS, (expression, *chosen.values, most, unasked, kept))

    best = _best(conn, "facts_fts", match, limit, scored, _LEAST_FACTS)
    found = {fact.id: fact for fact in load(conn, [fact for fact, _ in best])}
    return [(found[fact], score) for fact, score in best]


@dataclass(frozen=True, slots=True)
class _Table:
    """An index with the statements that go with it."""

    name: str
    search: str
    belongs_to: str
    rows: spans.Table


_OF_MESSAGES: Final = _Table("messages_fts", _MESSAGES, _SESSION_OF, "messages")
_OF_CALLS: Final = _Table("calls_fts", _CALLS, _MESSAGE_OF, "tool_calls")


def _lookup(
    conn: sqlite3.Connection, table: _Table, match: str, where: Where, limit: int
) -> list[tuple[int, int, float]]:
    first, last, listed, looked_at = spans.to_search(conn, table.rows, where.session_id, where.project_id)
    singly = (looked_at, where.session_id, where.role, where.since, where.until)
    kinds = None if where.call_kinds is None else orjson.dumps(where.call_kinds).decode()
    others = (where.host, where.ok, kinds)
    look = any(value is not None for value in (*singly, *others))
    chosen = (first, last, listed, look, *singly)

    def scored(expression: str, most: int, kept: int) -> list[Scored]:
        return _rows(conn, table.search, (expression, *chosen, most, *others, kept))

    if table is _OF_CALLS:

        def plain(expression: str, most: int, kept: int) -> list[Scored]:
            return _rows(conn, _CALLS_PLAIN, (expression, *chosen, most, *others, kept))

        best = _best_of_many(conn, table.name, match, limit, scored, plain)
    else:
        best = _best(conn, table.name, match, limit, scored)
    home = dict(conn.execute(table.belongs_to, (orjson.dumps([row for row, _ in best]).decode(),)))
    return [(row, home[row], score) for row, score in best if row in home]


def _rows(conn: sqlite3.Connection, statement: str, parameters: Sequence[object]) -> list[Scored]:
    rows, scores = read(conn, statement, parameters)
    return [(row, score / SCALE) for row, score in zip(rows, scores, strict=True)]


def _best(
    conn: sqlite3.Connection, table: str, match: str, limit: int, scored: _Scorer, least: int = 1
) -> list[Scored]:
    """Return the best rows; `least` divides how many are looked at, for what need not be found so thoroughly."""
    phrases = tuple(dict.fromkeys(_PHRASE.findall(match)))
    rare = _rare(conn, table, phrases, least)
    found: dict[int, Scored] = {}
    if rare:
        anyhow = match
        if len(rare) < len(phrases):
            # Beside many others common phrases hardly count, but each row would be asked for each.
            anyhow = " OR ".join(rare) if len(phrases) > _MANY else f"({match}) AND ({' OR '.join(rare)})"
        found = {row[0]: row for row in scored(anyhow, _RARE_IN_ALL // least, limit)}
    if len(found) < limit and len(rare) < len(phrases):
        # As many more as are known already: these are given as they were scored beside what is rare.
        for row in scored(match, max(limit, _SCORED // min(len(phrases), 5) // least), limit + len(found)):
            found.setdefault(row[0], row)
    return sorted(found.values(), key=lambda row: (-row[1], -row[0]))[:limit]


def _best_of_many(
    conn: sqlite3.Connection, table: str, match: str, limit: int, scored: _Scorer, plain: _Scorer
) -> list[Scored]:
    """Return the best rows of an index that is large beside what is worth spending on it.

    bm25 counts the rows of each phrase in an expression, so common ones are left out of it; where there are no others,
    the newest rows that hold them all, or else any, are given as they come (`plain`).
    """
    phrases = tuple(dict.fromkeys(_PHRASE.findall(match)))
    rare = _rare(conn, table, phrases, _LEAST_CALLS)
    if rare:
        found = scored(" OR ".join(rare), _RARE_IN_ALL // _LEAST_CALLS, limit)
    else:
        found = plain(" AND ".join(phrases), limit, limit) or plain(" OR ".join(phrases), limit, limit)
    return sorted(found, key=lambda row: (-row[1], -row[0]))[:limit]


def _rare(conn: sqlite3.Connection, table: str, phrases: Sequence[str], least: int) -> list[str]:
    """Return the phrases that few rows have, the rarest first; counted only up to just above what is rare.

    A pasted text has so many phrases that the rarest of them decide.
    """
    most, in_all = (_RARE, _RARE_IN_ALL) if len(phrases) <= _MANY else (_RARE // 4, _RARE_IN_ALL // 2)
    sql = _FREQUENCY.format(table=table)
    frequencies = sorted((conn.execute(sql, (phrase, most + 1)).fetchone()[0], phrase) for phrase in phrases)
    rare, total = [], 0
    for rows, phrase in frequencies:
        total += rows
        if rows > most or total > in_all // least:
            break
        rare.append(phrase)
    return rare
