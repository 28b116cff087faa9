"""Parameters of operations on entities and relations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

_PROJECT = "a folder in the project, its name or its id; none: everywhere"
_NODE = "an entity's name, a fact's id, or a node (entity:…, fact:…, code:path::symbol)"
_ASKED = f"{_NODE}; also project:NAME and topic:WORDS"
_AS_OF = "what held at this time; none: now"


@dataclass(frozen=True, slots=True)
class EntityParams:
    """An entity to add."""

    name: str = field(metadata={"help": "what it is called"})
    kind: str = field(default="concept", metadata={"help": "kind of entity; the action vocabulary lists them"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    aliases: tuple[str, ...] = field(default=(), metadata={"help": "other names for it"})


@dataclass(frozen=True, slots=True)
class EntitySearchParams:
    """Which entities."""

    query: str = field(default="", metadata={"help": "part of a name; none: all"})
    kind: str | None = field(default=None, metadata={"help": "only of this kind"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    limit: int = field(default=50, metadata={"help": "at most so many"})
    offset: int = field(default=0, metadata={"help": "pass over so many"})


@dataclass(frozen=True, slots=True)
class OpenParams:
    """Entities by name."""

    names: tuple[str, ...] = field(metadata={"help": "names, or other names, of entities"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    as_of: str | None = field(default=None, metadata={"help": _AS_OF})


@dataclass(frozen=True, slots=True)
class AliasParams:
    """Another name for an entity."""

    entity: str = field(metadata={"help": "its name"})
    alias: str = field(metadata={"help": "the other name; an entity that has it is folded into this one"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})


@dataclass(frozen=True, slots=True)
class LinkParams:
    """A relation to add."""

    source: str = field(metadata={"help": _NODE})
    relation: str = field(metadata={"help": "what source is to target; the action vocabulary lists them"})
    target: str = field(metadata={"help": _NODE})
    strength: float = field(default=0.5, metadata={"help": "0 to 1"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    create: bool = field(default=False, metadata={"help": "make entities of names that nothing has"})
    since: str | None = field(default=None, metadata={"help": "since when it holds; none: now"})
    quote: str | None = field(default=None, metadata={"help": "the sentence that says so"})


@dataclass(frozen=True, slots=True)
class OneLink:
    """One of several relations."""

    source: str
    relation: str
    target: str
    strength: float = 0.5


@dataclass(frozen=True, slots=True)
class LinkManyParams:
    """Relations to add together."""

    links: tuple[OneLink, ...] = field(metadata={"help": "source, relation, target, strength of each"})
    origin: str = field(default="manual", metadata={"help": "a name for where they come from, to take them away by"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    create: bool = field(default=True, metadata={"help": "make entities of names that nothing has"})


@dataclass(frozen=True, slots=True)
class UnlinkParams:
    """Which relations to take away: one by its nodes, or all of an origin."""

    source: str | None = field(default=None, metadata={"help": _NODE})
    relation: str | None = field(default=None, metadata={"help": "the relation"})
    target: str | None = field(default=None, metadata={"help": _NODE})
    origin: str | None = field(default=None, metadata={"help": "where they come from: manual, distill, auto-link, ..."})
    project: str | None = field(default=None, metadata={"help": _PROJECT})


@dataclass(frozen=True, slots=True)
class EndLinkParams:
    """A relation that no longer holds."""

    source: str = field(metadata={"help": _NODE})
    relation: str = field(metadata={"help": "the relation"})
    target: str = field(metadata={"help": _NODE})
    at: str | None = field(default=None, metadata={"help": "until when it held; none: now"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    reason: str = field(default="", metadata={"help": "why"})


@dataclass(frozen=True, slots=True)
class RelationListParams:
    """Which relations."""

    node: str | None = field(default=None, metadata={"help": _ASKED + "; none: all"})
    relation: str | None = field(default=None, metadata={"help": "only this relation"})
    origin: str | None = field(default=None, metadata={"help": "only of this origin"})
    direction: Literal["out", "in", "both"] = field(default="both", metadata={"help": "out, in or both"})
    status: Literal["current", "superseded", "all"] = field(
        default="current", metadata={"help": "current, superseded or all"}
    )
    as_of: str | None = field(default=None, metadata={"help": _AS_OF})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    limit: int = field(default=100, metadata={"help": "at most so many"})
    offset: int = field(default=0, metadata={"help": "pass over so many"})


@dataclass(frozen=True, slots=True)
class TraverseParams:
    """Where to start and how far to go."""

    start: str = field(metadata={"help": _ASKED})
    depth: int = field(default=2, metadata={"help": "at most so many steps, 1 to 10"})
    direction: Literal["out", "in", "both"] = field(default="both", metadata={"help": "out, in or both"})
    relations: tuple[str, ...] = field(default=(), metadata={"help": "only over these relations"})
    as_of: str | None = field(default=None, metadata={"help": _AS_OF})
    most: int = field(default=200, metadata={"help": "at most so many nodes"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})


@dataclass(frozen=True, slots=True)
class SummaryParams:
    """Of which time."""

    as_of: str | None = field(default=None, metadata={"help": _AS_OF})


@dataclass(frozen=True, slots=True)
class PruneParams:
    """How much of the past to keep."""

    keep: int = field(default=20, metadata={"help": "so many ended relations of each source and relation are kept"})
    apply: bool = field(default=False, metadata={"help": "do it; without this only the numbers are shown"})
