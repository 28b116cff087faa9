"""Judged: what claims came to is written down as facts; writing the same again changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import orjson

from memd.model import Claim, Fact, FactStatus, Ruling
from memd.store import erasures, fact_changes, fact_rows
from memd.store.fact_changes import Action

_RULED: Final = """
    SELECT id, status, valid_from, valid_to, ruling, evergreen, learnt_elsewhere FROM facts
    WHERE id IN (SELECT value FROM json_each(?))
"""
_SAID: Final = """
    SELECT f.id FROM facts f WHERE f.project_id IS ? AND f.kind = ? AND f.title = ? AND f.body = ? AND f.ruling IS NULL
        AND f.origin = 'distill' AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.fact_id = f.id)
        AND f.id NOT IN (SELECT value FROM json_each(?)) ORDER BY f.id LIMIT 1
"""
_HAS_CLAIMS: Final = "SELECT EXISTS (SELECT 1 FROM claims WHERE fact_id = ?)"
_HAS_EVIDENCE: Final = "SELECT EXISTS (SELECT 1 FROM evidence WHERE fact_id = ?)"
# What held at no time goes on to, since whenever it is said.
_SET_SPAN: Final = """
    UPDATE facts SET valid_from = ?2, confidence = ?3, session_id = ?4, last_seen_at = ?5, slot = ?6,
        valid_to = iif(status = 'retracted' AND valid_to = valid_from, ?2, valid_to)
    WHERE id = ?1
"""
_SET_STATE: Final = "UPDATE facts SET status = ?2, valid_to = ?3, superseded_by = ?4, updated_at = ?5 WHERE id = ?1"
_STATE: Final = "SELECT status, valid_to, superseded_by FROM facts WHERE id = ?"
_FORGOTTEN: Final = """
    SELECT digest FROM forgotten WHERE digest IN (SELECT value FROM json_each(?1)) AND project_id IS ?2
"""
_PAIRS: Final = """
    SELECT one, other, verdict FROM contradictions
    WHERE one IN (SELECT value FROM json_each(?1)) OR other IN (SELECT value FROM json_each(?1))
"""
_ADD_PAIR: Final = "INSERT INTO contradictions (one, other, reason, found_at) VALUES (?, ?, ?, ?)"
_DROP_PAIRS_OF: Final = """
    DELETE FROM contradictions WHERE verdict IS NULL
        AND (one IN (SELECT value FROM json_each(?1)) OR other IN (SELECT value FROM json_each(?1)))
"""
_DROP_PAIR: Final = "DELETE FROM contradictions WHERE one = ? AND other = ?"
ACTIONS: Final[dict[FactStatus, Action]] = {"current": "RESTORE", "superseded": "SUPERSEDE", "retracted": "RETRACT"}
"""What brings a fact into a state."""
_TOGETHER: Final = """
    SELECT 1 FROM claims a JOIN claims b ON b.session_id = a.session_id
    WHERE a.fact_id = ?1 AND b.fact_id = ?2 AND a.session_id != ?3 LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Applied:
    """What changed. `homeless` counts statements of a session without a project that do not hold everywhere."""

    added: tuple[int, ...] = ()
    updated: tuple[int, ...] = ()
    superseded: tuple[int, ...] = ()
    retracted: tuple[int, ...] = ()
    known: int = 0
    contradicting: int = 0
    changed: tuple[int, ...] = ()
    """All facts whose words or state are others than before."""
    homeless: int = 0


@dataclass(frozen=True, slots=True)
class Ruled:
    """A fact with what a person said of it."""

    fact: int
    status: FactStatus
    since: int
    until: int | None
    ruling: Ruling | None
    evergreen: bool
    learnt: bool = False
    """Whether it was taken over from a memory that had learnt it from sessions."""


@dataclass(frozen=True, slots=True)
class State:
    """Whether and until when a fact holds, and what replaced it (row id)."""

    status: FactStatus
    until: int | None = None
    by: int | None = None


def never(fact: Fact) -> State:
    """Return the state of a fact that is taken back as never true: it held at no time.

    What did hold until it was gone, such as what a comment in the code said, is retracted with that time instead.
    """
    return State("retracted", fact.valid_from)


def ruled(conn: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Ruled]:
    """Return facts of row ids with what a person said of them."""
    rows = conn.execute(_RULED, (_json(ids),)).fetchall()
    return {
        fact: Ruled(fact, status, since, until, ruling, bool(evergreen), bool(learnt))
        for fact, status, since, until, ruling, evergreen, learnt in rows
    }


def adoptable(conn: sqlite3.Connection, said: Claim, taken: Iterable[int]) -> int | None:
    """Return a distilled fact in just these words that no claim is part of, one taken back before; None for none.

    `taken`: row ids of facts that are spoken for.
    """
    row = conn.execute(_SAID, (said.project, said.kind, said.title, said.body, _json(taken))).fetchone()
    return None if row is None else int(row[0])


def has_claims(conn: sqlite3.Connection, fact_id: int) -> bool:
    """Return whether anything that was said is part of a fact."""
    return bool(conn.execute(_HAS_CLAIMS, (fact_id,)).fetchone()[0])


def has_evidence(conn: sqlite3.Connection, fact_id: int) -> bool:
    """Return whether there is any evidence for a fact."""
    return bool(conn.execute(_HAS_EVIDENCE, (fact_id,)).fetchone()[0])


def set_span(
    conn: sqlite3.Connection,
    fact_id: int,
    *,
    since: int,
    confidence: float,
    session_id: int | None,
    seen: int,
    slot: str | None,
) -> None:
    """Note since when a fact holds, how sure it is, where it was learnt, when it was said last and what it is about."""
    conn.execute(_SET_SPAN, (fact_id, since, confidence, session_id, seen, slot))


def set_state(
    conn: sqlite3.Connection, fact_id: int, state: State, now_ms: int, reason: str, *, session_id: int | None = None
) -> bool:
    """Let a fact be in a state, with a line of history if it was in another; return whether it was."""
    old: Fact
    before = conn.execute(_STATE, (fact_id,)).fetchone()
    if tuple(before) == (state.status, state.until, state.by):
        return False
    (old,) = fact_rows.load(conn, (fact_id,))
    conn.execute(_SET_STATE, (fact_id, state.status, state.until, state.by, now_ms))
    if (before[0], before[2]) != (state.status, state.by):
        fact_changes.note(
            conn, fact_id, now_ms, ACTIONS[state.status], reason, old=old, other_id=state.by, session_id=session_id
        )
    return True


def forgotten(conn: sqlite3.Connection, project_id: int | None, digests: Iterable[str]) -> set[str]:
    """Return those of some digests whose texts are never to be learnt again in a project (None: everywhere)."""
    asked = list(digests)
    known = {digest for (digest,) in conn.execute(_FORGOTTEN, (_json(asked), project_id))}
    return known | erasures.barred_texts(conn, project_id, asked)


def set_contradictions(
    conn: sqlite3.Connection,
    among: Iterable[int],
    found: dict[tuple[int, int], str],
    now_ms: int,
    *,
    session_id: int | None = None,
) -> int:
    """Let the undecided contradictions among facts be just these, by pairs of row ids; return how many are new.

    What somebody decided stays decided.
    """
    asked = set(among)
    known = {(one, other): verdict for one, other, verdict in conn.execute(_PAIRS, (_json(asked),)).fetchall()}
    for (one, other), verdict in known.items():
        if verdict is None and (one, other) not in found and {one, other} <= asked:
            conn.execute(_DROP_PAIR, (one, other))
    new = {pair: reason for pair, reason in found.items() if pair not in known}
    for (one, other), reason in sorted(new.items()):
        conn.execute(_ADD_PAIR, (one, other, reason, now_ms))
        for fact, against in ((one, other), (other, one)):
            fact_changes.note(conn, fact, now_ms, "CONTRADICT", reason, other_id=against, session_id=session_id)
    return len(new)


def drop_contradictions(conn: sqlite3.Connection, of: Iterable[int]) -> None:
    """Let facts that nothing says any more wait for no decision beside others."""
    conn.execute(_DROP_PAIRS_OF, (_json(of),))


def together(conn: sqlite3.Connection, one: int, other: int, beside: int) -> bool:
    """Return whether another session than `beside` claims two facts as well."""
    return conn.execute(_TOGETHER, (one, other, beside)).fetchone() is not None


def _json(values: Iterable[object]) -> str:
    return orjson.dumps(list(values)).decode()
