"""Fact marks: what is noted of facts beside their words: rulings, ratings, staleness, contradictions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from memd.model import FactBasis, Ruling
from memd.store import fact_changes, fact_rows
from memd.store.validity import fact_then

Change: TypeAlias = Literal["changed", "removed", "renamed"]
Verdict: TypeAlias = Literal["one", "other", "both", "neither"]

_RULE: Final = "UPDATE facts SET ruling = ? WHERE id = ?"
_HELPFUL: Final = "UPDATE facts SET helpful = helpful + 1 WHERE id = ?"
_UNHELPFUL: Final = "UPDATE facts SET unhelpful = unhelpful + 1 WHERE id = ?"
_EVERGREEN: Final = "UPDATE facts SET evergreen = ? WHERE id = ?"
_BASIS: Final = "UPDATE facts SET basis = ?, confidence = ?, updated_at = ? WHERE id = ?"
_OWN: Final = "UPDATE facts SET origin = 'user', session_id = NULL WHERE id = ?"
_REPEATED: Final = "UPDATE facts SET repeats = repeats + 1, last_seen_at = ? WHERE id = ?"
_PROMOTED: Final = "UPDATE facts SET promoted_at = ?1, verified_at = ?1, uses = max(uses, ?2) WHERE id = ?3"
_SET: Final[Mapping[str, str]] = {
    name: f"UPDATE facts SET {name} = ? WHERE id = ?"  # noqa: S608 - constant names
    for name in ("topic", "epistemic", "visibility", "author", "domain", "metadata", "kind")
}
_STALE: Final = f"""
    SELECT y.fact_id, y.name, y.change, y.detail, y.at, s.uid FROM stale_facts y JOIN facts f ON f.id = y.fact_id
    LEFT JOIN sessions s ON s.id = y.session_id
    WHERE {fact_then("f", "?2")} AND ifnull(y.at <= ?2, 1)
        AND (?1 IS NULL OR f.project_id = ?1) ORDER BY y.at DESC, y.fact_id, y.name
"""  # noqa: S608 - constant text
_MARK_STALE: Final = """
    INSERT INTO stale_facts (fact_id, name, change, at, session_id, detail)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM facts WHERE id = ?1)
    ON CONFLICT (fact_id, name) DO UPDATE SET change = excluded.change, at = excluded.at,
        session_id = excluded.session_id, detail = excluded.detail WHERE excluded.at >= stale_facts.at
"""
_NOT_STALE: Final = "DELETE FROM stale_facts WHERE fact_id = ?"
_FORGET_MARKS: Final = "DELETE FROM stale_facts WHERE session_id = ?"
_CONTRADICTIONS: Final = """
    SELECT c.one, c.other, c.reason, c.found_at, c.verdict, c.why FROM contradictions c
    JOIN facts a ON a.id = c.one JOIN facts b ON b.id = c.other
    WHERE CASE WHEN ?3 IS NULL THEN ?2 OR (c.verdict IS NULL AND a.status = 'current' AND b.status = 'current')
            ELSE c.found_at <= ?3 AND (?2 OR c.ruled_at > ?3 OR (c.verdict IS NULL
                AND ifnull(a.valid_to > ?3, 1) AND ifnull(b.valid_to > ?3, 1))) END
        AND (?1 IS NULL OR a.project_id = ?1) ORDER BY c.found_at DESC, c.one, c.other
"""
_RULED_BY: Final = "SELECT 1 FROM contradictions WHERE one = ? AND other = ? AND ruled_at <= ?"
_OPPONENTS: Final = """
    SELECT b.uid, c.found_at FROM contradictions c JOIN facts a ON a.id = ?1 AND a.status = 'current'
    JOIN facts b ON b.id = c.one + c.other - ?1 AND b.status = 'current'
    WHERE c.verdict IS NULL AND (c.one = ?1 OR c.other = ?1) ORDER BY b.id
"""
_DECIDE: Final = """
    INSERT INTO contradictions (one, other, reason, found_at, verdict, ruled_at, why)
    VALUES (?1, ?2, ?5, ?4, ?3, ?4, ?5)
    ON CONFLICT (one, other) DO UPDATE SET verdict = excluded.verdict, ruled_at = excluded.ruled_at, why = excluded.why
"""
_NAMING: Final = """
    SELECT f.id FROM facts f WHERE f.status = 'current' AND f.project_id = ?1 AND f.valid_from < ?2
        AND (f.verified_at IS NULL OR f.verified_at < ?2) AND f.origin != 'code'
        AND f.id IN (SELECT rowid FROM facts_fts WHERE facts_fts MATCH ?3)
        AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fact_id = f.id AND e.session_id = ?4)
"""
_LATER: Final = """
    SELECT c.path, c.op, max(c.at), c.session_id, count(*)
    FROM sessions s JOIN file_changes c ON c.session_id = s.id
    WHERE s.project_id = ?1 AND s.last_at > ?2 AND c.op != 'create' AND c.at > ?2 GROUP BY c.path, c.session_id
    ORDER BY max(c.at)
"""
_SWAPPED: Final[Mapping[Verdict, Verdict]] = {"one": "other", "other": "one"}
_OPS: Final[Mapping[str, Change]] = {"update": "changed", "delete": "removed", "rename": "renamed"}


@dataclass(frozen=True, slots=True)
class Stale:
    """A fact (row id) that names something which was changed since; `session` is the uid of the session that did it."""

    fact: int
    name: str
    change: Change
    detail: str
    at: int
    session: str | None


@dataclass(frozen=True, slots=True)
class Later:
    """A file that a session (row id) changed."""

    name: str
    change: Change
    at: int
    session: int
    detail: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two facts (row ids) that cannot both hold."""

    one: int
    other: int
    reason: str
    found_at: int
    verdict: Verdict | None
    why: str | None


def rule(conn: sqlite3.Connection, fact_id: int, ruling: Ruling | None) -> None:
    """Keep what a person said of whether a fact holds."""
    conn.execute(_RULE, (ruling, fact_id))


def rate(conn: sqlite3.Connection, fact_id: int, helpful: bool, now_ms: int, reason: str) -> None:
    """Count that a fact was of help, or of none."""
    conn.execute(_HELPFUL if helpful else _UNHELPFUL, (fact_id,))
    fact_changes.note(conn, fact_id, now_ms, "RATE", reason)


def set_evergreen(conn: sqlite3.Connection, fact_id: int, evergreen: bool, now_ms: int, reason: str) -> None:
    """Let a fact lose no weight by age, or lose it again."""
    conn.execute(_EVERGREEN, (evergreen, fact_id))
    fact_changes.note(conn, fact_id, now_ms, "UPDATE", reason)


def set_field(conn: sqlite3.Connection, fact_id: int, name: str, value: str | None) -> None:
    """Set topic, epistemic, visibility, author, domain, metadata or kind of a fact."""
    conn.execute(_SET[name], (value, fact_id))


def set_basis(conn: sqlite3.Connection, fact_id: int, basis: FactBasis, confidence: float, now_ms: int) -> None:
    """Set what a fact rests on and how sure it is, 0 to 1."""
    conn.execute(_BASIS, (basis, confidence, now_ms, fact_id))


def told_by_hand(conn: sqlite3.Connection, fact_id: int, now_ms: int, reason: str) -> None:
    """Let a fact count as told to memd itself, and no longer as learnt in a session."""
    conn.execute(_OWN, (fact_id,))
    fact_changes.note(conn, fact_id, now_ms, "UPDATE", reason)


def repeated(conn: sqlite3.Connection, fact_id: int, now_ms: int) -> None:
    """Count that what a fact says was saved again."""
    conn.execute(_REPEATED, (now_ms, fact_id))


def promoted(conn: sqlite3.Connection, fact_id: int, at: int, uses: int, reason: str) -> None:
    """Note that a fact was promoted and thereby checked, and count at least so many uses for it."""
    conn.execute(_PROMOTED, (at, uses, fact_id))
    fact_changes.note(conn, fact_id, at, "PROMOTE", reason)


def stale(conn: sqlite3.Connection, project_id: int | None, *, as_of: int | None = None) -> tuple[Stale, ...]:
    """Return the marks of facts that hold, in one project or all, what changed last first.

    `as_of`: of those that held at a time, what had changed for the last time by then.
    """
    return tuple(Stale(*row) for row in conn.execute(_STALE, (project_id, as_of)))


def mark_stale(
    conn: sqlite3.Connection, fact_id: int, name: str, change: Change, at: int, session_id: int | None, detail: str
) -> None:
    """Note that something a fact names was changed, in a session where that is known.

    The latest change stays; a fact that is gone has none.
    """
    conn.execute(_MARK_STALE, (fact_id, name, change, at, session_id, detail))


def not_stale(conn: sqlite3.Connection, fact_id: int) -> None:
    """Remove the marks of a fact, because somebody checked it."""
    conn.execute(_NOT_STALE, (fact_id,))


def forget_marks(conn: sqlite3.Connection, session_id: int) -> None:
    """Remove the marks that a session made, because it is read anew."""
    conn.execute(_FORGET_MARKS, (session_id,))


def naming(
    conn: sqlite3.Connection, project_id: int, before: int, match: str, *, not_from: int | None = None
) -> tuple[int, ...]:
    """Return a project's facts that hold, were learnt or checked before a time and have words that match.

    `not_from`: those that this session says as well are left out.
    """
    return tuple(fact for (fact,) in conn.execute(_NAMING, (project_id, before, match, not_from)))


def later_changes(conn: sqlite3.Connection, project_id: int, after: int) -> tuple[Later, ...]:
    """Return how a project's sessions changed files after a time, the last change of each last."""
    return tuple(
        Later(path, _OPS[op], last, session, f"{count} edit{'' if count == 1 else 's'}" if op == "update" else f"{op}d")
        for path, op, last, session, count in conn.execute(_LATER, (project_id, after))
    )


def contradictions(
    conn: sqlite3.Connection, project_id: int | None, *, decided: bool, as_of: int | None = None
) -> tuple[Contradiction, ...]:
    """Return contradictions in one project or all, those that were decided only if asked for, the newest first.

    `as_of`: those that were known at a time, and what had been decided by then.
    """
    found = (Contradiction(*row) for row in conn.execute(_CONTRADICTIONS, (project_id, decided, as_of)))
    if as_of is None:
        return tuple(found)
    return tuple(one if _decided_by(conn, one, as_of) else replace(one, verdict=None, why=None) for one in found)


def _decided_by(conn: sqlite3.Connection, found: Contradiction, at: int) -> bool:
    return conn.execute(_RULED_BY, (found.one, found.other, at)).fetchone() is not None


def opponents(conn: sqlite3.Connection, fact_id: int) -> tuple[tuple[str, int], ...]:
    """Return the uids of facts that hold and that a fact which holds contradicts, undecided so far, and since when."""
    return tuple(conn.execute(_OPPONENTS, (fact_id,)).fetchall())


def decide(conn: sqlite3.Connection, one: int, other: int, verdict: Verdict, now_ms: int, why: str) -> None:
    """Keep which of two facts holds: the first, the second, both or neither."""
    if one > other:
        one, other, verdict = other, one, _SWAPPED.get(verdict, verdict)
    conn.execute(_DECIDE, (one, other, verdict, now_ms, why))


def swapped(verdict: Verdict | None) -> Verdict | None:
    """Return a verdict on two facts as that on the same two in the other order."""
    return None if verdict is None else _SWAPPED.get(verdict, verdict)


def texts(conn: sqlite3.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return all that facts of row ids say."""
    return {
        fact.id: "\n".join((fact.title, fact.body, *(part.text for part in fact.parts)))
        for fact in fact_rows.load(conn, ids)
    }
