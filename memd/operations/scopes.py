"""Scopes: what a search is about, as which facts, calls and messages it looks through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memd.adapter import ToolKind
from memd.model import FactKind

ScopeName: TypeAlias = Literal["all", "errors", "plans", "configs", "tools", "files", "decisions"]


@dataclass(frozen=True, slots=True)
class Scope:
    """Which facts (None: of any kind, empty: none), whether messages, and which calls (None: none)."""

    facts: tuple[FactKind, ...] | None = None
    messages: bool = True
    calls: bool = True
    call_kinds: tuple[ToolKind, ...] | None = None
    ok: bool | None = None


SCOPES: Final[dict[ScopeName, Scope]] = {
    "all": Scope(),
    "errors": Scope(("bugfix", "discovery"), messages=False, ok=False),
    "plans": Scope(("task", "open_question"), messages=False, call_kinds=("todo",)),
    "configs": Scope(("config", "convention", "preference"), messages=False, calls=False),
    "tools": Scope((), messages=False),
    "files": Scope((), messages=False, call_kinds=("edit", "write", "read")),
    "decisions": Scope(("decision", "architecture", "convention", "preference"), messages=False, calls=False),
}
