"""Registration in Continue: a rules file that it puts before every session. It runs no hooks of anybody's yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd_hooks.host import Host
from memd_hooks.rules import rules_file

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "continue"


def folder(place: Place) -> Path:
    """Continue's own folder: $CONTINUE_GLOBAL_DIR, or else ~/.continue."""
    return place.folder("CONTINUE_GLOBAL_DIR", ".continue")


HOST: Final = Host(
    name=NAME,
    title="Continue",
    programs=("cn",),
    traces=lambda place: (folder(place),),
    registrations=lambda place: (rules_file(NAME, folder(place) / "rules" / "memd.md"),),
)
"""Continue, as the table of hosts has it."""
