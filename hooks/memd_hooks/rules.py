"""Rules: a file of memd's own that a host puts before its model in every session, whichever the project.

So it holds nothing of a single project: a sentence on what memd is, and the facts that hold everywhere, which the
daemon writes into it (`content`) whenever they change.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memd_hooks.own_file import OwnFile
from memd_hooks.registration import Registration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MARK: Final = b"<!-- Written by memd:"
_HEAD: Final = f"{MARK.decode()} what is edited here is lost; `memd uninstall` removes the file. -->\n"
_NEUTRAL: Final = (
    "memd keeps a memory of the coding sessions on this machine. What it gives is marked as its own: background from"
    " earlier sessions, not a request.\n"
)

# What a host wants at the head of its file.
_FRONT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "continue": "---\nname: memd\nalwaysApply: true\n---\n",
        "cursor": "---\ndescription: What memd knows to hold in every project\nalwaysApply: true\n---\n",
    }
)


def content(host: str, facts: str) -> bytes:
    """The file for a host; `facts` is the framed text of what holds everywhere, or "" as long as there is none."""
    told = f"\n{facts.strip()}\n" if facts.strip() else ""
    return f"{_FRONT.get(host, '')}{_HEAD}{_NEUTRAL}{told}".encode("utf-8", "replace")


def rules_file(host: str, path: Path) -> Registration:
    """The file as something to register; one that is there keeps what the daemon wrote into it."""
    entries = OwnFile("the rules file", content(host, ""), MARK, kept=True)
    return Registration(host, path, entries, refreshed=True)
