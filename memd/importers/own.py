"""memd: the document that `memd export` writes, so that a memory can be carried to another machine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from memd.errors import ImportRefused
from memd.importers.model import (
    Haul,
    Imported,
    ImportedBlock,
    ImportedEntity,
    ImportedHandoff,
    ImportedPrompt,
    Importer,
    Link,
    Other,
    Status,
    kind_of,
    share,
    texts,
    time_of,
)
from memd.model import PartName

NAME: Final = "memd"
_MARK: Final = "memd_export"
_FORMAT: Final = 1
_PARTS: Final = frozenset(get_args(PartName))


def recognise(path: Path) -> bool:
    """Whether it is such a document."""
    if path.is_dir() or path.suffix != ".json":
        return False
    try:
        with path.open("rb") as file:
            return f'"{_MARK}"'.encode() in file.read(4096)
    except OSError:
        return False


def read(path: Path) -> Haul:
    """Read all but sessions, which come from transcripts. Raises ImportRefused for a newer format."""
    try:
        document: Any = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ImportRefused(path, f"cannot be read ({error})") from error
    if not isinstance(document, dict) or document.get(_MARK) != _FORMAT:
        raise ImportRefused(path, "was written by a memd that is newer")
    skipped: Counter[str] = Counter()
    sessions = document.get("sessions")
    if isinstance(sessions, list) and sessions:
        skipped["sessions, which come from transcripts"] = len(sessions)
    facts = [fact for fact in _rows(document.get("facts"), "id") if fact["id"]]
    items = tuple(_item(fact) for fact in facts if fact.get("origin") != "code")
    if len(items) < len(facts):
        skipped["decisions that stand in the code, which come from there"] = len(facts) - len(items)
    related = document.get("relations")
    related = related.get("relations") if isinstance(related, Mapping) else related
    links = tuple(_links(_rows(related, "source", "relation", "target"), skipped))
    return Haul(NAME, items, links, tuple(_others(document)), dict(skipped))


def _item(fact: Mapping[str, Any]) -> Imported:
    statuses: tuple[Status, ...] = ("current", "superseded", "retracted")
    parts = fact.get("parts")
    parts = parts if isinstance(parts, Mapping) else {}
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
        parts=tuple((name, str(text)) for name, text in parts.items() if name in _PARTS),
        more={"evidence": fact["evidence"]} if fact.get("evidence") else {},
    )


def _links(rows: list[Mapping[str, Any]], skipped: Counter[str]) -> Iterator[Link]:
    for row in rows:
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
        )


def _node(row: Mapping[str, Any], end: str) -> str:
    """Return what a node is called: an entity has another id in another memory, but the same name."""
    node = str(row[end])
    return str(row.get(f"{end}_label") or node) if node.startswith("entity:") else node


def _others(document: Mapping[str, Any]) -> Iterator[Other]:
    for row in _rows(document.get("entities"), "id", "name"):
        # Those that facts tell of come with their facts.
        if row.get("origin") in {"manual", None} or row.get("aliases"):
            project, aliases = _text(row.get("project")), texts(row.get("aliases"))
            yield ImportedEntity(str(row["id"]), str(row["name"]), str(row.get("kind") or "concept"), project, aliases)
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


def _text(value: Any) -> str | None:
    return str(value) if value else None


IMPORTER: Final = Importer(NAME, "memd", recognise, read)
