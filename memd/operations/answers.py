"""Answers: what operations give back. Each of these is the documented JSON, field by field.

Times are ISO-8601 UTC with a Z, or null. `id` is the uid, which stays the same on every machine; `project` is the root
of a project's main checkout. Fields are only ever added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from memd.operations.event_answers import EventsAnswer


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """A session. `messages` counts its own; `parent` is the host's id of the session that started this one."""

    id: str
    native_id: str
    host: str
    project: str | None
    title: str | None
    started: str | None
    ended: str | None
    messages: int
    parent: str | None
    kind: str = "main"
    state: str = "live"
    last: str | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    agent: str | None = None
    forked_from: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeAnswer:
    """A file that a tool call changed."""

    path: str
    op: str
    added: int | None
    removed: int | None


@dataclass(frozen=True, slots=True)
class ToolCallAnswer:
    """A tool call with what came of it; `input` is the host's JSON as text, `output` may be cut to `output_chars`."""

    id: str
    name: str
    kind: str
    input: str
    ok: bool | None
    exit_code: int | None
    output: str
    output_chars: int
    changes: tuple[ChangeAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageAnswer:
    """A message of a session. `abandoned`: the user went back behind it; `id` is what `forget_message` takes."""

    role: str
    kind: str
    at: str | None
    text: str
    tool_calls: tuple[ToolCallAnswer, ...]
    abandoned: bool = False
    model: str | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class SummaryAnswer:
    """A session in short."""

    title: str
    text: str
    open_ends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowAnswer:
    """A session whole, with the sessions its agents ran in and, once it was distilled, its summary.

    `events` is what happened in it, where that was asked for.
    """

    session: SessionAnswer
    messages: tuple[MessageAnswer, ...]
    subagents: tuple[SessionAnswer, ...] = ()
    summary: SummaryAnswer | None = None
    events: EventsAnswer | None = None


@dataclass(frozen=True, slots=True)
class EvidenceAnswer:
    """Where a fact comes from: the words, their session and their time."""

    quote: str
    session: str | None
    at: str | None


@dataclass(frozen=True, slots=True)
class DoubtAnswer:
    """Why a fact may be out of date: something it names was changed, removed or renamed since, by a session or not.

    Told where facts are searched: how many sessions did, how many days after the fact was known to hold, which symbols
    that the fact names the code has no more, and how much it all weighs (1, or 0.3 where they are all there).
    """

    name: str
    change: str
    detail: str
    at: str | None
    session: str | None
    sessions: int | None = None
    lag_days: float | None = None
    missing: tuple[str, ...] = ()
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class FactAnswer:
    """A fact. `project` is null for what holds everywhere; `session` is the one it was learnt in."""

    id: str
    kind: str
    title: str
    text: str
    project: str | None
    status: str
    session: str | None
    evidence: tuple[EvidenceAnswer, ...]
    parts: Mapping[str, str] = field(default_factory=dict)
    confidence: float = 0.0
    valid_from: str | None = None
    valid_to: str | None = None
    superseded_by: str | None = None
    tags: tuple[str, ...] = ()
    topic: str | None = None
    epistemic: str = "unknown"
    basis: str = "extracted"
    origin: str = "distill"
    author: str | None = None
    evergreen: bool = False
    visibility: str = "private"
    domain: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    revision: int = 1
    repeats: int = 0
    last_seen: str | None = None
    uses: int = 0
    last_used: str | None = None
    maturity: str = "candidate"
    verified: str | None = None
    promoted: str | None = None
    helpful: int = 0
    unhelpful: int = 0
    stale: tuple[DoubtAnswer, ...] = ()
    """What it names that is another now, or gone, what changed last first."""


@dataclass(frozen=True, slots=True)
class ChangeOfFact:
    """One entry of a fact's history."""

    at: str | None
    action: str
    reason: str
    old_title: str | None = None
    old_text: str | None = None
    other: str | None = None
    """The fact that replaced it."""
    session: str | None = None
    """The session that said so."""


@dataclass(frozen=True, slots=True)
class FactShowAnswer:
    """A fact with its history, oldest first."""

    fact: FactAnswer
    history: tuple[ChangeOfFact, ...] = ()


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """How fresh and how sure something found is; all but its age is told of facts only.

    `age_days`: how many days ago it was said, a fact for the last time, whenever memd came to know of it.
    `verified_days`: how many days ago somebody checked it, or it was promoted. `revision`: which version of its words
    it is; `repeats`: how often the same was saved again.
    """

    age_days: float | None = None
    last_used: str | None = None
    uses: int | None = 0
    verified: str | None = None
    evergreen: bool | None = False
    maturity: str | None = None
    basis: str | None = None
    confidence: float | None = None
    verified_days: float | None = None
    revision: int | None = None
    repeats: int | None = None


@dataclass(frozen=True, slots=True)
class HitAnswer:
    """Something found. `kind` is `message` or the fact's kind; `id` the fact's id, null for a message.

    `role` is who said the text: `user`, `assistant`, or `tool` for what a tool printed; `tool` names the tool whose
    call or output the text is. `sentence` is the one that holds what was asked for, of a fact its evidence. `why` are
    the parts of the score: those of a message add up to it, those of a fact or of what a call holds are multiplied.
    `chars` is how long the whole of it is.
    """

    text: str
    session: str | None
    score: float
    at: str | None
    kind: str
    id: str | None
    title: str | None
    project: str | None
    host: str | None
    role: str | None
    lanes: tuple[str, ...]
    sentence: str = ""
    why: Mapping[str, float] = field(default_factory=dict)
    fresh: FreshAnswer = field(default_factory=FreshAnswer)
    tool: str | None = None
    chars: int = 0
    stale: tuple[DoubtAnswer, ...] = ()
    """Of a fact: what it names that is another now, or gone, what changed last first."""
    message: str | None = None
    """Id of the message, as `sessions.show` tells it."""
    path: tuple[str, ...] = ()
    """Of a fact that only its relations lead to: the way, what is related and how by turns (`<uses`: is used by)."""


NO_PATTERN: Final = "this is no valid regular expression; it was looked for as it stands"
"""What the notes of an answer say of a pattern that is none."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """What was found, best first, and the lanes that were searched.

    `notes` says of a lane that did not run, not to its end, or by other means, why. `read_as` are words that are in no
    message, with those one letter away that were looked for instead. `sure` is false where what was found hardly
    answers the query, `found` where nothing did: the hits are then only what comes nearest. `grounds` are the figures
    that say so, if asked for. `chars` counts the texts of the hits, `left` the hits for which there was no room.
    """

    query: str
    hits: tuple[HitAnswer, ...]
    lanes: tuple[str, ...]
    notes: Mapping[str, str] = field(default_factory=dict)
    read_as: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sure: bool = True
    found: bool = True
    grounds: Mapping[str, float] = field(default_factory=dict)
    chars: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class WakeupAnswer:
    """What a session would be given, its estimated tokens and the facts in it. No text: nothing worth saying."""

    project: str | None
    text: str
    tokens: int
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportAnswer:
    """What was imported, or with `dry_run` would be.

    `found` counts what was there, `added` facts that are new, `known` those that memd has word for word, `before` those
    that an earlier import took over, `changed` facts that another memd changed later, `others` what else is new
    (entities, blocks, handoffs, prompts), `skipped` what is not taken over, by reason. `absent` are folders it names as
    projects that are not on this machine: each is a project of its own until `projects.merge` joins it to one here. For
    a transcript `sessions` are the sessions in it and `messages` how many they hold now.
    """

    path: str
    what: str
    dry_run: bool
    found: int
    added: int
    known: int = 0
    before: int = 0
    changed: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    projects: Mapping[str, int] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    relations: int = 0
    others: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    examples: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    messages: int = 0


@dataclass(frozen=True, slots=True)
class ProjectAnswer:
    """A project with how many sessions (without those of agents) and current facts it has."""

    id: str
    name: str
    root: str
    sessions: int
    facts: int
    last: str | None
