"""Statements: gone through one by one, for rules of comparing that changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, cast

import orjson

from memd.model import Candidate, FactKind, FactPart, LinkKind

_AFTER: Final = """
    SELECT id, project_id, kind, title, body, slot, parts, features FROM statements WHERE id > ? ORDER BY id LIMIT ?
"""
_WRITE: Final = "UPDATE statements SET words = ?, identifiers = ?, features = ? WHERE id = ?"
_TERMS: Final = "SELECT term, role FROM statement_terms WHERE statement_id = ?"
_FORGET_TERM: Final = "DELETE FROM statement_terms WHERE term = ? AND role = ? AND statement_id = ?"
_ADD_TERM: Final = """
    INSERT OR IGNORE INTO statement_terms (term, role, statement_id)
    SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM statements WHERE id = ?3)
"""
# What a person folded together stays so, whatever comparing says.
_LINKS: Final = """
    SELECT l.one, l.kind, l.kind = 'same' AND EXISTS (
        SELECT 1 FROM claims a JOIN claims b ON b.fact_id = a.fact_id
        WHERE a.statement_id = l.one AND b.statement_id = l.other AND EXISTS (
            SELECT 1 FROM claims p WHERE p.fact_id = a.fact_id AND p.session_id IS NULL))
    FROM statement_links l WHERE l.other = ?
"""
_FORGET_LINK: Final = "DELETE FROM statement_links WHERE one = ? AND other = ?"
_SET_LINK: Final = """
    INSERT OR REPLACE INTO statement_links (one, other, kind) SELECT ?1, ?2, ?3
    WHERE EXISTS (SELECT 1 FROM statements WHERE id = ?1) AND EXISTS (SELECT 1 FROM statements WHERE id = ?2)
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it was made, and the JSON of what it is compared by."""

    id: int
    project: int | None
    said: Candidate
    features: str


@dataclass(frozen=True, slots=True)
class Compared:
    """A statement as it is compared by the rules of now. `terms`: those it is found by, each with its role."""

    id: int
    words: int
    identifiers: frozenset[str]
    terms: frozenset[tuple[str, str]]
    features: bytes


def after(conn: sqlite3.Connection, statement: int, limit: int) -> tuple[Statement, ...]:
    """Return the statements that follow one, in their order."""
    return tuple(_statement(*row) for row in conn.execute(_AFTER, (statement, limit)))


def rewrite(conn: sqlite3.Connection, now: Iterable[Compared]) -> None:
    """Let statements be compared, and found, by something else."""
    for one in now:
        identifiers = orjson.dumps(sorted(one.identifiers)).decode()
        if not conn.execute(_WRITE, (one.words, identifiers, one.features.decode(), one.id)).rowcount:
            continue
        # What was compared with nothing yet, as its project was made one with another, is found from here on as well.
        known = {(term, role) for term, role in conn.execute(_TERMS, (one.id,))}
        conn.executemany(_FORGET_TERM, [(*term, one.id) for term in known - one.terms])
        conn.executemany(_ADD_TERM, [(*term, one.id) for term in one.terms - known])


def relink(conn: sqlite3.Connection, statement: int, links: dict[int, LinkKind]) -> bool:
    """Let a statement be just this to earlier ones (by row id); return whether that changed anything."""
    known = {other: (kind, by_hand) for other, kind, by_hand in conn.execute(_LINKS, (statement,)).fetchall()}
    kept = {other for other, (_, by_hand) in known.items() if by_hand}
    gone = [other for other in known if other not in links and other not in kept]
    new = {
        other: kind
        for other, kind in links.items()
        if other not in kept and (other not in known or known[other][0] != kind)
    }
    conn.executemany(_FORGET_LINK, [(other, statement) for other in gone])
    conn.executemany(_SET_LINK, [(other, statement, kind) for other, kind in new.items()])
    return bool(gone or new)


def _statement(
    row: int, project: int | None, kind: str, title: str, body: str, slot: str | None, parts: str, features: str
) -> Statement:
    told = tuple(FactPart(name, text) for name, text in orjson.loads(parts))
    return Statement(
        row, project, Candidate(cast("FactKind", kind), title, body, told, (), 1.0, None, slot=slot), features
    )
