"""Claims: who states what and when, as it was stated, with what each statement is to the others."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

from memd.model import Candidate, Claim, Evidence, FactPart, LinkKind

_COLUMNS: Final = (
    "c.id, c.statement_id, c.session_id, s.project_id, c.fact_id, s.kind, s.title, s.body, s.parts, c.tags, s.slot,"
    " c.confidence, c.at, s.words, s.identifiers"
)
_FROM: Final = "FROM claims c JOIN statements s ON s.id = c.statement_id"
_KNOWN: Final = """
    SELECT id, EXISTS (SELECT 1 FROM statement_terms t WHERE t.statement_id = statements.id) FROM statements
    WHERE ifnull(project_id, 0) = ifnull(?, 0) AND digest = ?
"""
# Claims of statements that the other project has as well become claims of those.
_GIVE_CLAIMS: Final = """
    UPDATE claims SET statement_id = (SELECT t.id FROM statements o JOIN statements t ON t.digest = o.digest
        WHERE o.id = claims.statement_id AND t.project_id = ?2)
    WHERE statement_id IN (SELECT o.id FROM statements o JOIN statements t ON t.digest = o.digest
        WHERE o.project_id = ?1 AND t.project_id = ?2)
"""
_GIVE_STATEMENTS: Final = "UPDATE OR IGNORE statements SET project_id = ?2 WHERE project_id = ?1 RETURNING id"
_FORGET_TERMS: Final = """
    DELETE FROM statement_terms WHERE statement_id = ?1
        AND NOT EXISTS (SELECT 1 FROM claims WHERE statement_id = ?1 AND session_id IS NULL)
"""
_READ_AGAIN: Final = "UPDATE sessions SET distilled = 0 WHERE project_id = ?1 AND distilled > 0"
_ADD_STATEMENT: Final = """
    INSERT INTO statements (project_id, digest, kind, title, body, slot, parts, words, identifiers, features)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""
_ADD: Final = """
    INSERT INTO claims (statement_id, session_id, fact_id, confidence, at, tags) VALUES (?, ?, ?, ?, ?, ?) RETURNING id
"""
_ADD_TERM: Final = "INSERT OR IGNORE INTO statement_terms (term, role, statement_id) VALUES (?, ?, ?)"
_ADD_LINK: Final = """
    INSERT OR IGNORE INTO statement_links (one, other, kind) SELECT ?1, ?2, ?3
    WHERE EXISTS (SELECT 1 FROM statements WHERE id = ?1) AND EXISTS (SELECT 1 FROM statements WHERE id = ?2)
"""
_SET_LINK: Final = "INSERT OR REPLACE INTO statement_links (one, other, kind) VALUES (?, ?, ?)"
_OF_SESSION: Final = f"SELECT {_COLUMNS} {_FROM} WHERE c.session_id = ? ORDER BY c.id"
_OF_FACT: Final = f"SELECT {_COLUMNS} {_FROM} WHERE c.fact_id = ? ORDER BY c.id"
_OF_STATEMENTS: Final = f"""
    SELECT {_COLUMNS} FROM json_each(?) AS asked JOIN claims c ON c.statement_id = asked.value
    JOIN statements s ON s.id = c.statement_id ORDER BY c.id
"""  # noqa: S608 - constant columns
_NEAR: Final = """
    SELECT id, features FROM statements WHERE project_id IS ?1 AND id > ?4 AND id IN (
        SELECT id FROM statements WHERE project_id IS ?1 AND slot = ?2 AND id > ?4
        UNION SELECT t.statement_id FROM json_each(?3) AS asked JOIN statement_terms t
            ON t.term = asked.value ->> 0 AND t.role = asked.value ->> 1 AND t.statement_id > ?4)
    ORDER BY id
"""
# Of what holds everywhere to what projects have of their own, and the other way round.
_ACROSS: Final = _NEAR.replace("project_id IS ?1", "(project_id IS NULL) != (?1 IS NULL)")
_HAS_WIDER: Final = "SELECT EXISTS (SELECT 1 FROM statements WHERE ifnull(project_id, 0) = 0)"
_COMPONENT: Final = """
    WITH RECURSIVE reached (id) AS (
        SELECT value FROM json_each(?)
        UNION SELECT l.other FROM reached r JOIN statement_links l ON l.one = r.id
        UNION SELECT l.one FROM reached r JOIN statement_links l ON l.other = r.id
    ) SELECT id FROM reached
"""
_LINKS: Final = """
    SELECT l.one, l.other, l.kind FROM json_each(?) AS asked JOIN statement_links l ON l.one = asked.value
"""
_NEIGHBOURS: Final = """
    SELECT other FROM statement_links WHERE one IN (SELECT value FROM json_each(?1))
    UNION SELECT one FROM statement_links WHERE other IN (SELECT value FROM json_each(?1))
"""
_DELETE: Final = "DELETE FROM claims WHERE id = ?"
_DELETE_ORPHAN: Final = """
    DELETE FROM statements WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM claims WHERE statement_id = ?1)
"""
_BIND: Final = "UPDATE claims SET fact_id = ? WHERE id = ?"
_RENEW: Final = "UPDATE claims SET confidence = ?, at = ?, tags = ? WHERE id = ?"
_NEWEST: Final = "SELECT ifnull(max(id), 0) FROM statements"
_COPY: Final = """
    INSERT INTO claims (statement_id, session_id, fact_id, confidence, at, tags)
    SELECT statement_id, NULL, fact_id, confidence, at, tags FROM claims WHERE id = ?
"""
_FACT: Final = "SELECT fact_id FROM claims WHERE id = ?"
_FORGET_EVIDENCE: Final = "DELETE FROM evidence WHERE claim_id = ?"
_ADD_EVIDENCE: Final = """
    INSERT INTO evidence (fact_id, message_id, session_id, claim_id, quote, at) SELECT ?1, ?2, ?3, ?4, ?5, ?6
    WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM messages WHERE id = ?2) -- it may have been deleted meanwhile
"""
_MOVE_EVIDENCE: Final = "UPDATE evidence SET fact_id = ?1 WHERE claim_id = ?2 AND fact_id != ?1"
_HAS: Final = "SELECT message_id, session_id, quote, at FROM evidence WHERE claim_id = ? ORDER BY id"
_SPOKEN: Final = """
    SELECT c.fact_id, s.features, (SELECT json_group_array(e.message_id) FROM evidence e
        WHERE e.claim_id = c.id AND e.message_id IS NOT NULL)
    FROM claims c JOIN statements s ON s.id = c.statement_id WHERE c.session_id = ? AND c.fact_id IS NOT NULL
    ORDER BY c.id
"""
_SESSIONS: Final = """
    SELECT DISTINCT session_id FROM claims WHERE fact_id IN (SELECT value FROM json_each(?)) AND session_id IS NOT NULL
    ORDER BY session_id DESC LIMIT ?
"""
_FORGET_UNCLAIMED: Final = """
    DELETE FROM evidence WHERE session_id = ? AND claim_id IS NULL
        AND fact_id IN (SELECT id FROM facts WHERE origin = 'distill') RETURNING fact_id
"""


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim to be stored. `terms` are those its statement is found by, each with its role (word, key, undone)."""

    candidate: Candidate
    project: int | None
    words: int
    identifiers: frozenset[str]
    terms: frozenset[tuple[str, str]]
    features: bytes
    """JSON: all that the statement is compared by."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement and the JSON of what it is compared by."""

    id: int
    features: bytes


def known_statement(conn: sqlite3.Connection, new: NewClaim) -> tuple[int, bool] | None:
    """Return the row id of what a claim states and whether it was compared; None when nobody has stated it before."""
    row = conn.execute(_KNOWN, (new.project, _digest(new.candidate))).fetchone()
    return None if row is None else (int(row[0]), bool(row[1]))


def add_statement(conn: sqlite3.Connection, new: NewClaim) -> int:
    """Store what a claim states and return its row id; nobody has stated it before."""
    said = new.candidate
    values = (
        new.project, _digest(said), said.kind, said.title, said.body, said.slot, _parts(said.parts), new.words,
        _texts(sorted(new.identifiers)), new.features.decode(),
    )  # fmt: skip
    statement = int(conn.execute(_ADD_STATEMENT, values).fetchone()[0])
    add_terms(conn, statement, new)
    return statement


def add_terms(conn: sqlite3.Connection, statement: int, new: NewClaim) -> None:
    """Let a statement be found."""
    conn.executemany(_ADD_TERM, [(term, role, statement) for term, role in new.terms])


def give(conn: sqlite3.Connection, project_id: int, *, to: int) -> None:
    """Let a project's claims be another one's; its sessions are distilled again, to be judged among the others."""
    conn.execute(_READ_AGAIN, (project_id,))
    conn.execute(_GIVE_CLAIMS, (project_id, to))
    moved = conn.execute(_GIVE_STATEMENTS, (project_id, to)).fetchall()
    conn.executemany(_FORGET_TERMS, moved)


def add(
    conn: sqlite3.Connection, new: NewClaim, statement: int, session_id: int | None, fact_id: int | None = None
) -> int:
    """Store that a session, or a person, states something; return the claim's row id."""
    said = new.candidate
    values = (statement, session_id, fact_id, said.confidence, said.at, _texts(said.tags))
    return int(conn.execute(_ADD, values).fetchone()[0])


def add_links(conn: sqlite3.Connection, links: Iterable[tuple[int, int, LinkKind]]) -> None:
    """Keep what statements are to each other, each pair with the smaller id first; not where one of them is gone."""
    conn.executemany(_ADD_LINK, links)


def set_link(conn: sqlite3.Connection, one: int, other: int, kind: LinkKind) -> None:
    """Let two statements be something else to each other than comparing them said; the smaller id comes first."""
    conn.execute(_SET_LINK, (one, other, kind))


def renew(conn: sqlite3.Connection, claim: int, said: Candidate) -> None:
    """Let a claim that is made in the same words have another confidence, time and tags."""
    conn.execute(_RENEW, (said.confidence, said.at, _texts(said.tags), claim))


def remove(conn: sqlite3.Connection, gone: Iterable[Claim]) -> None:
    """Remove claims with their evidence, and what nobody states any more."""
    claims = tuple(gone)
    conn.executemany(_FORGET_EVIDENCE, [(claim.id,) for claim in claims])
    conn.executemany(_DELETE, [(claim.id,) for claim in claims])
    conn.executemany(_DELETE_ORPHAN, [(claim.statement,) for claim in claims])


def of_session(conn: sqlite3.Connection, session_id: int) -> tuple[Claim, ...]:
    """Return what a session claims."""
    return _claims(conn.execute(_OF_SESSION, (session_id,)))


def spoken(conn: sqlite3.Connection, session_id: int) -> Iterator[tuple[int, str, frozenset[int]]]:
    """Yield of each claim of a session its fact, the JSON of what it is compared by, and the messages it rests on."""
    for fact, told, messages in conn.execute(_SPOKEN, (session_id,)).fetchall():
        yield fact, told, frozenset(orjson.loads(messages))


def sessions_of(conn: sqlite3.Connection, fact_ids: Iterable[int], most: int) -> tuple[int, ...]:
    """Return row ids of sessions that claim any of some facts, the newest first."""
    return tuple(row for (row,) in conn.execute(_SESSIONS, (_ids(fact_ids), most)))


def of_fact(conn: sqlite3.Connection, fact_id: int) -> tuple[Claim, ...]:
    """Return the claims that a fact is made of."""
    return _claims(conn.execute(_OF_FACT, (fact_id,)))


def of_statements(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[Claim, ...]:
    """Return all claims that state some things."""
    return _claims(conn.execute(_OF_STATEMENTS, (_ids(ids),)))


def near(
    conn: sqlite3.Connection,
    project_id: int | None,
    slot: str | None,
    terms: Iterable[tuple[str, str]],
    after: int = 0,
    *,
    across: bool = False,
) -> tuple[Stated, ...]:
    """Return all statements of a project (None: of what holds everywhere) that may be linked to one, oldest first.

    `terms`: those the statement is found by. `after`: only statements with a greater row id. `across`: instead those of
    the other scope, what holds everywhere for a project, and that of any project for what holds everywhere.
    """
    if across and project_id is not None and not conn.execute(_HAS_WIDER).fetchone()[0]:
        return ()
    asked = []
    for term, role in terms:
        if role == "word":
            asked += [(term, "key"), (term, "undone")]
        else:
            asked.append((term, "word"))
    rows = conn.execute(
        _ACROSS if across else _NEAR, (project_id, slot, orjson.dumps(sorted(set(asked))).decode(), after)
    )
    return tuple(Stated(statement, features) for statement, features in rows)


def newest_statement(conn: sqlite3.Connection) -> int:
    """Return the greatest row id of a statement."""
    return int(conn.execute(_NEWEST).fetchone()[0])


def neighbours(conn: sqlite3.Connection, statements: Iterable[int]) -> set[int]:
    """Return the row ids of the statements that are linked to any of some."""
    return {statement for (statement,) in conn.execute(_NEIGHBOURS, (_ids(statements),))}


def component(
    conn: sqlite3.Connection, statements: Iterable[int]
) -> tuple[tuple[Claim, ...], dict[tuple[int, int], LinkKind]]:
    """Return all claims of what chains of links reach from some statements, and the links among these."""
    reached = [statement for (statement,) in conn.execute(_COMPONENT, (_ids(statements),))]
    links = {(one, other): kind for one, other, kind in conn.execute(_LINKS, (_ids(reached),))}
    return of_statements(conn, reached), links


def bind(conn: sqlite3.Connection, claim: int, fact_id: int) -> None:
    """Let a claim, with its evidence, be part of a fact."""
    conn.execute(_BIND, (fact_id, claim))
    conn.execute(_MOVE_EVIDENCE, (fact_id, claim))


def fact_of(conn: sqlite3.Connection, claim: int) -> int | None:
    """Return the row id of the fact that a claim is part of."""
    fact: int | None = conn.execute(_FACT, (claim,)).fetchone()[0]
    return fact


def set_evidence(conn: sqlite3.Connection, claim: int, fact_id: int, evidence: Iterable[Evidence]) -> None:
    """Let a claim of a fact rest on just this."""
    rows = [(one.message or None, one.session or None, one.quote, one.at) for one in evidence]
    if conn.execute(_HAS, (claim,)).fetchall() != rows:
        conn.execute(_FORGET_EVIDENCE, (claim,))
        conn.executemany(_ADD_EVIDENCE, [(fact_id, *row[:2], claim, *row[2:]) for row in rows])


def copy_for_person(conn: sqlite3.Connection, claim: int) -> None:
    """Store a claim once more as a person's."""
    conn.execute(_COPY, (claim,))


def forget_unclaimed_evidence(conn: sqlite3.Connection, session_id: int) -> set[int]:
    """Remove a session's evidence for distilled facts that no claim brought, from before there were claims.

    Returns the row ids of the facts that had it.
    """
    return {fact for (fact,) in conn.execute(_FORGET_UNCLAIMED, (session_id,)).fetchall()}


def _claims(rows: Iterable[tuple[Any, ...]]) -> tuple[Claim, ...]:
    return tuple(_claim(*row) for row in rows)


def _claim(
    claim: int, statement: int, session: int | None, project: int | None, fact: int | None, kind: str, title: str,
    body: str, parts: str, tags: str, slot: str | None, confidence: float, at: int | None, words: int, identifiers: str,
) -> Claim:  # fmt: skip
    return Claim(
        claim, statement, session, project, fact, kind, title, body,  # type: ignore[arg-type]
        tuple(FactPart(name, text) for name, text in orjson.loads(parts)), tuple(orjson.loads(tags)), slot, confidence,
        at, words, frozenset(orjson.loads(identifiers)),
    )  # fmt: skip


def _digest(said: Candidate) -> str:
    words = orjson.dumps([said.kind, said.title, said.body, said.slot, [(one.name, one.text) for one in said.parts]])
    return hashlib.blake2b(words, digest_size=16).hexdigest()


def _parts(parts: Iterable[FactPart]) -> str:
    return orjson.dumps([(part.name, part.text) for part in parts]).decode()


def _texts(texts: Iterable[str]) -> str:
    return orjson.dumps(list(texts)).decode()


def _ids(ids: Iterable[int]) -> str:
    return orjson.dumps(list(ids)).decode()
