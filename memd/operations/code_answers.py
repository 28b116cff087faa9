"""Answers about code: what the operations on the code graph give back.

As in `answers`: times are ISO-8601 UTC with a Z or null, and fields are only ever added. Nodes are written as
`code:path` and `code:path::Qual.name`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SymbolAnswer:
    """A file or symbol. `signature` of a file is its language; `made_by` is what made it, as of a relation."""

    node: str
    kind: str
    line: int
    end_line: int
    signature: str
    doc: str
    since: str | None
    until: str | None
    changed: str | None
    made_by: str | None = None


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """A relation: `line` of the source's file shows it, `confidence` (0-1) says how sure that is.

    `since` is when it was first seen. `made_by` is `session ID`, else `commit SHA`: the one that gave the file the
    content which shows it first, or `uncommitted`; null where that is not known.
    """

    source: str
    relation: str
    target: str
    line: int
    confidence: float
    depth: int = 1
    since: str | None = None
    made_by: str | None = None


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """Symbols that were found."""

    project: str
    symbols: tuple[SymbolAnswer, ...]


@dataclass(frozen=True, slots=True)
class WalkAnswer:
    """What can be reached from a symbol. `more`: the limit left something off. `note` says what is not known."""

    project: str
    symbol: SymbolAnswer
    steps: tuple[StepAnswer, ...]
    reached: int
    more: bool
    note: str | None = None


@dataclass(frozen=True, slots=True)
class ImpactAnswer:
    """Who would feel a change of a symbol: symbols by how many steps away they are, files, and tests among them."""

    project: str
    symbol: SymbolAnswer
    by_depth: Mapping[str, tuple[str, ...]]
    files: tuple[str, ...]
    tests: tuple[str, ...]
    reached: int
    more: bool
    note: str | None = None


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """The shortest way from one symbol to another, along any relation in its own direction; empty: there is none."""

    project: str
    source: str
    target: str
    steps: tuple[StepAnswer, ...]


@dataclass(frozen=True, slots=True)
class ReasonAnswer:
    """A comment in the code that gives a reason."""

    node: str
    tag: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class FactLinkAnswer:
    """A fact that names a symbol or its file."""

    id: str
    kind: str
    title: str
    text: str
    status: str


@dataclass(frozen=True, slots=True)
class SessionLinkAnswer:
    """A session that changed a symbol (its text stands in what was edited) or only its file."""

    id: str
    host: str
    title: str | None
    at: str | None
    edited_symbol: bool


@dataclass(frozen=True, slots=True)
class ErrorLinkAnswer:
    """An error that names a symbol or its file, or that a session had which then edited the symbol; `fix` mended it."""

    text: str
    session: str
    at: str | None
    fixed: bool | None
    fix: str | None
    names_it: bool


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """Tests that a session ran which edited a symbol, and how the last run ended."""

    command: str
    session: str
    at: str | None
    ok: bool | None


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """Why a symbol is as it is: reasons in the code, facts that name it, sessions that made or changed it.

    `errors` are what went wrong with it and what mended that, `runs` tests of sessions that edited it, `tests` those
    in the code that lead to it. `gone` is set for one that is no longer there.
    """

    project: str
    symbol: SymbolAnswer
    reasons: tuple[ReasonAnswer, ...]
    facts: tuple[FactLinkAnswer, ...]
    sessions: tuple[SessionLinkAnswer, ...]
    gone: str | None = None
    errors: tuple[ErrorLinkAnswer, ...] = ()
    runs: tuple[RunAnswer, ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageAnswer:
    """How much code there is in one language; `waiting` files have relations of an older state."""

    language: str
    files: int
    lines: int
    waiting: int


@dataclass(frozen=True, slots=True)
class CodeStatusAnswer:
    """How far the code of a project is known. `looked_at` null: it never was, `code.index` does it."""

    project: str
    root: str
    looked_at: str | None
    head: str | None
    languages: tuple[LanguageAnswer, ...]
    symbols: int
    relations: Mapping[str, int]
    unresolved: int
    skipped: Mapping[str, int]
    working: bool
    error: str | None = None


@dataclass(frozen=True, slots=True)
class CodeIndexAnswer:
    """What looking through the code of a project came to, as counts of files."""

    project: str
    root: str
    looked_at: int
    changed: int
    gone: int
    resolved: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HubAnswer:
    """A symbol with how many relations lead to it and from it."""

    node: str
    incoming: int
    outgoing: int


@dataclass(frozen=True, slots=True)
class BridgeAnswer:
    """A symbol that alone holds `parts` groups together, the smallest of which has `cut_off` symbols."""

    node: str
    parts: int
    cut_off: int


@dataclass(frozen=True, slots=True)
class SubsystemAnswer:
    """Symbols that have most to do with each other; `cohesion` (0-1) is the share of their relations among them."""

    name: str
    size: int
    cohesion: float
    busiest: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HubsAnswer:
    """The busiest symbols."""

    project: str
    hubs: tuple[HubAnswer, ...]


@dataclass(frozen=True, slots=True)
class BridgesAnswer:
    """The symbols that hold parts together."""

    project: str
    bridges: tuple[BridgeAnswer, ...]


@dataclass(frozen=True, slots=True)
class SubsystemsAnswer:
    """The parts that a project falls into."""

    project: str
    subsystems: tuple[SubsystemAnswer, ...]


@dataclass(frozen=True, slots=True)
class CodeReasonsAnswer:
    """Comments in the code that give reasons, by file and line."""

    project: str
    reasons: tuple[ReasonAnswer, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class IssueAnswer:
    """Something that the graph does not have as it is: `issue` is stale, missing, vanished, waiting or dangling."""

    issue: str
    node: str


@dataclass(frozen=True, slots=True)
class CodeCheckAnswer:
    """Whether the graph agrees with the files as they are. `ok` when there is no issue."""

    project: str
    files: int
    ok: bool
    counts: Mapping[str, int]
    issues: tuple[IssueAnswer, ...]


@dataclass(frozen=True, slots=True)
class UnresolvedAnswer:
    """A reference without grounds."""

    node: str
    name: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class CodeGapsAnswer:
    """What the graph does not tell: references without grounds (a count of all), symbols that nothing uses."""

    project: str
    unresolved_count: int
    unresolved: tuple[UnresolvedAnswer, ...]
    unused: tuple[str, ...]
    loose: tuple[str, ...]
