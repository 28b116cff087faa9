"""Bearing: whether the best of the found facts is one that somebody who asks this would want.

Nearness and shared words say how much there is of a question, not whether anything answers it. The model by which
prompts are given facts (`recall.relevance`) joins words of one concept, also across languages, and hardly ever errs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memd.model import Fact
from memd.recall.near import Near
from memd.recall.relevance import Asked, Corpus, rank
from memd.store import facts, rarity
from memd.store.facts import Connection

_BY_WORDS: Final = 4
_BY_MEANING: Final = 2
_WORDS: Final = 16
"""Facts and words that are looked at: each costs a quarter of a millisecond, and more of them tell no more."""


def bearing(conn: Connection, question: str, worded: Sequence[Fact], near: Near | None) -> float:
    """Return how likely the best fact is wanted, 0 to 1; `worded` are those found by words, best first."""
    best = {fact.id: fact for fact in worded[:_BY_WORDS]}
    nearest = sorted(near.cosines_of_facts().items(), key=lambda one: -one[1])[:_BY_MEANING] if near else ()
    best.update((fact.id, fact) for fact in facts.load(conn, [fact for fact, _ in nearest if fact not in best]))
    if not best:
        return 0.0
    corpus = Corpus(rarity.of_words(conn, sorted(Asked.of(question).terms)[:_WORDS]), rarity.facts(conn))
    return max(
        (found.score for _, found in rank(question, list(best.values()), 1, corpus=corpus, floor=0.0)), default=0.0
    )
