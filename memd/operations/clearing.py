"""Clearing: which facts a person's filter means, which say the same, and their going.

What goes in many pieces goes in many transactions; what was gone by the time its turn came is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Literal

from memd.distill import decay, stating
from memd.distill.duplicates import Group
from memd.errors import BadParameter, NotFound
from memd.model import Fact, Project
from memd.operations.fact_answers import DuplicateAnswer
from memd.operations.fact_params import kind_of, time_given
from memd.operations.scope import project_of
from memd.operations.telling import told_all
from memd.store import facts
from memd.store.facts import Connection, FactFilter

_ALL: Final = -1


def filter_of(
    kind: str | None, before: str | None, status: Literal["current", "superseded", "retracted"] | None, tag: str | None
) -> tuple[FactFilter, int | None]:
    """Return a person's filter, and the time before which facts were said; raises BadParameter."""
    kinds = None if kind is None else (kind_of(kind, "facts.purge"),)
    return FactFilter(kinds=kinds, status=status, tag=tag), time_given(before, "facts.purge")


def chosen(conn: Connection, project: int | None, wanted: tuple[FactFilter, int | None]) -> tuple[Fact, ...]:
    """Return the facts that a filter means."""
    of, before = wanted
    found = facts.list_facts(conn, replace(of, project_id=project, everywhere=project is None), _ALL)
    return tuple(fact for fact in found if before is None or fact.valid_from < before)


def purge(conn: Connection, ids: Sequence[int], reason: str, now_ms: int) -> int:
    """Delete facts of row ids, except what is gone already; return how many were."""
    gone = 0
    for fact in ids:
        with suppress(NotFound):
            stating.purge(conn, fact, now_ms, reason)
            gone += 1
    return gone


def scope_of(conn: Connection, word: str | None, confirm: str) -> Project | None:
    """Return the project that is to be cleared, None for what holds everywhere; `confirm` has to be its name.

    Raises BadParameter, NotFound.
    """
    project = project_of(conn, word)
    name = name_of(project)
    if confirm != name:
        raise BadParameter("facts.clear", f"confirm must be {name!r} to delete all that was learnt there")
    return project


def name_of(project: Project | None) -> str:
    """Return what a scope is called."""
    return "everywhere" if project is None else project.name


def shown(conn: Connection, groups: Sequence[Group]) -> tuple[DuplicateAnswer, ...]:
    """Return groups of facts that say the same, as they are told."""
    return tuple(
        DuplicateAnswer(told_all(conn, (group.keep,))[0], told_all(conn, group.fold), group.score) for group in groups
    )


def fold(conn: Connection, pairs: Sequence[tuple[int, int]], now_ms: int) -> int:
    """Let facts be part of others, except what is gone meanwhile; return how many are."""
    folded = 0
    for fact, keep in pairs:
        with suppress(NotFound):
            stating.fold(conn, fact, keep, now_ms)
            folded += 1
    return folded


def unused(found: Sequence[Fact], now_ms: int) -> tuple[tuple[Fact, int, int], ...]:
    """Return facts out of use with the window of their kind and for how many days, the longest first."""
    idle = [
        (fact, decay.window_days(fact.kind), int(decay.idle_days(fact, now_ms)))
        for fact in found
        if decay.is_unused(fact, now_ms)
    ]
    return tuple(sorted(idle, key=lambda one: (-one[2], one[0].id)))
