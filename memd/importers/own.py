"""memd: the document that `memd export` writes, so that a memory can be carried to another machine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from memd.errors import ImportRefused
from memd.importers.model import (
    Dispute,
    Haul,
    Imported,
    ImportedBlock,
    ImportedEntity,
    ImportedHandoff,
    ImportedPrompt,
    Importer,
    Kept,
    Line,
    Link,
    Mark,
    Other,
    Proof,
    Status,
    kind_of,
    share,
    texts,
    time_of,
)
from memd.model import PartName, Ruling
from memd.store import carried
from memd.store.carried import Noted
from memd.store.fact_changes import Action
from memd.store.fact_marks import Change, Verdict

NAME: Final = carried.SYSTEM
DOCUMENT: Final = "memd.json"
"""What the document is called in the folder of an export."""
_MARK: Final = "memd_export"
_FORMATS: Final = (1, 2)
_PARTS: Final = frozenset(get_args(PartName))
_NAMED: Final = ("id", "host", "native_id")


def recognise(path: Path) -> bool:
    """Whether it is such a document, or the folder that `memd export` wrote it to."""
    document = _document(path)
    if document.suffix != ".json" or not document.is_file():
        return False
    try:
        with document.open("rb") as file:
            return f'"{_MARK}"'.encode() in file.read(4096)
    except OSError:
        return False


def read(path: Path) -> Haul:
    """Read all but sessions, which come from transcripts. Raises ImportRefused for a newer format."""
    path = _document(path)
    try:
        document: Any = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ImportRefused(path, f"cannot be read ({error})") from error
    if not isinstance(document, dict) or document.get(_MARK) not in _FORMATS:
        raise ImportRefused(path, "was written by a memd that is newer")
    skipped: Counter[str] = Counter()
    sessions = document.get("sessions")
    if isinstance(sessions, list) and sessions:
        skipped["sessions, which come from transcripts"] = len(sessions)
    facts = [fact for fact in _rows(document.get("facts"), "id") if fact["id"]]
    known = {str(one["id"]): (str(one["host"]), str(one["native_id"])) for one in _rows(sessions, *_NAMED)}
    items = tuple(_item(fact, known) for fact in facts if fact.get("origin") != "code")
    if len(items) < len(facts):
        skipped["decisions that stand in the code, which come from there"] = len(facts) - len(items)
    related = document.get("relations")
    related = related.get("relations") if isinstance(related, Mapping) else related
    links = tuple(_links(_rows(related, "source", "relation", "target"), skipped))
    return Haul(NAME, items, links, tuple(_others(document)), tuple(_disputes(document)), dict(skipped))


def _document(path: Path) -> Path:
    return path / DOCUMENT if path.is_dir() else path


def _item(fact: Mapping[str, Any], sessions: Mapping[str, tuple[str, str]]) -> Imported:
    statuses: tuple[Status, ...] = ("current", "superseded", "retracted")
    return Imported(
        key=str(fact["id"]),
        kind=kind_of(fact.get("kind")),
        title=str(fact.get("title") or ""),
        body=str(fact.get("text") or ""),
        project=str(fact["project"]) if fact.get("project") else None,
        at_ms=time_of(fact.get("valid_from")),
        ended_at_ms=time_of(fact.get("valid_to")),
        status=next((status for status in statuses if status == fact.get("status")), "current"),
        tags=texts(fact.get("tags")),
        topic=str(fact["topic"]) if fact.get("topic") else None,
        author=str(fact["author"]) if fact.get("author") else None,
        confidence=share(fact.get("confidence")),
        epistemic=str(fact.get("epistemic") or "unknown"),
        evergreen=fact.get("evergreen") is True,
        inferred=fact.get("basis") == "inferred",
        parts=tuple((name, text) for name, text in _parts(fact) if name in _PARTS),
        kept=_kept(fact, sessions),
    )


def _parts(fact: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Give the parts of a fact: one by one, or as they are shown, several of a name in one text."""
    told = fact.get("all_parts")
    if isinstance(told, list):
        yield from ((one[0], str(one[1])) for one in told if isinstance(one, list) and len(one) == 2)
    elif isinstance(shown := fact.get("parts"), Mapping):
        yield from ((name, str(text)) for name, text in shown.items())


def _kept(fact: Mapping[str, Any], sessions: Mapping[str, tuple[str, str]]) -> Kept:
    metadata = fact.get("metadata")
    return Kept(
        origin=_text(fact.get("origin")) or "import",
        noted=_noted(fact),
        metadata=metadata if isinstance(metadata, Mapping) else {},
        session=sessions.get(str(fact.get("session"))),
        changed_at=time_of(fact.get("changed")),
        by_hand=fact.get("by_hand") is not False,
        successor=_text(fact.get("superseded_by")),
        evidence=tuple(
            Proof(str(one["quote"]), time_of(one.get("at")), sessions.get(str(one.get("session"))))
            for one in _rows(fact.get("evidence"), "quote")
        ),
        marks=tuple(
            Mark(str(one["name"]), one["change"], str(one.get("detail") or ""), at)
            for one in _rows(fact.get("stale"), "name", "change")
            if one["change"] in get_args(Change) and (at := time_of(one.get("at"))) is not None
        ),
        history=tuple(
            Line(
                at, one["action"], str(one["reason"]), _words(one.get("old_title")), _words(one.get("old_text")),
                _text(one.get("other")),
            )
            for one in _rows(fact.get("history"), "action", "reason")
            if one["action"] in get_args(Action) and (at := time_of(one.get("at"))) is not None
        ),
    )  # fmt: skip


def _noted(fact: Mapping[str, Any]) -> Noted:
    return Noted(
        visibility="shareable" if fact.get("visibility") == "shareable" else "private",
        domain=_text(fact.get("domain")),
        slot=_text(fact.get("slot")),
        created_at=time_of(fact.get("created")),
        seen_at=time_of(fact.get("last_seen")),
        revision=max(_count(fact, "revision"), 1),
        repeats=_count(fact, "repeats"),
        uses=_count(fact, "uses"),
        used_at=time_of(fact.get("last_used")),
        verified_at=time_of(fact.get("verified")),
        promoted_at=time_of(fact.get("promoted")),
        helpful=_count(fact, "helpful"),
        unhelpful=_count(fact, "unhelpful"),
        ruling=next((ruling for ruling in get_args(Ruling) if ruling == fact.get("ruling")), None),
    )


def _disputes(document: Mapping[str, Any]) -> Iterator[Dispute]:
    for row in _rows(document.get("contradictions"), "one", "other", "reason"):
        verdict = row.get("verdict")
        verdict = verdict if verdict in get_args(Verdict) else None
        found = time_of(row.get("found"))
        if found is not None:
            yield Dispute(str(row["one"]), str(row["other"]), str(row["reason"]), found, verdict, _text(row.get("why")))


def _count(row: Mapping[str, Any], name: str) -> int:
    told = row.get(name)
    return max(told, 0) if type(told) is int else 0


def _links(rows: list[Mapping[str, Any]], skipped: Counter[str]) -> Iterator[Link]:
    # They are listed the newest first; what held before is to come before what holds.
    oldest_first = rows[::-1]
    for row in sorted(oldest_first, key=lambda row: row.get("valid_to") is None):
        if row.get("fact"):
            skipped["relations that facts tell of, which come with them"] += 1
            continue
        yield Link(
            _node(row, "source"),
            str(row["relation"]),
            _node(row, "target"),
            project=_text(row.get("project")),
            strength=share(row.get("strength"), 0.5),
            quote=_text(row.get("quote")),
            key=_text(row.get("id")),
            at_ms=time_of(row.get("valid_from")),
            ended_at_ms=time_of(row.get("valid_to")),
            origin=_text(row.get("origin")),
            confidence=share(row.get("confidence")),
        )


def _node(row: Mapping[str, Any], end: str) -> str:
    """Return what a node is called: an entity has another id in another memory, but the same name."""
    node = str(row[end])
    return str(row.get(f"{end}_label") or node) if node.startswith("entity:") else node


def _others(document: Mapping[str, Any]) -> Iterator[Other]:
    for row in _rows(document.get("entities"), "id", "name"):
        project, aliases = _text(row.get("project")), texts(row.get("aliases"))
        kind, origin = _text(row.get("kind")) or "concept", _text(row.get("origin")) or "manual"
        yield ImportedEntity(str(row["id"]), str(row["name"]), kind, project, aliases, origin)
    for row in _rows(document.get("blocks"), "id", "label", "value"):
        project, author = _text(row.get("project")), _text(row.get("author"))
        limit, position = (row.get(name) if type(row.get(name)) is int else None for name in ("limit", "position"))
        yield ImportedBlock(str(row["id"]), str(row["label"]), str(row["value"]), project, limit, position, author)
    for row in reversed(_rows(document.get("handoffs"), "id", "text", "project")):
        at = time_of(row.get("at"))
        yield ImportedHandoff(str(row["id"]), str(row["text"]), str(row["project"]), _text(row.get("author")), at)
    for row in reversed(_rows(document.get("prompts"), "id", "text")):
        yield ImportedPrompt(str(row["id"]), str(row["text"]), _text(row.get("project")), time_of(row.get("at")))


def _rows(value: Any, *needed: str) -> list[Mapping[str, Any]]:
    listed = value if isinstance(value, list) else ()
    return [row for row in listed if isinstance(row, Mapping) and set(needed) <= row.keys()]


def _words(value: Any) -> str | None:
    return None if value is None else str(value)


def _text(value: Any) -> str | None:
    return str(value) if value else None


IMPORTER: Final = Importer(NAME, "memd", recognise, read)
