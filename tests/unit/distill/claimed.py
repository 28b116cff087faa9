"""Claims of an invented project, and what they come to without a store."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memd.distill.comparing import compared, features
from memd.distill.judge import Pin, Standing, stand
from memd.model import Claim, FactKind, FactPart, LinkKind


def claim(
    body: str,
    at: int | None = 1,
    *,
    kind: FactKind = "decision",
    slot: str | None = None,
    session: int | None = None,
    by_person: int | None = None,
    parts: tuple[FactPart, ...] = (),
    confidence: float = 0.7,
    place: int = 0,
) -> Claim:
    """A claim said in a session of its own; `by_person`: said to memd, as part of the fact of that row id."""
    said = features(kind, slot, body[:80], body, parts)
    own = None if by_person is not None else (at or 0) if session is None else session
    return Claim(
        place, 0, own, 1, by_person, kind, body[:80], body, parts, (), slot, confidence, at, len(said.words),
        said.identifiers,
    )  # fmt: skip


def placed(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims with row ids in the order given; the same words are the same statement."""
    statements: dict[object, int] = {}
    return tuple(
        replace(
            one,
            id=place,
            statement=statements.setdefault((one.kind, one.body, one.slot, one.parts), len(statements) + 1),
        )
        for place, one in enumerate(claims, 1)
    )


def linked(claims: Sequence[Claim]) -> dict[tuple[int, int], LinkKind]:
    """What each two statements are to each other."""
    said = {one.statement: features(one.kind, one.slot, one.title, one.body, one.parts) for one in claims}
    found = {}
    for one, other in itertools.combinations(sorted(said), 2):
        if (kind := compared(said[one], said[other])) is not None:
            found[one, other] = kind
    return found


def judged(claims: Iterable[Claim], pins: Mapping[int, Pin] | None = None) -> tuple[Standing, ...]:
    """What claims come to, read in the order given."""
    read = placed(claims)
    return stand(read, linked(read), pins or {})


def current(standings: Iterable[Standing]) -> list[str]:
    """What holds in the end, in order of words."""
    return sorted(one.voice.body for one in standings if one.until is None)


def story(standings: Sequence[Standing]) -> list[tuple[object, ...]]:
    """All that claims came to, without row ids: words, times, certainty, successor and contradictions."""
    return sorted(
        (
            one.voice.body,
            min(said.at or 0 for said in one.claims),
            -1 if one.until is None else one.until,
            one.successor.voice.body if one.successor else "",
            one.reason,
            one.confidence,
            len(one.claims),
            tuple(sorted((other.voice.body, why) for other, why in one.against if other.until is None)),
        )
        for one in standings
    )
