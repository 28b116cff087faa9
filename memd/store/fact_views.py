"""Fact views: a fact at another time, in other versions, and among what was learnt around it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from memd.model import Fact, PartName
from memd.store import facts
from memd.store.fact_changes import history
from memd.store.fact_rows import load
from memd.store.validity import fact_then
from memd.text.tokens import match_query

# What was taken back is no part of what was learnt, unless it held at the time that is asked for.
_LEARNT: Final = "(f.status != 'retracted' OR ifnull(f.valid_to > ?7, 0)) AND (?7 IS NULL OR f.valid_from <= ?7)"
_BEFORE: Final = f"""
    SELECT f.id FROM facts f WHERE (f.valid_from, f.id) < (?1, ?2) AND {_LEARNT}
        AND f.project_id IS ?3 AND (NOT ?4 OR f.session_id IS ?5) ORDER BY f.valid_from DESC, f.id DESC LIMIT ?6
"""  # noqa: S608 - constant text
_AFTER: Final = f"""
    SELECT f.id FROM facts f WHERE (f.valid_from, f.id) > (?1, ?2) AND {_LEARNT}
        AND f.project_id IS ?3 AND (NOT ?4 OR f.session_id IS ?5) ORDER BY f.valid_from, f.id LIMIT ?6
"""  # noqa: S608 - constant text
# What a fact took the place of, and what that had, the nearest first; a chain that a merge closed ends where it began.
_REPLACED: Final = """
    WITH RECURSIVE chain (id, steps) AS (
        SELECT id, 1 FROM facts WHERE superseded_by = ?1
        UNION SELECT f.id, c.steps + 1 FROM chain c JOIN facts f ON f.superseded_by = c.id WHERE c.steps < ?3
    ) SELECT c.id FROM chain c JOIN facts f ON f.id = c.id WHERE c.id != ?1
    GROUP BY c.id ORDER BY min(c.steps), f.valid_from DESC, c.id DESC LIMIT ?2
"""
_REPLACING: Final = """
    WITH RECURSIVE chain (id, steps) AS (
        SELECT superseded_by, 1 FROM facts WHERE id = ?1 AND superseded_by IS NOT NULL
        UNION SELECT f.superseded_by, c.steps + 1 FROM chain c JOIN facts f ON f.id = c.id
        WHERE f.superseded_by IS NOT NULL AND c.steps < ?3
    ) SELECT id FROM chain WHERE id != ?1 GROUP BY id ORDER BY min(steps) LIMIT ?2
"""
_LONGEST: Final = 1000
_SESSION: Final = "SELECT session_id FROM facts WHERE id = ?"
_PARTS: Final = f"""
    SELECT f.id, p.text FROM fact_parts p JOIN facts f ON f.id = p.fact_id
    WHERE p.name = ?2 AND {fact_then("f", "?5")}
        AND (?1 IS NULL OR f.project_id = ?1 OR f.project_id IS NULL)
        AND (?3 = '' OR f.id IN (SELECT rowid FROM facts_fts WHERE facts_fts MATCH ?3))
    ORDER BY f.valid_from DESC, f.id DESC, p.ord LIMIT ?4
"""  # noqa: S608 - constant text


@dataclass(frozen=True, slots=True)
class Version:
    """One text that a fact had. `until` and `reason` say when and why the next one took its place."""

    version: int
    title: str
    body: str
    until: int | None
    reason: str | None


def versions(conn: sqlite3.Connection, fact_id: int) -> tuple[Version, ...]:
    """Return every text that a fact had, oldest first; the last one is what it says now."""
    (fact,) = load(conn, (fact_id,))
    lines = history(conn, fact_id)
    reworded = [change for change in lines if change.action == "UPDATE" and change.old_body is not None]
    texts = [(change.old_title or "", change.old_body or "") for change in reworded] + [(fact.title, fact.body)]
    found: list[Version] = []
    for at, (title, body) in enumerate(texts):
        if at < len(reworded) and texts[at + 1] == (title, body):
            continue  # tags, parts or the kind alone were changed
        until, reason = (reworded[at].at, reworded[at].reason) if at < len(reworded) else (None, None)
        found.append(Version(len(found) + 1, title, body, until, reason))
    return tuple(found)


def as_of(conn: sqlite3.Connection, fact: Fact, at_ms: int) -> Fact:
    """Return a fact as it stood at a time: its words then, and whether it held."""
    then = next((one for one in versions(conn, fact.id) if one.until is None or one.until > at_ms), None)
    words = fact if then is None else replace(fact, title=then.title, body=then.body, revision=then.version)
    if fact.held_at(at_ms):
        return replace(words, status="current", valid_to=None, superseded_by=None)
    return words


def titles(conn: sqlite3.Connection, uids: Iterable[str], at_ms: int | None = None) -> dict[str, str]:
    """Return the titles of facts by uid, those of now or of a time."""
    known = facts.titles(conn, uids)
    if at_ms is None:
        return known
    return {uid: as_of(conn, facts.find(conn, uid), at_ms).title for uid in known}


def around(
    conn: sqlite3.Connection, fact: Fact, before: int, after: int, *, same_session: bool, as_of: int | None = None
) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Return what was learnt before and after a fact in its session or project, both in the order of time.

    `as_of`: what had been learnt by a time.
    """
    (session,) = conn.execute(_SESSION, (fact.id,)).fetchone()
    of = (fact.valid_from, fact.id, fact.project.id if fact.project else None, same_session, session)
    earlier = [row[0] for row in conn.execute(_BEFORE, (*of, before, as_of))]
    later = [row[0] for row in conn.execute(_AFTER, (*of, after, as_of))]
    return load(conn, reversed(earlier)), load(conn, later)


def lineage(conn: sqlite3.Connection, fact: Fact, before: int, after: int) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """Return what a fact took the place of and what took its place, step by step, both in the order of time."""
    earlier = [row[0] for row in conn.execute(_REPLACED, (fact.id, before, _LONGEST))]
    later = [row[0] for row in conn.execute(_REPLACING, (fact.id, after, _LONGEST))]
    return load(conn, reversed(earlier)), load(conn, later)


def parts(
    conn: sqlite3.Connection,
    project_id: int | None,
    name: PartName,
    about: str,
    limit: int,
    *,
    as_of: int | None = None,
) -> tuple[tuple[Fact, str], ...]:
    """Return parts of a name of the facts that hold, or held at a time, with their facts.

    `about`: only facts with such words.
    """
    match = match_query(about) if about else ""
    if about and not match:
        return ()
    rows = conn.execute(_PARTS, (project_id, name, match, limit, as_of)).fetchall()
    known = {fact.id: fact for fact in load(conn, dict.fromkeys(row[0] for row in rows))}
    return tuple((known[fact], text) for fact, text in rows)
