"""The model: frozen values that every room speaks in.

Times are UTC epoch milliseconds or None where the host does not tell. Ids of rows are ints inside the database; `uid`
is a UUIDv7 that stays the same on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from memd.adapter import ChangeOp, MessageKind, Role, SessionKind, ToolKind

SessionState: TypeAlias = Literal["live", "idle", "ended"]
FactKind: TypeAlias = Literal[
    "decision",
    "preference",
    "convention",
    "bugfix",
    "discovery",
    "config",
    "architecture",
    "learning",
    "open_question",
    "task",
    "event",
    "note",
    "session_summary",
]
FactStatus: TypeAlias = Literal["current", "superseded", "retracted"]
PartName: TypeAlias = Literal[
    "decided",
    "because",
    "rejected",
    "touches",
    "cause",
    "fix",
    "command",
    "purpose",
    "what",
    "why",
    "where",
    "learned",
]
FactChange: TypeAlias = Literal["changed", "removed", "renamed"]
FactBasis: TypeAlias = Literal["extracted", "inferred"]
Visibility: TypeAlias = Literal["private", "shareable"]
Ruling: TypeAlias = Literal[
    "kept",  # a person wants it current: the judge never closes it
    "closed",  # a person ended it: its status and times are theirs
]
LinkKind: TypeAlias = Literal[
    "same",  # both say the same, one perhaps more precisely
    "slot",  # both give a value to what can have but one
    "undoes",  # the first takes back what the second says
    "undone",  # the second takes back what the first says
    "opposite",  # alike but for a negation
]

FACT_KINDS: Final[tuple[str, ...]] = get_args(FactKind)

# The words other tools use for the same thing.
FACT_KIND_ALIASES: Final[dict[str, FactKind]] = {
    "adr": "decision",
    "choice": "decision",
    "instruction": "preference",
    "rule": "convention",
    "pattern": "convention",
    "fix": "bugfix",
    "bug": "bugfix",
    "gotcha": "discovery",
    "finding": "discovery",
    "environment": "config",
    "command": "config",
    "design": "architecture",
    "lesson": "learning",
    "question": "open_question",
    "todo": "task",
    "handoff": "session_summary",
}


@dataclass(frozen=True, slots=True)
class Project:
    """A body of work: the main checkout's root, whatever worktree or folder a session ran in."""

    id: int
    uid: str
    root: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call with what came of it. `ok` is None while no result was seen or the host does not tell."""

    call_id: str
    name: str
    kind: ToolKind
    input: str
    ok: bool | None = None
    exit_code: int | None = None
    output: str = ""
    output_chars: int = 0
    """Characters the host stored; `output` may be cut to its head and tail."""
    changes: tuple[ChangedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file changed in a session."""

    path: str
    op: ChangeOp
    added: int | None = None
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a session, whole. `id` is 0 for a message that was never stored (a preview)."""

    id: int
    key: str
    seq: int
    role: Role
    kind: MessageKind
    at: int | None
    text: str
    thinking: str = ""
    model: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a host. `messages` counts its own messages, not those it shares with the session it came from."""

    id: int
    uid: str
    host: str
    native_id: str
    kind: SessionKind = "main"
    parent: str | None = None
    """Native id of the session that started this one as its agent."""
    forked_from: str | None = None
    """Native id of the session whose history this one continues."""
    project: Project | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    agent: str | None = None
    version: str | None = None
    title: str | None = None
    started_at: int | None = None
    last_at: int | None = None
    ended_at: int | None = None
    end_reason: str | None = None
    state: SessionState = "live"
    messages: int = 0
    revision: int = 0
    """Grows with every change, so that a consumer knows how much of it it has seen."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session with its messages in order: what distillation reads and `memd show` prints."""

    session: Session
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a fact comes from. `message` is the row id of the message, 0 in a preview."""

    message: int
    session: int
    quote: str
    at: int | None = None


@dataclass(frozen=True, slots=True)
class FactPart:
    """One queryable part of a fact (what was decided, why, what was rejected, ...)."""

    name: PartName
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that distillation holds worth keeping, before the judge has seen it."""

    kind: FactKind
    title: str
    body: str
    parts: tuple[FactPart, ...]
    evidence: tuple[Evidence, ...]
    confidence: float
    """0 to 1: how sure the rules are."""
    at: int | None
    everywhere: bool = False
    """True for what holds in every project (the user's own standing instructions)."""
    slot: str | None = None
    """What the statement is about (`command:test`, `choice:package manager`); a project has one value for each."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a fact names and that is another now, or gone. `session` is the uid of the session that did it."""

    name: str
    change: FactChange
    detail: str
    at: int
    session: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing worth knowing."""

    id: int
    uid: str
    project: Project | None
    kind: FactKind
    title: str
    body: str
    status: FactStatus
    confidence: float
    valid_from: int
    created_at: int
    updated_at: int
    parts: tuple[FactPart, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    tags: tuple[str, ...] = ()
    slot: str | None = None
    topic: str | None = None
    epistemic: str = "unknown"
    origin: str = "distill"
    author: str | None = None
    evergreen: bool = False
    valid_to: int | None = None
    superseded_by: str | None = None
    """uid of the fact that replaced this one."""
    session: str | None = None
    """uid of the session it was learnt in."""
    uses: int = 0
    last_used_at: int | None = None
    verified_at: int | None = None
    revision: int = 1
    """Which version of its words this is."""
    repeats: int = 0
    """How often the same was saved again."""
    last_seen_at: int | None = None
    """When it was said or saved last."""
    basis: FactBasis = "extracted"
    visibility: Visibility = "private"
    domain: str | None = None
    metadata: str = "{}"
    """The caller's own JSON object."""
    helpful: int = 0
    unhelpful: int = 0
    promoted_at: int | None = None
    ruling: Ruling | None = None
    doubts: tuple[Doubt, ...] = ()
    """Why it may be out of date, what changed last first."""

    def held_at(self, at: int) -> bool:
        """Return whether it held at a time (UTC milliseconds); what was taken back as never true held at none."""
        return self.valid_from <= at and (self.valid_to is None or self.valid_to > at)


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command of a session with its last outcome."""

    command: str
    ok: bool | None


@dataclass(frozen=True, slots=True)
class ErrorSeen:
    """An error of a session: its telling line, and whether and how it was fixed."""

    text: str
    fixed: bool
    fix: str | None


@dataclass(frozen=True, slots=True)
class PackageChange:
    """A package that a session added, removed or upgraded."""

    name: str
    action: Literal["add", "remove", "upgrade"]


@dataclass(frozen=True, slots=True)
class Events:
    """What happened in a session, taken from tool calls and never from prose."""

    files_changed: tuple[str, ...] = ()
    commands: tuple[CommandRun, ...] = ()
    commits: tuple[str, ...] = ()
    errors: tuple[ErrorSeen, ...] = ()
    packages: tuple[PackageChange, ...] = ()
    urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """A session in short. `text` is Markdown; `open_ends` is what was left undone or unanswered."""

    title: str
    text: str
    open_ends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    """A relation of the vocabulary that a model found in what a candidate says; `body` is the candidate's."""

    body: str
    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Distilled:
    """What distillation makes of one session. `related` is a model's alone; what rules see, facts tell themselves."""

    summary: Summary
    candidates: tuple[Candidate, ...]
    events: Events
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """What one session says, or a person: kept as it was said. Facts are what all claims together come to.

    `id` is its row id, `session` that of its session (None: a person said it to memd), `fact` that of what it came to.
    """

    id: int
    statement: int
    """Row id of what it states, which is the same for all who state it in the same words."""
    session: int | None
    project: int | None
    """Row id of its project; None: it holds everywhere."""
    fact: int | None
    kind: FactKind
    title: str
    body: str
    parts: tuple[FactPart, ...]
    tags: tuple[str, ...]
    slot: str | None
    confidence: float
    at: int | None
    words: int
    """How many terms it has."""
    identifiers: frozenset[str] = frozenset()
