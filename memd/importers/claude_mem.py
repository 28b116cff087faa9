"""claude-mem: its database.

Read in 13.25, and held against a database that its worker wrote: `observations` (type, title, subtitle, narrative,
facts, concepts, files_read, files_modified, project, created_at_epoch) and `session_summaries` (request, learned,
completed, next_steps).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from memd.importers.model import Haul, Imported, Importer, first_line, kind_of, texts, time_of, title_of
from memd.store.foreign import has_tables, opened

NAME: Final = "claude_mem"
_SUMMARY: Final = ("request", "investigated", "learned", "completed", "next_steps", "notes")


def recognise(path: Path) -> bool:
    """Whether it is its database."""
    return not path.is_dir() and has_tables(path, "observations", "session_summaries", "sdk_sessions")


def read(path: Path) -> Haul:
    """Read observations and summaries."""
    skipped: Counter[str] = Counter()
    items: list[Imported] = []
    with opened(path) as foreign:
        for row in foreign.rows("observations"):
            item = _observation(row)
            if item is None:
                skipped["without text"] += 1
            else:
                items.append(item)
        for row in foreign.rows("session_summaries"):
            item = _summary(row)
            if item is None:
                skipped["without text"] += 1
            else:
                items.append(item)
    return Haul(NAME, tuple(items), skipped=dict(skipped))


def _observation(row: Mapping[str, Any]) -> Imported | None:
    facts = _list(row.get("facts"))
    told = [str(row.get(name) or "").strip() for name in ("subtitle", "narrative", "text")]
    body = "\n".join(filter(None, (*told, *(f"- {fact}" for fact in facts))))
    title = str(row.get("title") or first_line(body))
    if not title:
        return None
    files = dict.fromkeys((*_list(row.get("files_modified")), *_list(row.get("files_read"))))
    return Imported(
        key=f"observation/{row.get('id')}",
        kind=kind_of(row.get("type"), "discovery"),
        title=title,
        body=body or title,
        project=str(row.get("project") or "") or None,
        at_ms=time_of(row.get("created_at_epoch")) or time_of(row.get("created_at")),
        tags=_list(row.get("concepts")),
        inferred=True,
        parts=tuple(("touches", file) for file in files),
        more={"session": row["memory_session_id"]} if row.get("memory_session_id") else {},
    )


def _summary(row: Mapping[str, Any]) -> Imported | None:
    told = [(name.replace("_", " "), str(row.get(name) or "").strip()) for name in _SUMMARY]
    body = "\n".join(f"{name}: {text}" for name, text in told if text)
    if not body:
        return None
    return Imported(
        key=f"summary/{row.get('id')}",
        kind="session_summary",
        title=first_line("\n".join(text for _, text in told)) or title_of(body),
        body=body,
        project=str(row.get("project") or "") or None,
        at_ms=time_of(row.get("created_at_epoch")) or time_of(row.get("created_at")),
        inferred=True,
    )


def _list(value: object) -> tuple[str, ...]:
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return ()
    return texts(value)


IMPORTER: Final = Importer(NAME, "claude-mem", recognise, read)
