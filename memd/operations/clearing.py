"""Clearing: which facts a person's filter means, which say the same, and their going."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final, Literal

from memd.distill import decay, stating
from memd.distill.comparing import Features, apart, features, share
from memd.errors import BadParameter
from memd.model import Fact
from memd.operations.fact_answers import ClearAnswer, ConsolidateAnswer, DuplicateAnswer, PurgeAnswer
from memd.operations.fact_params import kind_of, time_given
from memd.operations.scope import project_of
from memd.operations.telling import told_all
from memd.store import erasing, facts
from memd.store.facts import Connection, FactFilter

_ALL: Final = -1
_FEWEST_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that say the same: the one that stays, those that go into it, and the least they have in common."""

    keep: Fact
    fold: tuple[Fact, ...]
    score: float


def filter_of(
    kind: str | None, before: str | None, status: Literal["current", "superseded", "retracted"] | None, tag: str | None
) -> tuple[FactFilter, int | None]:
    """Return a person's filter, and the time before which facts were said; raises BadParameter."""
    kinds = None if kind is None else (kind_of(kind, "facts.purge"),)
    return FactFilter(kinds=kinds, status=status, tag=tag), time_given(before, "facts.purge")


def purge(
    conn: Connection, project: int | None, chosen: tuple[FactFilter, int | None], now_ms: int, *, apply: bool
) -> PurgeAnswer:
    """Delete the facts that a filter means, or show which they are."""
    wanted, before = chosen
    found = facts.list_facts(conn, replace(wanted, project_id=project, everywhere=project is None), _ALL)
    going = tuple(fact for fact in found if before is None or fact.valid_from < before)
    answer = PurgeAnswer(apply, len(going), told_all(conn, going))
    if apply:
        for fact in going:
            stating.purge(conn, fact.id, now_ms, "was purged")
    return answer


def clear(conn: Connection, word: str | None, confirm: str, now_ms: int) -> ClearAnswer:
    """Delete all that was learnt in a scope; `confirm` has to be its name. Raises BadParameter, NotFound."""
    project = project_of(conn, word)
    name = "everywhere" if project is None else project.name
    if confirm != name:
        raise BadParameter("facts.clear", f"confirm must be {name!r} to delete all that was learnt there")
    scope = None if project is None else project.id
    gone = erasing.in_scope(conn, scope)
    for fact in gone:
        stating.purge(conn, fact, now_ms, f"all of {name} was cleared")
    rest = erasing.clear_rest(conn, scope)
    return ClearAnswer(None if project is None else project.root, {"facts": len(gone), **rest})


def duplicates(found: Sequence[Fact], threshold: float) -> tuple[Group, ...]:
    """Return groups of facts that say the same, each with the newest of them (of equals the longest) to stay.

    Facts that speak of different names, numbers or paths are never one.
    """
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


def consolidate(conn: Connection, groups: Sequence[Group], now_ms: int, *, apply: bool) -> ConsolidateAnswer:
    """Fold groups of facts, or show them."""
    shown = tuple(
        DuplicateAnswer(told_all(conn, (group.keep,))[0], told_all(conn, group.fold), group.score) for group in groups
    )
    folded = 0
    if apply:
        for group in groups:
            for fact in group.fold:
                stating.fold(conn, fact.id, group.keep.id, now_ms)
                folded += 1
    return ConsolidateAnswer(apply, shown, folded)


def unused(found: Sequence[Fact], now_ms: int) -> tuple[tuple[Fact, int, int], ...]:
    """Return facts out of use with the window of their kind and for how many days, the longest first."""
    idle = [
        (fact, decay.window_days(fact.kind), int(decay.idle_days(fact, now_ms)))
        for fact in found
        if decay.is_unused(fact, now_ms)
    ]
    return tuple(sorted(idle, key=lambda one: (-one[2], one[0].id)))
