"""Ageing: how much what happened to the code since speaks against a fact that names some of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from memd.model import Fact
from memd.operations import code_staleness
from memd.operations.answers import DoubtAnswer
from memd.operations.shapes import doubt_answers
from memd.store import aged
from memd.store.facts import Connection

_AGAINST: Final = 0.3
"""What a fact loses at most: it comes behind one that is as good, and hides behind none that is not."""
_DAY_MS: Final = 86_400_000


def of(conn: Connection, facts: Iterable[Fact]) -> dict[int, tuple[DoubtAnswer, ...]]:
    """Return, by row id of a fact, what was changed that it names, weighed; facts of which nothing was have none."""
    doubted = {fact.id: fact for fact in facts if fact.doubts}
    changes = aged.of(conn, doubted) if doubted else {}
    found = {}
    for number, fact in doubted.items():
        missing = code_staleness.missing(conn, fact)
        since = {one.name: one for one in changes.get(number, ())}
        found[number] = tuple(
            replace(
                told,
                missing=missing,
                weight=code_staleness.weight(told.change, missing),
                sessions=since[told.name].sessions if told.name in since else None,
                lag_days=round(since[told.name].lag_ms / _DAY_MS, 1) if told.name in since else None,
            )
            for told in doubt_answers(fact)
        )
    return found


def factor(doubts: Iterable[DoubtAnswer]) -> float:
    """Return by what a fact's score is multiplied for what was changed since."""
    return 1.0 - _AGAINST * max((doubt.weight or 0.0 for doubt in doubts), default=0.0)
