"""Outcome: what the candidates of one session come to by themselves, judged as the store would judge them.

A session that changes its mind says both. Whoever is shown what it leaves behind wants to know which of them stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from memd.distill.comparing import Features, compared
from memd.distill.judge import Standing, stand
from memd.distill.settling import claim_features, reversed_link, timed
from memd.distill.sweeping import across
from memd.model import Candidate, Claim, LinkKind, Session

_HERE: Final = 1
"""The project of what does not hold everywhere, whichever it is."""
_MOST_EVIDENCE: Final = 6


@dataclass(frozen=True, slots=True)
class Outcome:
    """One fact that a session leaves behind. `successor` is what the session replaced it with, `reason` why."""

    candidate: Candidate
    successor: Candidate | None = None
    reason: str = ""


def outcomes(session: Session, candidates: Sequence[Candidate]) -> tuple[Outcome, ...]:
    """Return what candidates of a session come to, each fact once, in the order in which they were given."""
    claims = [_claim(one, session, place) for place, one in enumerate(candidates)]
    said = [claim_features(one) for one in claims]
    links = {
        (one.id, other.id): kind
        for (one, mine), (other, theirs) in combinations(zip(claims, said, strict=True), 2)
        if (kind := _linked(one, mine, other, theirs)) is not None
    }
    told = {standing: _told(standing, candidates) for standing in stand(claims, links, {})}
    first = {standing: min(claim.id for claim in standing.claims) for standing in told}
    return tuple(
        Outcome(told[one], None if one.successor is None else told[one.successor], one.reason)
        for one in sorted(told, key=first.__getitem__)
    )


def _claim(candidate: Candidate, session: Session, place: int) -> Claim:
    one = timed(candidate, session, place)
    said = claim_features(one)
    return Claim(
        id=place, statement=place, session=session.id, project=None if one.everywhere else _HERE, fact=None,
        kind=one.kind, title=one.title, body=one.body, parts=one.parts, tags=one.tags, slot=one.slot,
        confidence=one.confidence, at=one.at, words=len(said.words), identifiers=said.identifiers,
    )  # fmt: skip


def _linked(one: Claim, mine: Features, other: Claim, theirs: Features) -> LinkKind | None:
    """Return what a claim is to another one, as `settling.links_of` finds it."""
    if one.project == other.project:
        return compared(mine, theirs)
    if one.project is None:
        return across(mine, theirs)
    kind = across(theirs, mine)
    return None if kind is None else reversed_link(kind)


def _told(standing: Standing, candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate whose words a standing takes, with what the others rest on."""
    evidence = (one for claim in standing.claims for one in candidates[claim.id].evidence)
    voice = candidates[standing.voice.id]
    every = tuple(dict.fromkeys((*voice.evidence, *evidence)))[: max(_MOST_EVIDENCE, len(voice.evidence))]
    return replace(voice, evidence=every, confidence=standing.confidence)
