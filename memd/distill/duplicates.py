"""Duplicates: which facts say the same, looked for in all of a scope at once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from memd.distill.comparing import Features, apart, features, share
from memd.model import Fact

TASK: Final = "memd.distill.duplicates:duplicates"
_FEWEST_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class DuplicatesRequest:
    """Among which facts to look, and which share of their terms two have to have in common (0 to 1)."""

    facts: tuple[Fact, ...]
    threshold: float


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that say the same: the one that stays, those that go into it, and the least they have in common."""

    keep: Fact
    fold: tuple[Fact, ...]
    score: float


def duplicates(request: DuplicatesRequest) -> tuple[Group, ...]:
    """Return groups of facts that say the same, each with the newest of them (of equals the longest) to stay.

    Facts that speak of different names, numbers or paths are never one. A task for a worker process.
    """
    found, threshold = request.facts, request.threshold
    said = {fact.id: features(fact.kind, fact.slot, fact.title, fact.body, fact.parts) for fact in found}
    look = _Look(said, threshold)
    groups: dict[int, tuple[Fact, list[Fact], float]] = {}
    for fact in sorted(found, key=lambda one: (-one.valid_from, -len(one.body), one.id)):
        match = look.nearest(fact)
        if match is None:
            look.add(fact)
        else:
            keep, score = match
            groups.setdefault(keep.id, (keep, [], score))[1].append(fact)
    return tuple(Group(keep, tuple(fold), score) for keep, fold, score in groups.values())


class _Look:
    """The facts that stay so far, found by their rarest words.

    Of two texts with enough in common, the longer has at least one of so many of the shorter's rarest words (prefix
    filtering, as in `memd.distill.comparing.lookup_terms`).
    """

    def __init__(self, said: Mapping[int, Features], threshold: float) -> None:
        self._said = said
        self._threshold = threshold
        self._count = Counter(word for one in said.values() for word in self._words(one))
        self._by_word: dict[str, list[Fact]] = defaultdict(list)
        self._by_key: dict[str, list[Fact]] = defaultdict(list)

    def add(self, fact: Fact) -> None:
        own = self._said[fact.id]
        for word in self._words(own):
            self._by_word[word].append(fact)
        for word in self._keys(own):
            self._by_key[word].append(fact)

    def nearest(self, fact: Fact) -> tuple[Fact, float] | None:
        own = self._said[fact.id]
        near = {other.id: other for word in self._words(own) for other in self._by_key.get(word, ())}
        near |= {other.id: other for word in self._keys(own) for other in self._by_word.get(word, ())}
        best: tuple[Fact, float] | None = None
        for other in near.values():
            score = self._score(fact, other)
            if score >= self._threshold and (best is None or score > best[1]):
                best = (other, score)
        return best

    def _score(self, fact: Fact, other: Fact) -> float:
        one, two = self._said[fact.id], self._said[other.id]
        if (other.project and other.project.id) != (fact.project and fact.project.id) or other.kind != fact.kind:
            return 0.0
        if one.text != two.text and (
            one.negated != two.negated
            or apart(one.identifiers, two.identifiers)
            or min(len(one.words), len(two.words)) < _FEWEST_WORDS
        ):
            return 0.0
        return round(share(one, two), 4)

    @staticmethod
    def _words(said: Features) -> frozenset[str]:
        return said.words or frozenset((said.text,))

    def _keys(self, said: Features) -> list[str]:
        words = sorted(self._words(said), key=lambda word: (self._count[word], word))
        return words[: len(words) - ceil(self._threshold * len(words)) + 1]
