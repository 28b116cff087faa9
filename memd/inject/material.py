"""Material: what the store holds for a project's next session, in the order of importance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from memd.inject.wakeup import Material
from memd.model import Fact, FactKind, Project
from memd.store import facts, summaries

_INSTRUCTIONS: Final[tuple[FactKind, ...]] = ("preference", "convention")
_DECISIONS: Final[tuple[FactKind, ...]] = ("decision", "architecture")
_GOTCHAS: Final[tuple[FactKind, ...]] = ("config", "discovery", "bugfix", "learning")
_EACH: Final = 16
# Of the labelled sessions' facts, four in five above this are worth a teammate's attention, below it two in five.
_SURE: Final = 0.65


def gather(conn: facts.Connection, project: Project | None) -> Material:
    """Return what a session in this project should know; without a project only what holds everywhere."""
    if project is None:
        everywhere = facts.known(conn, None)
        return Material(None, instructions=_foremost(fact for fact in everywhere if fact.kind in _INSTRUCTIONS))

    def of(kinds: tuple[FactKind, ...]) -> tuple[Fact, ...]:
        return facts.list_facts(conn, facts.FactFilter(project_id=project.id, kinds=kinds, sure=_SURE), limit=_EACH)

    last = summaries.latest_of_project(conn, project.id)
    return Material(
        project.name,
        instructions=of(_INSTRUCTIONS),
        open_ends=last.summary.open_ends if last else (),
        decisions=of(_DECISIONS),
        gotchas=of(_GOTCHAS),
        last=last.summary if last else None,
    )


def _foremost(found: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the sure ones, the newest first, and after them the others."""
    return tuple(sorted(found, key=lambda fact: (fact.confidence < _SURE, -fact.valid_from, fact.uid))[:_EACH])
