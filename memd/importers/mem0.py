"""mem0: an export of its memories as JSON.

What its API gives, saved: a list, or an object with `results` or `memories`, of `{id, memory, user_id, agent_id,
run_id, role, hash, metadata, categories, created_at, updated_at}`. Held against what `Memory.get_all()` of mem0ai 2.2
returns; what an assistant said (`infer=False` keeps that, too) is not told as its user's.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from memd.errors import ImportRefused
from memd.importers.model import Haul, Imported, Importer, texts, time_of, title_of

NAME: Final = "mem0"
_MOST_BYTES: Final = 256 << 20


def recognise(path: Path) -> bool:
    """Whether it is such a file."""
    rows = _rows(path) if path.is_file() and path.suffix == ".json" else None
    return bool(rows) and all(isinstance(row, Mapping) and "memory" in row and "id" in row for row in rows or ())


def read(path: Path) -> Haul:
    """Read every memory; those of mem0 belong to a user and to no project, so they hold everywhere."""
    rows = _rows(path)
    if rows is None:
        raise ImportRefused(path, "is no export of mem0")
    skipped: Counter[str] = Counter()
    items = []
    for row in rows:
        text = str(row.get("memory") or "").strip() if isinstance(row, Mapping) else ""
        if text:
            items.append(_item(row, text))
        else:
            skipped["without text"] += 1
    return Haul(NAME, tuple(items), skipped=dict(skipped))


def _item(row: Mapping[str, Any], text: str) -> Imported:
    scope = {name: row[name] for name in ("user_id", "agent_id", "run_id", "role", "metadata") if row.get(name)}
    said_by_model = row.get("role") == "assistant"
    return Imported(
        key=str(row.get("id")),
        kind="note",
        title=title_of(text),
        body=text,
        at_ms=time_of(row.get("updated_at")) or time_of(row.get("created_at")),
        tags=texts(row.get("categories")),
        author="assistant" if said_by_model else str(row.get("user_id") or "") or None,
        inferred=True,
        more=scope,
    )


def _rows(path: Path) -> list[Any] | None:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if isinstance(document, Mapping):
        document = document.get("results", document.get("memories"))
    return document if isinstance(document, list) else None


IMPORTER: Final = Importer(NAME, "mem0", recognise, read)
