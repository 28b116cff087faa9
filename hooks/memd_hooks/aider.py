"""Registration in Aider, which has no hooks: a file of memd's own, named in the list of files that it reads.

Aider refuses to start when a file of that list is missing, so the file comes first and goes last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd_hooks.host import Host
from memd_hooks.registration import Registration
from memd_hooks.rules import rules_file
from memd_hooks.yaml_read import ReadEntry

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "aider"


def config_file(place: Place) -> Path:
    """The person's own configuration; one in the project's folder replaces its lists."""
    return place.home / ".aider.conf.yml"


def facts_file(place: Place) -> Path:
    """The file that Aider reads. Its name is how our item in the list is known."""
    return place.data_dir / "rules" / "memd-aider.md"


def _registrations(place: Place) -> tuple[Registration, ...]:
    facts = facts_file(place)
    return (rules_file(NAME, facts), Registration(NAME, config_file(place), ReadEntry(facts)))


HOST: Final = Host(
    name=NAME,
    title="Aider",
    programs=("aider",),
    traces=lambda place: (config_file(place), place.home / ".aider"),
    registrations=_registrations,
)
"""Aider, as the table of hosts has it."""
