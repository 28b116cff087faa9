"""What importers yield: the same values whatever memory they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast

from memd.clock import parse_iso_ms
from memd.model import FACT_KIND_ALIASES, FACT_KINDS, FactKind, PartName
from memd.store.carried import Noted
from memd.store.fact_changes import Action
from memd.store.fact_marks import Change, Verdict

Status: TypeAlias = Literal["current", "superseded", "retracted"]

# An epoch in milliseconds that is not in the distant past has at least so many digits.
_MILLISECONDS: Final = 100_000_000_000
_END_MS: Final = 253_402_300_800_000
"""The year 10000, which ISO dates do not reach."""

_TITLE: Final = 120
"""Characters of a title at most."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a fact's history. `other`: uid of the fact that took its place or speaks against it."""

    at_ms: int
    action: Action
    reason: str
    old_title: str | None = None
    old_text: str | None = None
    other: str | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """Words that a fact rests on; `session` names theirs by host and the host's id."""

    quote: str
    at_ms: int | None = None
    session: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that a fact names and that was changed, removed or renamed since."""

    name: str
    change: Change
    detail: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Kept:
    """What memd itself keeps of a fact, and only memd's own export tells."""

    origin: str = "import"
    noted: Noted = field(default_factory=Noted)
    metadata: Mapping[str, object] = field(default_factory=dict)
    session: tuple[str, str] | None = None
    """The session it was learnt in, by host and the host's id."""
    changed_at: int | None = None
    """When its words or its state were changed last."""
    by_hand: bool = True
    """Whether somebody made it, or made it theirs, rather than a session that was read."""
    successor: str | None = None
    """uid of the fact that replaced it."""
    evidence: tuple[Proof, ...] = ()
    marks: tuple[Mark, ...] = ()
    history: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """One thing that another memory has kept.

    `key` names it there for good, so that it is taken over once. `project` is a path or a name, None where it holds
    everywhere. `at_ms`: since when it holds; `ended_at_ms`: until when, for what is no longer `current`.
    """

    key: str
    kind: FactKind
    title: str
    body: str
    project: str | None = None
    at_ms: int | None = None
    ended_at_ms: int | None = None
    status: Status = "current"
    tags: tuple[str, ...] = ()
    topic: str | None = None
    author: str | None = None
    confidence: float = 1.0
    epistemic: str = "unknown"
    evergreen: bool = False
    inferred: bool = False
    parts: tuple[tuple[PartName, str], ...] = ()
    more: Mapping[str, object] = field(default_factory=dict)
    """What else was there, kept as the fact's metadata."""
    kept: Kept | None = None
    """Of a fact of memd's own, whose `key` is its uid: all that was noted of it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two things, by name; what begins with `fact:` is what was kept under that key.

    `at_ms`, `ended_at_ms`: since and until when it holds, None: not told, and still. `key` names it there for good, if
    anything does.
    """

    source: str
    relation: str
    target: str
    project: str | None = None
    strength: float = 0.5
    quote: str | None = None
    key: str | None = None
    at_ms: int | None = None
    ended_at_ms: int | None = None
    origin: str | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two facts, by their keys, that cannot both hold; `verdict` (one, other, both, neither) where it was decided."""

    one: str
    other: str
    reason: str
    found_ms: int
    verdict: Verdict | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedEntity:
    """Something that is spoken of, as somebody, or a fact, named it there."""

    key: str
    name: str
    kind: str
    project: str | None = None
    aliases: tuple[str, ...] = ()
    origin: str = "manual"


@dataclass(frozen=True, slots=True)
class ImportedBlock:
    """A text that every session is shown."""

    key: str
    label: str
    value: str
    project: str | None = None
    limit: int | None = None
    position: int | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class ImportedHandoff:
    """What somebody left for whoever works on a project next."""

    key: str
    text: str
    project: str
    author: str | None = None
    at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedPrompt:
    """A prompt that was handed in to be kept."""

    key: str
    text: str
    project: str | None = None
    at_ms: int | None = None


Other: TypeAlias = ImportedEntity | ImportedBlock | ImportedHandoff | ImportedPrompt


@dataclass(frozen=True, slots=True)
class Haul:
    """All that a store gives. `skipped` counts by reason what is not taken over."""

    system: str
    items: tuple[Imported, ...]
    links: tuple[Link, ...] = ()
    others: tuple[Other, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Importer:
    """One memory. `read` raises ImportRefused for what is not what it looked like, and OSError."""

    name: str
    title: str
    recognise: Callable[[Path], bool]
    """Whether a file or folder is this memory's; raises nothing."""
    read: Callable[[Path], Haul]
    follows: bool = False
    """Whether what says something else at its origin, the next time, says so here as well."""


def kind_of(word: object, usual: FactKind = "note") -> FactKind:
    """Return the kind that another memory's word means, or the usual one."""
    text = str(word or "").strip().casefold().replace("-", "_").replace(" ", "_")
    text = FACT_KIND_ALIASES.get(text, text)
    return cast("FactKind", text) if text in FACT_KINDS else usual


def time_of(value: object) -> int | None:
    """Return a time as milliseconds: ISO text (UTC without a zone), or an epoch in seconds or milliseconds."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, datetime):
        return parse_iso_ms(value.isoformat())
    if isinstance(value, (int, float)):
        at = value if value >= _MILLISECONDS else value * 1000
        return int(at) if 0 < at < _END_MS else None  # nor is one that is no number
    text = str(value).strip()
    is_number = text.isascii() and text.replace(".", "", 1).isdigit()
    return time_of(float(text)) if is_number else parse_iso_ms(text)


def first_line(text: str, most: int = _TITLE) -> str:
    """Return the first line of a text that says something, without Markdown marks, cut at a word."""
    line = next((line.strip(" #*-\t") for line in text.splitlines() if any(char.isalnum() for char in line)), "")
    return line if len(line) <= most else line[:most].rpartition(" ")[0] + "…"


def title_of(text: str) -> str:
    """Return what to call a text that is not blank: its first line that says something, else how it begins."""
    return first_line(text) or text.strip()[:_TITLE]


def texts(value: object) -> tuple[str, ...]:
    """Return the texts in a list, or in a text with commas; none for anything else."""
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, (list, tuple)):
        return ()
    return tuple(dict.fromkeys(text for item in value if (text := str(item).strip())))


def share(value: object, usual: float = 1.0) -> float:
    """Return a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return usual
    return min(max(float(value), 0.0), 1.0)
