"""Items: what is handed to memd to keep, as the parameters of operations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to keep."""

    text: str = field(default="", metadata={"help": "what is so; headings What, Why, Where, Learned are taken apart"})
    title: str = field(default="", metadata={"help": "it in a few words; none: its first sentence"})
    kind: str = field(default="note", metadata={"help": "decision, preference, convention, bugfix, discovery, ..."})
    project: str | None = field(
        default=None,
        metadata={"help": "a folder in the project, its name or its id; none: the session's, or everywhere"},
    )
    scope: Literal["project", "everywhere"] = field(
        default="project", metadata={"help": "whether it holds in this project or in all of them"}
    )
    topic: str | None = field(
        default=None, metadata={"help": "a key: saving under it again replaces the words and keeps the old version"}
    )
    session: str | None = field(default=None, metadata={"help": "id of the session it comes from"})
    decided: str = field(default="", metadata={"help": "decision: what was decided"})
    because: str = field(default="", metadata={"help": "why"})
    rejected: tuple[str, ...] = field(default=(), metadata={"help": "decision: what was rejected"})
    touches: tuple[str, ...] = field(default=(), metadata={"help": "files and symbols that it concerns"})
    tags: tuple[str, ...] = field(default=(), metadata={"help": "words to find it by"})
    author: str | None = field(default=None, metadata={"help": "who says so"})
    confidence: float = field(default=1.0, metadata={"help": "how sure it is, 0 to 1"})
    basis: Literal["extracted", "inferred"] = field(
        default="extracted", metadata={"help": "said so somewhere, or concluded from something"}
    )
    epistemic: str | None = field(default=None, metadata={"help": "observed, reported, assumed, verified, disputed"})
    visibility: Literal["private", "shareable"] = field(
        default="private", metadata={"help": "whether exports for others may have it"}
    )
    domain: str | None = field(default=None, metadata={"help": "area of work, such as operations or design"})
    evergreen: bool = field(default=False, metadata={"help": "never loses weight by age"})
    metadata: Mapping[str, Any] = field(default_factory=dict, metadata={"help": "a JSON object of your own"})
    since: str | None = field(default=None, metadata={"help": "since when it holds; none: now"})
    again: bool = field(default=False, metadata={"help": "keep it as a fact of its own though it is known"})


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity of a batch."""

    name: str
    kind: str = "concept"
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedRelation:
    """A relation of a batch; nodes are names of entities or ids of facts."""

    source: str
    relation: str
    target: str
    strength: float = 0.5


@dataclass(frozen=True, slots=True)
class BatchParams:
    """Several things to keep."""

    facts: tuple[Item, ...] = field(default=(), metadata={"help": "each with what the action save takes, 100 at most"})
    entities: tuple[NamedEntity, ...] = field(default=(), metadata={"help": "name, kind, aliases"})
    relations: tuple[NamedRelation, ...] = field(default=(), metadata={"help": "source, relation, target, strength"})
    project: str | None = field(default=None, metadata={"help": "project of all that names none itself"})


@dataclass(frozen=True, slots=True)
class NoteParams:
    """A quick note."""

    text: str = field(metadata={"help": "the note"})
    title: str = field(default="", metadata={"help": "it in a few words; none: its first sentence"})
    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    session: str | None = field(default=None, metadata={"help": "id of the session it comes from"})
    tags: tuple[str, ...] = field(default=(), metadata={"help": "words to find it by"})


@dataclass(frozen=True, slots=True)
class LearnParams:
    """A text that lists what was learnt."""

    text: str = field(
        metadata={"help": "text with a list under `## Key Learnings:` (also 关键收获, Aprendizajes Clave)"}
    )
    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    session: str | None = field(default=None, metadata={"help": "id of the session it comes from"})


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation."""

    content: str
    role: str = "user"
    at: str | None = None


@dataclass(frozen=True, slots=True)
class MessagesParams:
    """Messages of a conversation that memd does not read by itself."""

    text: str = field(default="", metadata={"help": "one message of the user, in place of a list"})
    messages: tuple[Said, ...] = field(
        default=(), metadata={"help": "messages in order, each with role, content and, where it is known, at"}
    )
    infer: bool = field(
        default=True, metadata={"help": "keep what the user says that is worth it; off: each message word for word"}
    )
    reason: str = field(
        default="", metadata={"help": "why the turn ended; of one that was aborted, blocked or failed nothing is kept"}
    )
    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    session: str | None = field(default=None, metadata={"help": "id of the session it comes from"})


@dataclass(frozen=True, slots=True)
class SummaryParams:
    """A session in short, by whoever was in it."""

    session: str = field(metadata={"help": "id of the session, or how it begins or ends"})
    text: str = field(metadata={"help": "the summary; saving another one keeps this as a version"})


@dataclass(frozen=True, slots=True)
class PromptParams:
    """A prompt to keep."""

    text: str = field(metadata={"help": "what was asked"})
    session: str | None = field(default=None, metadata={"help": "id of its session"})
    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})


@dataclass(frozen=True, slots=True)
class PromptsParams:
    """Which prompts."""

    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    session: str | None = field(default=None, metadata={"help": "id of a session"})
    as_of: str | None = field(default=None, metadata={"help": "those that were kept by this time"})
    limit: int = field(default=20, metadata={"help": "at most so many"})
    offset: int = field(default=0, metadata={"help": "pass over so many"})


@dataclass(frozen=True, slots=True)
class TopicParams:
    """What a topic key is wanted for."""

    title: str = field(metadata={"help": "title of what is to be saved"})
    kind: str = field(default="note", metadata={"help": "its kind"})
