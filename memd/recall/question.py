"""Question: what a query asks for, read once for all lanes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final

from memd.clock import HERE
from memd.recall.dates import When, resolve
from memd.recall.phrasing import asks_only_when, matter
from memd.text.everyday import EVERYDAY
from memd.text.tokens import Group, expression_of

_EVERYDAY: Final = 0.85
"""What an everyday word counts for beside another one that is as rare: it says less of what a question is about."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a query is about (its words without those of asking and of time), each thing it asks for in one or several
    FTS5 phrases, and the times it means.
    """

    matter: str
    things: tuple[tuple[str, ...], ...]
    match: str
    """All of these in one MATCH expression, "" where there are none."""
    times: tuple[When, ...]
    now_ms: int
    only_times: bool = False
    """Whether it asks for nothing but what was then."""
    counts: tuple[float, ...] = ()
    """What each thing counts for beside its rarity (0 to 1); where there is nothing: 1."""


def read(query: str, now_ms: int, zone: tzinfo | None = None) -> Question:
    """Return what a query asks for. Days in it are days of `zone`, by default those of this machine."""
    times = resolve(query, datetime.fromtimestamp(now_ms / 1000, zone or HERE))
    about, asked = matter(query, times)
    return Question(
        about,
        tuple(group.alternatives for group in asked),
        expression_of(asked),
        times,
        now_ms,
        asks_only_when(query, times),
        tuple(map(_counts, asked)),
    )


def _counts(group: Group) -> float:
    return _EVERYDAY if group.expression.strip('"').casefold() in EVERYDAY else 1.0
