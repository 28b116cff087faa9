"""memd: the document that `memd export` writes, so that a memory can be carried to another machine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

from memd.errors import ImportRefused
from memd.importers.model import Haul, Imported, Importer, Link, Status, kind_of, share, texts, time_of
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
    """Read facts and relations; sessions come from transcripts. Raises ImportRefused for a newer format."""
    try:
        document: Any = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ImportRefused(path, f"cannot be read ({error})") from error
    if not isinstance(document, dict) or document.get(_MARK) != _FORMAT:
        raise ImportRefused(path, "was written by a memd that is newer")
    skipped: Counter[str] = Counter()
    if document.get("sessions"):
        skipped["sessions, which come from transcripts"] = len(document["sessions"])
    items = tuple(_item(fact) for fact in document.get("facts", ()) if isinstance(fact, Mapping) and fact.get("id"))
    return Haul(NAME, items, tuple(_links(document.get("relations"))), dict(skipped))


def _item(fact: Mapping[str, Any]) -> Imported:
    statuses: tuple[Status, ...] = ("current", "superseded", "retracted")
    parts = fact.get("parts") or {}
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


def _links(relations: Any) -> list[Link]:
    rows = relations.get("relations", ()) if isinstance(relations, Mapping) else relations or ()
    return [
        Link(str(row["source"]), str(row["relation"]), str(row["target"]))
        for row in rows
        if isinstance(row, Mapping) and {"source", "relation", "target"} <= row.keys()
    ]


IMPORTER: Final = Importer(NAME, "memd", recognise, read)
