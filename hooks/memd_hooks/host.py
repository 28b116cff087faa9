"""A host as install and the doctor see it: how it is recognised, what is registered in it, what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from memd_hooks.registration import Several

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memd_hooks.place import Place
    from memd_hooks.registration import Registration

Registrations: TypeAlias = "Callable[[Place], tuple[Registration, ...]]"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a host does not run what is registered in it, and what the person can do about that."""

    detail: str
    fix: str


@dataclass(frozen=True, slots=True)
class Host:
    """One coding agent."""

    name: str
    """The word for it in memd, the same as its adapter's."""
    title: str
    programs: tuple[str, ...]
    traces: Callable[[Place], tuple[Path, ...]]
    """Files and folders by which one sees that it is used here."""
    registrations: Registrations
    """What memd wants in its files, in the order in which they are written."""
    mcp: Registrations = lambda _: ()
    """Where its MCP servers stand, and memd among them."""
    hint: str = ""
    """What only the person can do after an install, as a sentence."""
    obstacles: Callable[[Place], tuple[Obstacle, ...]] = lambda _: ()
    """What keeps it from running what is registered; raises nothing."""

    def all_registrations(self, place: Place) -> tuple[Registration, ...]:
        """What memd wants in its files, those for the same file as one."""
        found: dict[Path, Registration] = {}
        for each in (*self.registrations(place), *self.mcp(place)):
            earlier = found.get(each.path)
            together = each if earlier is None else replace(earlier, entries=Several((earlier.entries, each.entries)))
            found[each.path] = together
        return tuple(found.values())

    def is_here(self, place: Place) -> bool:
        """Whether the person uses it: it has left files, or its program is there."""
        return any(path.exists() for path in self.traces(place)) or place.has_program(*self.programs)
