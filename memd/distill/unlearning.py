"""Unlearning: what was learnt from messages that are deleted goes with them.

A fact that rests on nothing else is forgotten, words and history; one that something else says as well stays, in the
words of that. What a person told memd themselves was not learnt from messages, and stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memd.distill import stating
from memd.distill.judge import Standing
from memd.distill.settling import rejudge
from memd.model import Claim, Fact
from memd.store import claims, erasing, fact_changes, facts

_REASON: Final = "what it was learnt from was deleted"
_REWORDED: Final = "is said otherwise by what is left"


@dataclass(frozen=True, slots=True)
class Origin:
    """What is deleted, by row ids: messages, and with them all that their sessions claim, or only some messages."""

    messages: frozenset[int]
    sessions: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Learnt:
    """A fact with its claims: those that come from what is deleted, with a person's of the same words, and the rest."""

    fact: Fact
    going: tuple[Claim, ...]
    rest: tuple[Claim, ...]
    stays: bool


def concerned(conn: facts.Connection, origin: Origin) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the row ids of the facts that go with what is deleted, and of those that only lose evidence."""
    ids = erasing.learnt_from(conn, origin.messages, origin.sessions)
    learnt = [_learnt(conn, fact, origin) for fact in facts.load(conn, ids)]
    going = tuple(one.fact.id for one in learnt if not one.stays)
    return going, tuple(one.fact.id for one in learnt if one.stays)


def unlearn(conn: facts.Connection, ids: Sequence[int], origin: Origin, now_ms: int) -> int:
    """Let facts rest on what is left, or be forgotten where nothing is; return how many were.

    Facts that are gone already are passed over.
    """
    learnt = [_learnt(conn, fact, origin) for fact in facts.load(conn, ids)]
    going = [claim for one in learnt for claim in one.going]
    statements = {claim.statement for claim in going}
    around = statements | claims.neighbours(conn, statements)
    claims.remove(conn, going)
    for one in learnt:
        erasing.drop_evidence(conn, one.fact.id, origin.messages, origin.sessions)
        if one.stays:
            _reword(conn, one, now_ms)
        else:
            erasing.erase(conn, one.fact, (), now_ms, "FORGET", _REASON)
    staying = [one for one in learnt if one.stays]
    rejudge(conn, around, now_ms, touched=[one.fact.id for one in staying])
    for one in staying:
        said = {(claim.title, claim.body) for claim in one.going} - {(claim.title, claim.body) for claim in one.rest}
        erasing.blank_words(conn, one.fact.uid, said)
    return len(learnt) - len(staying)


def _learnt(conn: facts.Connection, fact: Fact, origin: Origin) -> _Learnt:
    by_hand = fact.origin != "distill" or fact.repeats > 0
    members = claims.of_fact(conn, fact.id)
    told = erasing.claims_from(conn, fact.id, origin.messages)
    own = {claim.id for claim in members if claim.id in told or claim.session in origin.sessions}
    if not by_hand:
        # A person's claim in the words of a session's is a mark on the fact, not something they said.
        said = {claim.statement for claim in members if claim.id in own}
        own |= {claim.id for claim in members if claim.session is None and claim.statement in said}
    rest = tuple(claim for claim in members if claim.id not in own)
    elsewhere = erasing.has_other_evidence(conn, fact.id, origin.messages, origin.sessions, own)
    going = tuple(claim for claim in members if claim.id in own)
    return _Learnt(fact, going, rest, by_hand or bool(rest) or elsewhere)


def _reword(conn: facts.Connection, one: _Learnt, now_ms: int) -> None:
    """Let a fact that stays say what is left of its claims; a person's ruling on it stays."""
    said = {(claim.title, claim.body) for claim in one.rest}
    if one.rest and (one.fact.title, one.fact.body) not in said:
        voice = Standing(claims=list(one.rest)).voice
        fact_changes.update(
            conn, one.fact.id, now_ms, _REWORDED, title=voice.title, body=voice.body, parts=voice.parts,
            tags=voice.tags, kind=voice.kind, only_these_tags=True,
        )  # fmt: skip
    if any(claim.session is None for claim in one.going):
        stating.pin(conn, one.fact.id)
