"""Lexical: messages and sessions weighed by the words of a query.

A message counts by bm25 (Robertson, Zaragoza 2009) with rarity taken over sessions, not messages: a word that one
session repeats in each of its messages is rare all the same. A session counts by its three best messages, by what all
its messages hold together, and by how much of the query is in it at all. Long replies count less than what was asked
and than short ones, because they say a bit of everything.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from memd.store.postings import K1, Postings

_WEIGHTS: Final = (1.0, 0.5, 0.25)
"""What a session's best message counts for, its second best and its third."""
_LONG_REPLY: Final = 0.6


@dataclass(slots=True)
class SessionWords:
    """What a session holds of a query: by its best messages, by all together, and the share of the query (0 to 1)."""

    best: float = 0.0
    together: float = 0.0
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of a query say: scores of messages, of sessions, and the session of each message."""

    messages: dict[int, float]
    sessions: dict[int, SessionWords]
    session_of: dict[int, int]
    rarity: tuple[float, ...]
    """How much each thing asked for weighs."""
    lacking: tuple[int, ...]
    """The things asked for (by number) that no message holds."""
    rows_of: Mapping[int, list[int]]
    """The messages of each session."""


def weigh(found: Postings, counts: Sequence[float] = ()) -> Words:
    """Return how much messages and sessions have to do with what was asked for.

    `counts` is what each thing counts for beside its rarity; without it 1.
    """
    own = counts or (1.0,) * len(found.of)
    rarity = tuple(
        count * _rarity(found.sessions, posting.sessions) for count, posting in zip(own, found.of, strict=True)
    )
    messages: dict[int, float] = {}
    sessions: dict[int, SessionWords] = {}
    whole = sum(rarity) or 1.0
    long_replies, session_of = found.long_replies, found.session_of
    for weight, posting in zip(rarity, found.of, strict=True):
        dense: dict[int, float] = {}
        gain = weight * (K1 + 1)
        for row, density in posting.rows.items():
            score = gain * density / (density + K1)
            if row in long_replies:
                score, density = _LONG_REPLY * score, _LONG_REPLY * density
            messages[row] = messages[row] + score if row in messages else score
            session = session_of[row]
            dense[session] = dense[session] + density if session in dense else density
        for session, density in dense.items():
            words = sessions.setdefault(session, SessionWords())
            words.together += weight * density * (K1 + 1) / (density + K1)
            words.share += weight / whole
    rows_of = _add_best(messages, sessions, found.session_of)
    lacking = tuple(number for number, posting in enumerate(found.of) if not posting.rows and not posting.sessions)
    return Words(messages, sessions, found.session_of, rarity, lacking, rows_of)


def _add_best(
    messages: dict[int, float], sessions: dict[int, SessionWords], session_of: dict[int, int]
) -> dict[int, list[int]]:
    """Note what the best messages of each session come to; return the messages of each."""
    rows_of: dict[int, list[int]] = defaultdict(list)
    for row in messages:
        rows_of[session_of[row]].append(row)
    for session, rows in rows_of.items():
        sessions[session].best = sum(map(mul, sorted(map(messages.__getitem__, rows), reverse=True), _WEIGHTS))
    return rows_of


def _rarity(sessions: int, holding: int) -> float:
    """Robertson's idf, kept above zero as Lucene does."""
    return math.log1p((sessions - holding + 0.5) / (holding + 0.5))
