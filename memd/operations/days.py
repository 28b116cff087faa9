"""Days: what a question that names nothing but a time is answered with: what was learnt and begun then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memd.operations import finding
from memd.operations.answers import SearchAnswer
from memd.operations.finding import Asked, Found, Worded
from memd.recall.fusion import Ranked
from memd.recall.recall import Recalled
from memd.store import days, facts, moments
from memd.store.facts import Connection

LANE: Final = "time"
_STEP: Final = 0.001
"""By how much a hit's score is lower than that of the one before it, which is of a later day."""


def of_those_days(conn: Connection, query: str, asked: Asked) -> SearchAnswer | None:
    """Return what was learnt in the days that a question means and what sessions of these were asked first, the latest
    first; None where there is nothing.
    """
    if asked.as_of is not None or asked.chosen.role == "assistant":
        return None
    hits = finding.together(list(_found(conn, asked)), asked.limit)
    return SearchAnswer(query, hits, (LANE,), sure=True, found=True) if hits else None


def _found(conn: Connection, asked: Asked) -> Iterator[Found]:
    since, until = (min(one.since for one in asked.question.times), max(one.until for one in asked.question.times) + 1)
    begins = [at for at in (since, asked.chosen.since) if at is not None]
    ends = [at for at in (until, asked.chosen.until) if at is not None]
    since, until = max(begins), min(ends)
    if asked.scope.facts != ():
        learnt = facts.load(conn, days.learnt(conn, since, until, asked.facts, asked.limit))
        told = [Worded(fact, {LANE: 1 - _STEP * place}, 1.0) for place, fact in enumerate(learnt)]
        for one in finding.of_facts(conn, told, None, replace(asked, standing=False)):
            yield replace(one, hit=replace(one.hit, lanes=(LANE,)))
    if asked.scope.messages:
        # Later sessions come last; behind what was learnt from them stands what they were asked.
        spoken = moments.spoken(conn, since, until - 1, asked.chosen, asked.limit * 2)[::-1]
        ranked = tuple(
            Ranked(message, session, 0.5 - _STEP * place, {LANE: 0.5 - _STEP * place})
            for place, (session, message) in enumerate(spoken)
        )
        said = Recalled(ranked, lanes_of={one.message: (LANE,) for one in ranked})
        yield from finding.of_messages(conn, said, asked)
