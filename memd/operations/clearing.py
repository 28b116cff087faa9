"""Clearing: which facts a person's filter means, which say the same, and their going."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    holders: dict[str, list[Fact]] = defaultdict(list)
    groups: list[tuple[Fact, list[Fact], float]] = []
    of: dict[int, tuple[Fact, list[Fact], float]] = {}
    for fact in sorted(found, key=lambda one: (-one.valid_from, -len(one.body), one.id)):
        own = said[fact.id]
        match = _nearest(fact, own, said, holders, threshold)
        if match is None:
            for word in own.words or {own.text}:
                holders[word].append(fact)
            continue
        keep, score = match
        if keep.id not in of:
            of[keep.id] = (keep, [], score)
            groups.append(of[keep.id])
        of[keep.id][1].append(fact)
    return tuple(Group(keep, tuple(fold), score) for keep, fold, score in groups)


def _nearest(
    fact: Fact, own: Features, said: dict[int, Features], holders: dict[str, list[Fact]], threshold: float
) -> tuple[Fact, float] | None:
    counts: dict[int, int] = defaultdict(int)
    near: dict[int, Fact] = {}
    for word in own.words or {own.text}:
        for other in holders[word]:
            counts[other.id] += 1
            near[other.id] = other
    best: tuple[Fact, float] | None = None
    for fact_id in sorted(counts, key=lambda one: (-counts[one], one)):
        other, features_of = near[fact_id], said[fact_id]
        if (other.project and other.project.id) != (fact.project and fact.project.id) or other.kind != fact.kind:
            continue
        if own.text != features_of.text and (
            own.negated != features_of.negated
            or apart(own.identifiers, features_of.identifiers)
            or min(len(own.words), len(features_of.words)) < _FEWEST_WORDS
        ):
            continue
        score = round(share(own, features_of), 4)
        if score >= threshold and (best is None or score > best[1]):
            best = (other, score)
    return best


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
