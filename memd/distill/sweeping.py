"""Sweeping: what somebody lays down for all projects, and what becomes of what one of them has of its own.

The narrower statement goes before the wider one, as in the settings of any tool: a project's exception leaves what
holds everywhere, and a taste that holds everywhere leaves the exceptions. Only words that say they are a change from
now on, in all projects, end what projects had until then.
"""

from __future__ import annotations

import re
from typing import Final

from memd.distill.comparing import Features, compared
from memd.distill.reversal import gives_up
from memd.model import LinkKind

_FROM_NOW: Final = re.compile(
    r"\b(?:from (?:now|here|today) on(?:wards?)?|going forward|henceforth|starting (?:now|today)|as of (?:now|today)"
    r"|effective immediately|no longer|any ?more|instead of|overrides? (?:any|every|all|what))\b"
    r"|从(?:现在|今天|今)(?:起|开始)|以后|今后|往后|不再|改用|改为|これから(?:は)?|今後|앞으로"
    r"|\b(?:de ahora en adelante|a partir de ahora|ab (?:jetzt|sofort)|désormais|à partir de maintenant"
    r"|d'ora in poi|daqui em diante)\b|отныне|с этого момента",
    re.IGNORECASE,
)

_LONGEST: Final = 10_000  # characters of a text, as it is compared with others


def sweeps(said: Features) -> bool:
    """Return whether a statement that holds everywhere says that it is a change."""
    text = said.text[:_LONGEST]
    return _FROM_NOW.search(text) is not None or gives_up(text)


def across(everywhere: Features, project: Features) -> LinkKind | None:
    """Return what a statement that holds everywhere is to one of a project's, None where it leaves that as it is."""
    if not sweeps(everywhere):
        return None
    kind = compared(everywhere, project)
    return kind if kind in ("slot", "undoes", "opposite") else None
