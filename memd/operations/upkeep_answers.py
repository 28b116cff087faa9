"""Answers of upkeep: settings, backups, indexes, what waits, and the file. JSON as in `answers`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ConfigAnswer:
    """The settings in force, by dotted name, where they come from, and what was wrong with them."""

    file: str
    settings: Mapping[str, object]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BackupAnswer:
    """A backup that was taken."""

    path: str
    at: str


@dataclass(frozen=True, slots=True)
class StopAnswer:
    """The daemon is going down."""

    pid: int


@dataclass(frozen=True, slots=True)
class IndexAnswer:
    """How many rows each full-text index holds, the indexes that are being built, and how many messages and facts have
    a vector, by model.

    `stale`: vectors of models that are not used any more; they are never compared with those of another, and go.
    `done`: how far each model that is used has come with the messages, 0 to 1. `anew`: vectors that are, or with
    `dry_run` would be, worked out anew.
    """

    indexed: Mapping[str, int]
    waiting: tuple[str, ...]
    vectors: Mapping[str, int] = field(default_factory=dict)
    fact_vectors: Mapping[str, int] = field(default_factory=dict)
    stale: int = 0
    done: Mapping[str, float] = field(default_factory=dict)
    anew: int = 0


@dataclass(frozen=True, slots=True)
class DistillAnswer:
    """How many sessions wait to be distilled."""

    waiting: int


@dataclass(frozen=True, slots=True)
class CompactAnswer:
    """Bytes of the database file before and after, and what was given back."""

    before: int
    after: int
    freed: int
