"""Answers about relations: entities, what has to do with what, and what a walk from one comes to.

As in `answers`: times are ISO-8601 UTC with a Z or null, ids are uids, and fields are only ever added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntityAnswer:
    """Something that is spoken of. `node` is its name in relations."""

    id: str
    node: str
    name: str
    kind: str
    project: str | None
    aliases: tuple[str, ...] = ()
    relations: int = 0
    origin: str = ""


@dataclass(frozen=True, slots=True)
class EntitiesAnswer:
    """Entities, with how many there are in all and whether some were left out."""

    entities: tuple[EntityAnswer, ...]
    total: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class RelationAnswer:
    """A relation of two nodes, which are entities, facts or code. The labels are what a person calls them."""

    id: str
    source: str
    relation: str
    target: str
    source_label: str
    target_label: str
    strength: float
    confidence: float
    origin: str
    valid_from: str | None
    valid_to: str | None
    fact: str | None = None
    quote: str | None = None
    extractor: str | None = None
    superseded_by: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class RelationsAnswer:
    """Relations, with how many there are in all and where the next page begins (null on the last one)."""

    relations: tuple[RelationAnswer, ...]
    total: int
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """Named entities with what they are related to; `missing` are names that nothing has."""

    entities: tuple[EntityAnswer, ...]
    relations: tuple[RelationAnswer, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """A node that was reached, in how many steps and over which nodes."""

    node: str
    label: str
    depth: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TraverseAnswer:
    """What can be reached from a node. `capped`: there was more than the most nodes asked for."""

    start: str
    nodes: tuple[NodeAnswer, ...]
    relations: tuple[RelationAnswer, ...]
    capped: bool


@dataclass(frozen=True, slots=True)
class LinkedAnswer:
    """What became of several links: how many were new, known, or skipped and why."""

    linked: int
    known: int
    skipped: Mapping[str, int]
    relations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnlinkedAnswer:
    """How many relations were taken away."""

    unlinked: int


@dataclass(frozen=True, slots=True)
class VocabularyAnswer:
    """The relations there are, the words that mean the same as each, and the kinds of entities."""

    relations: Mapping[str, tuple[str, ...]]
    entity_kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """The whole graph by numbers: entities by kind, relations by name and by origin."""

    entities: Mapping[str, int]
    relations: Mapping[str, int]
    origins: Mapping[str, int]
