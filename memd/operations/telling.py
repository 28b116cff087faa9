"""Telling: facts as they are told outside, with the sessions that their evidence comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memd.model import Fact, Session
from memd.operations.answers import FactAnswer
from memd.operations.shapes import fact_answer
from memd.store import sessions
from memd.store.facts import Connection


def sessions_of(conn: Connection, found: Iterable[Fact]) -> dict[int, Session]:
    """Return the sessions that the evidence of facts comes from, by row id."""
    return sessions.by_ids(conn, {evidence.session for fact in found for evidence in fact.evidence})


def told(conn: Connection, fact: Fact) -> FactAnswer:
    """Return a fact as it is told."""
    return fact_answer(fact, sessions_of(conn, (fact,)))


def told_all(conn: Connection, found: Sequence[Fact]) -> tuple[FactAnswer, ...]:
    """Return facts as they are told, in their order."""
    known = sessions_of(conn, found)
    return tuple(fact_answer(fact, known) for fact in found)
