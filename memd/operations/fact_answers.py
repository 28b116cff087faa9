"""Answers about facts: what operations that save, change, weigh and relate facts give back.

As in `answers`: times are ISO-8601 UTC with a Z or null, ids are uids, and fields are only ever added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memd.operations.answers import FactAnswer


@dataclass(frozen=True, slots=True)
class SimilarAnswer:
    """A fact that says something alike; `score` is the share of the shorter one's terms that both have, 0 to 1."""

    id: str
    title: str
    score: float
    status: str


@dataclass(frozen=True, slots=True)
class RememberAnswer:
    """What became of something that was saved.

    `action`: ADD (a new fact), UPDATE (a fact says it better now), SUPERSEDE (and it replaced those of `replaced`),
    NONE (it is known, `repeats` counts that) or CONTRADICT (kept beside what it cannot hold together with).
    `assumed` says which of project and session was not told and where it was taken from.
    """

    fact: FactAnswer
    action: str
    reason: str
    revision: int
    repeats: int
    replaced: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    similar: tuple[SimilarAnswer, ...] = ()
    warnings: tuple[str, ...] = ()
    assumed: Mapping[str, str] | None = None
    file: str | None = None
    """Path of the Markdown file it was written to."""


@dataclass(frozen=True, slots=True)
class NotesAnswer:
    """What became of the Markdown files of notes: ids of facts that were added or changed, and what was passed over."""

    folder: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    same: int = 0
    removed: int = 0
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoteFileAnswer:
    """The Markdown file of a fact."""

    fact: str
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """What became of a batch; all of it was stored."""

    facts: tuple[RememberAnswer, ...] = ()
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LearnAnswer:
    """The learnings of a text: those that are new, and how many were known already."""

    learnt: tuple[RememberAnswer, ...]
    known: int


@dataclass(frozen=True, slots=True)
class MessagesAnswer:
    """What became of messages. `taken` is how many there were: all of them are done with, whatever was kept.

    `facts` are the facts that were kept or known, each with its action; `passed_over` says why nothing was looked for.
    """

    taken: int
    facts: tuple[RememberAnswer, ...] = ()
    passed_over: str | None = None


@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """A prompt that was kept. `repeats` counts how often it was handed in again within half a minute."""

    id: str
    text: str
    session: str | None
    project: str | None
    at: str | None
    repeats: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A fact after a change, and what it was before in the words of its history."""

    fact: FactAnswer
    action: str
    reason: str
    successor: FactAnswer | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VersionAnswer:
    """One version of a fact's words; the last one is what it says now."""

    version: int
    title: str
    text: str
    until: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class VersionsAnswer:
    """The versions of a fact, oldest first."""

    id: str
    versions: tuple[VersionAnswer, ...]


@dataclass(frozen=True, slots=True)
class DiffAnswer:
    """The difference of two versions as a unified diff; empty when they say the same."""

    id: str
    old: int
    new: int
    diff: str


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """A part of a long text. Pages in order, one after the other, are the whole; `last` is true for the final one."""

    id: str
    title: str
    text: str
    offset: int
    total: int
    last: bool


@dataclass(frozen=True, slots=True)
class TimelineAnswer:
    """What was learnt before and after a fact, in the order of time; `earlier`, `later`: whether there is more."""

    id: str
    before: tuple[FactAnswer, ...]
    fact: FactAnswer
    after: tuple[FactAnswer, ...]
    earlier: bool = False
    later: bool = False


@dataclass(frozen=True, slots=True)
class PurgeAnswer:
    """What a purge deletes, or with `applied` has deleted."""

    applied: bool
    count: int
    facts: tuple[FactAnswer, ...]


@dataclass(frozen=True, slots=True)
class DuplicateAnswer:
    """Facts that say the same: the one that stays, and those that are folded into it."""

    keep: FactAnswer
    fold: tuple[FactAnswer, ...]
    score: float


@dataclass(frozen=True, slots=True)
class ConsolidateAnswer:
    """Groups of facts that say the same; with `applied` they were folded."""

    applied: bool
    groups: tuple[DuplicateAnswer, ...]
    folded: int


@dataclass(frozen=True, slots=True)
class ContradictionAnswer:
    """Two facts that cannot both hold; `verdict` is null while nobody has decided."""

    one: FactAnswer
    other: FactAnswer
    reason: str
    found: str | None
    verdict: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class ContradictionsAnswer:
    """Contradictions, the newest first."""

    contradictions: tuple[ContradictionAnswer, ...]


@dataclass(frozen=True, slots=True)
class StaleAnswer:
    """A fact that names something which was changed or removed since.

    `lag_days` is how long after the fact was learnt or checked. `missing` are the symbols it names that the code no
    longer has. `weight` is 1 where something it names is gone, and 0.3 where all of it is still there.
    """

    fact: FactAnswer
    name: str
    change: str
    detail: str
    at: str | None
    session: str | None
    lag_days: float = 0.0
    missing: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class StalesAnswer:
    """Facts that may no longer be true, what changed last first."""

    stale: tuple[StaleAnswer, ...]


@dataclass(frozen=True, slots=True)
class UnusedAnswer:
    """A fact that nobody used within the window of its kind, in days."""

    fact: FactAnswer
    window_days: int
    idle_days: int


@dataclass(frozen=True, slots=True)
class UnusedsAnswer:
    """Facts out of use, the longest first. They stay and are found; only their weight falls."""

    unused: tuple[UnusedAnswer, ...]


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """One gate of promotion: what was reached, what is asked for, and by how much it falls short (0 when passed)."""

    name: str
    value: float
    threshold: float
    passed: bool
    short: float


@dataclass(frozen=True, slots=True)
class PromotionAnswer:
    """A fact weighed for promotion."""

    fact: FactAnswer
    score: float
    signals: Mapping[str, float]
    gates: tuple[GateAnswer, ...]
    passed: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class PromoteAnswer:
    """A run of promotion; `diary` is the file its line was appended to."""

    applied: bool
    run: str
    candidates: tuple[PromotionAnswer, ...]
    promoted: int
    diary: str | None


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """A topic key that suits a title."""

    topic: str


@dataclass(frozen=True, slots=True)
class ClearAnswer:
    """How much was deleted in a scope, by what it was."""

    project: str | None
    deleted: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """One part of a fact, such as a thing that was rejected."""

    fact: str
    title: str
    text: str
