"""Examples: a call of each operation as a person would type it, for the help of subcommands."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from memd.doors.mcp.placement import Action

_VALUES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "fact": "6f0c2b91d4",
        "keep": "6f0c2b91d4",
        "other": "7a1d3c82e5",
        "session": "23456789ab",
        "message": "3456789abc",
        "query": "sqlite tide",
        "text": "Releases are on Tuesdays",
        "title": "Day of releases",
        "part": "rejected",
        "rating": "helpful",
        "label": "style",
        "value": "Short sentences",
        "old": "Short",
        "new": "Plain",
        "project": "harbor",
        "name": "harbor",
        "names": "Lamp store",
        "entity": "Lamp store",
        "alias": "Lamp shed",
        "source": "Lamp store",
        "relation": "part_of",
        "target": "Harbour",
        "start": "Lamp store",
        "symbol": "moor",
        "links": '[{"source": "Lamp", "relation": "uses", "target": "Oil"}]',
        "job": "backup",
        "path": "~/.thoth/thoth.db",
        "into": "harbor",
    }
)
"""What a parameter is given, by its name."""
_OF: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "facts.batch": {"facts": '[{"text": "Releases are on Tuesdays"}]'},
        "facts.purge": {"kind": "note", "before": "2026-01-01"},
        "facts.clear": {"project": "harbor", "confirm": "harbor"},
        "entities.add": {"name": "Lamp store"},
        "entities.search": {"query": "lamp"},
        "relations.link": {"source": "Lamp store", "relation": "part_of", "target": "Harbour", "create": ""},
        "relations.link_many": {"links": _VALUES["links"], "create": ""},
        "relations.unlink": {"source": "Lamp store", "relation": "part_of", "target": "Harbour"},
        "code.path": {"source": "moor", "target": "tide", "project": "harbor"},
        "projects.merge": {"source": "harbor-old", "into": "harbor"},
        "prompts.list": {"project": "harbor"},
        "facts.learn": {"text": "-"},
        "messages.add": {"text": "From now on run make tide before each commit"},
    }
)
"""What an operation is given besides, or instead."""


def given(action: Action, main: frozenset[str]) -> dict[str, str]:
    """Return what an example gives an operation, by parameter: what it needs, and what it is about (`main`)."""
    needed = {
        name: _VALUES.get(name, name.upper()) for name in action.parameters if name in action.required or name in main
    }
    return {**needed, **_OF.get(action.operation.name, {})}


def spelt(words: list[str]) -> str:
    """Return words as they are typed, in double quotes where they need any: of the two, people type these."""
    return " ".join(word if word.startswith("~") or shlex.quote(word) == word else _quoted(word) for word in words)


def _quoted(word: str) -> str:
    return f"'{word}'" if '"' in word else f'"{word}"'
