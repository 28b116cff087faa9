"""Claims: what sessions and persons say, as it was said, with what each is to the others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from memd.model import Candidate, Claim, Evidence, FactPart, LinkKind

_COLUMNS: Final = (
    "c.id, c.session_id, c.project_id, c.fact_id, c.kind, c.title, c.body, c.parts, c.tags, c.slot, c.confidence, c.at,"
    " c.words, c.identifiers"
)
_INSERT: Final = """
    INSERT INTO claims (session_id, project_id, fact_id, kind, title, body, slot, parts, tags, confidence, at, words,
        identifiers)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""
_ADD_TERM: Final = "INSERT OR IGNORE INTO claim_terms (term, role, claim_id) VALUES (?, ?, ?)"
_ADD_LINK: Final = """
    INSERT OR IGNORE INTO claim_links (one, other, kind)
    SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM claims WHERE id = ?1) AND EXISTS (SELECT 1 FROM claims WHERE id = ?2)
"""
_SET_LINK: Final = "INSERT OR REPLACE INTO claim_links (one, other, kind) VALUES (?, ?, ?)"
_OF_SESSION: Final = f"SELECT {_COLUMNS} FROM claims c WHERE c.session_id = ? ORDER BY c.id"  # noqa: S608 - constant
_OF_FACT: Final = f"SELECT {_COLUMNS} FROM claims c WHERE c.fact_id = ? ORDER BY c.id"  # noqa: S608 - constant
_BY_IDS: Final = f"""
    SELECT {_COLUMNS} FROM json_each(?) AS asked JOIN claims c ON c.id = asked.value ORDER BY c.id
"""  # noqa: S608 - constant columns
_NEAR: Final = f"""
    SELECT {_COLUMNS} FROM claims c WHERE c.project_id IS ?1 AND c.id > ?4 AND c.id IN (
        SELECT id FROM claims WHERE project_id IS ?1 AND slot = ?2
        UNION SELECT t.claim_id FROM json_each(?3) AS asked JOIN claim_terms t
            ON t.term = asked.value ->> 0 AND t.role = asked.value ->> 1)
    ORDER BY c.id
"""  # noqa: S608 - constant columns
_COMPONENT: Final = """
    WITH RECURSIVE reached (id) AS (
        SELECT value FROM json_each(?)
        UNION SELECT l.other FROM reached r JOIN claim_links l ON l.one = r.id
        UNION SELECT l.one FROM reached r JOIN claim_links l ON l.other = r.id
    ) SELECT id FROM reached
"""
_LINKS: Final = """
    SELECT l.one, l.other, l.kind FROM json_each(?) AS asked JOIN claim_links l ON l.one = asked.value
"""
_NEIGHBOURS: Final = """
    SELECT other FROM claim_links WHERE one IN (SELECT value FROM json_each(?1))
    UNION SELECT one FROM claim_links WHERE other IN (SELECT value FROM json_each(?1))
"""
_DELETE: Final = "DELETE FROM claims WHERE id = ?"
_BIND: Final = "UPDATE claims SET fact_id = ? WHERE id = ?"
_RENEW: Final = "UPDATE claims SET confidence = ?, at = ?, parts = ?, tags = ? WHERE id = ?"
_NEWEST: Final = "SELECT ifnull(max(id), 0) FROM claims"
_COPY: Final = """
    INSERT INTO claims (session_id, project_id, fact_id, kind, title, body, slot, parts, tags, confidence, at, words,
        identifiers)
    SELECT NULL, project_id, fact_id, kind, title, body, slot, parts, tags, confidence, at, words, identifiers
    FROM claims WHERE id = ? RETURNING id
"""
_COPY_TERMS: Final = """
    INSERT INTO claim_terms (term, role, claim_id) SELECT term, role, ?2 FROM claim_terms WHERE claim_id = ?1
"""
_COPY_LINKS: Final = """
    INSERT OR IGNORE INTO claim_links (one, other, kind)
    SELECT min(x, ?2), max(x, ?2), CASE WHEN (x < ?1) = (x < ?2) THEN kind
        WHEN kind = 'undoes' THEN 'undone' WHEN kind = 'undone' THEN 'undoes' ELSE kind END
    FROM (SELECT other AS x, kind FROM claim_links WHERE one = ?1 UNION ALL
        SELECT one AS x, kind FROM claim_links WHERE other = ?1)
"""
_GIVE: Final = "UPDATE OR IGNORE claims SET project_id = ? WHERE project_id = ?"
_FORGET_EVIDENCE: Final = "DELETE FROM evidence WHERE claim_id = ?"
_ADD_EVIDENCE: Final = """
    INSERT INTO evidence (fact_id, message_id, session_id, claim_id, quote, at) VALUES (?, ?, ?, ?, ?, ?)
"""
_MOVE_EVIDENCE: Final = "UPDATE evidence SET fact_id = ?1 WHERE claim_id = ?2 AND fact_id != ?1"
_HAS: Final = "SELECT message_id, session_id, quote, at FROM evidence WHERE claim_id = ? ORDER BY id"
_FORGET_UNCLAIMED: Final = """
    DELETE FROM evidence WHERE session_id = ? AND claim_id IS NULL
        AND fact_id IN (SELECT id FROM facts WHERE origin = 'distill') RETURNING fact_id
"""


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim to be stored. `terms` are those it is found by, each with its role (word, key, undone)."""

    candidate: Candidate
    project: int | None
    words: int
    identifiers: frozenset[str]
    terms: frozenset[tuple[str, str]]


def add(conn: sqlite3.Connection, new: NewClaim, session_id: int | None, fact_id: int | None = None) -> int:
    """Store a claim and return its row id."""
    said = new.candidate
    values = (
        session_id, new.project, fact_id, said.kind, said.title, said.body, said.slot, _parts(said.parts),
        _texts(said.tags), said.confidence, said.at, new.words, _texts(sorted(new.identifiers)),
    )  # fmt: skip
    claim = int(conn.execute(_INSERT, values).fetchone()[0])
    conn.executemany(_ADD_TERM, [(term, role, claim) for term, role in new.terms])
    return claim


def add_links(conn: sqlite3.Connection, links: Iterable[tuple[int, int, LinkKind]]) -> None:
    """Keep what claims are to each other, each pair with the smaller id first; pairs with one that is gone are not."""
    conn.executemany(_ADD_LINK, links)


def set_link(conn: sqlite3.Connection, one: int, other: int, kind: LinkKind) -> None:
    """Let two claims be something else to each other than comparing them said; the smaller id comes first."""
    conn.execute(_SET_LINK, (one, other, kind))


def renew(conn: sqlite3.Connection, claim: int, said: Candidate) -> None:
    """Let a claim that is said in the same words have another confidence, time, parts and tags."""
    conn.execute(_RENEW, (said.confidence, said.at, _parts(said.parts), _texts(said.tags), claim))


def remove(conn: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove claims with their evidence."""
    rows = [(claim,) for claim in ids]
    conn.executemany(_FORGET_EVIDENCE, rows)
    conn.executemany(_DELETE, rows)


def of_session(conn: sqlite3.Connection, session_id: int) -> tuple[Claim, ...]:
    """Return what a session says."""
    return _claims(conn.execute(_OF_SESSION, (session_id,)))


def of_fact(conn: sqlite3.Connection, fact_id: int) -> tuple[Claim, ...]:
    """Return the claims that a fact is made of."""
    return _claims(conn.execute(_OF_FACT, (fact_id,)))


def load(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[Claim, ...]:
    """Return the claims of row ids, those that there are."""
    return _claims(conn.execute(_BY_IDS, (_ids(ids),)))


def near(
    conn: sqlite3.Connection,
    project_id: int | None,
    slot: str | None,
    terms: Iterable[tuple[str, str]],
    after: int = 0,
) -> tuple[Claim, ...]:
    """Return all claims of a project (None: of what holds everywhere) that may be linked to a statement, oldest first.

    `terms`: those the statement is found by. `after`: only claims with a greater row id.
    """
    asked = []
    for term, role in terms:
        if role == "word":
            asked += [(term, "key"), (term, "undone")]
        else:
            asked.append((term, "word"))
    return _claims(conn.execute(_NEAR, (project_id, slot, orjson.dumps(sorted(set(asked))).decode(), after)))


def newest(conn: sqlite3.Connection) -> int:
    """Return the greatest row id."""
    return int(conn.execute(_NEWEST).fetchone()[0])


def neighbours(conn: sqlite3.Connection, ids: Iterable[int]) -> set[int]:
    """Return the row ids of the claims that are linked to any of some."""
    return {claim for (claim,) in conn.execute(_NEIGHBOURS, (_ids(ids),))}


def component(
    conn: sqlite3.Connection, ids: Iterable[int]
) -> tuple[tuple[Claim, ...], dict[tuple[int, int], LinkKind]]:
    """Return all claims that chains of links reach from some, these included, and the links among them."""
    reached = [claim for (claim,) in conn.execute(_COMPONENT, (_ids(ids),))]
    links = {(one, other): kind for one, other, kind in conn.execute(_LINKS, (_ids(reached),))}
    return load(conn, reached), links


def bind(conn: sqlite3.Connection, claim: int, fact_id: int) -> None:
    """Let a claim, with its evidence, be part of a fact."""
    conn.execute(_BIND, (fact_id, claim))
    conn.execute(_MOVE_EVIDENCE, (fact_id, claim))


def set_evidence(conn: sqlite3.Connection, claim: int, fact_id: int, evidence: Iterable[Evidence]) -> None:
    """Let a claim of a fact rest on just this."""
    rows = [(one.message or None, one.session or None, one.quote, one.at) for one in evidence]
    if conn.execute(_HAS, (claim,)).fetchall() != rows:
        conn.execute(_FORGET_EVIDENCE, (claim,))
        conn.executemany(_ADD_EVIDENCE, [(fact_id, *row[:2], claim, *row[2:]) for row in rows])


def copy_for_person(conn: sqlite3.Connection, claim: int) -> int:
    """Store a claim once more as a person's, linked to all that it is linked to, and return its row id."""
    copy = int(conn.execute(_COPY, (claim,)).fetchone()[0])
    conn.execute(_COPY_TERMS, (claim, copy))
    conn.execute(_COPY_LINKS, (claim, copy))
    conn.execute(_ADD_LINK, (min(claim, copy), max(claim, copy), "same"))
    return copy


def give(conn: sqlite3.Connection, project_id: int, *, to: int) -> None:
    """Let a project's claims be another one's."""
    conn.execute(_GIVE, (to, project_id))


def forget_unclaimed_evidence(conn: sqlite3.Connection, session_id: int) -> set[int]:
    """Remove a session's evidence for distilled facts that no claim brought, from before there were claims.

    Returns the row ids of the facts that had it.
    """
    return {fact for (fact,) in conn.execute(_FORGET_UNCLAIMED, (session_id,)).fetchall()}


def _claims(rows: Iterable[tuple[Any, ...]]) -> tuple[Claim, ...]:
    return tuple(_claim(*row) for row in rows)


def _claim(
    claim: int, session: int | None, project: int | None, fact: int | None, kind: str, title: str, body: str,
    parts: str, tags: str, slot: str | None, confidence: float, at: int | None, words: int, identifiers: str,
) -> Claim:  # fmt: skip
    return Claim(
        claim, session, project, fact, kind, title, body,  # type: ignore[arg-type]
        tuple(FactPart(name, text) for name, text in orjson.loads(parts)), tuple(orjson.loads(tags)), slot, confidence,
        at, words, frozenset(orjson.loads(identifiers)),
    )  # fmt: skip


def _parts(parts: Iterable[FactPart]) -> str:
    return orjson.dumps([(part.name, part.text) for part in parts]).decode()


def _texts(texts: Iterable[str]) -> str:
    return orjson.dumps(list(texts)).decode()


def _ids(ids: Iterable[int]) -> str:
    return orjson.dumps(list(ids)).decode()
