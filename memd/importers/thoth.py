"""Thoth-Mem: its database, its JSON export, and its folder of sync chunks.

Read in 0.4.13, and held against all three as it wrote them: `observations` (type, title, content, project, scope,
topic_key, deleted_at ...) and `observation_versions`; the export is `{"version": 1, "sessions": [], "observations": [],
"prompts": []}`; a chunk is gzipped `{"version": 2, "mutations": [{operation, entity_type, entity_id, sync_id, data}]}`.
"""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from memd.errors import ImportRefused
from memd.importers.model import Haul, Imported, Importer, kind_of, time_of, title_of
from memd.store.foreign import has_tables, opened

NAME: Final = "thoth"
_PERSONAL: Final = "personal"
_CHUNK: Final = "chunk-*.json.gz"
_MOST_BYTES: Final = 256 << 20


def recognise(path: Path) -> bool:
    """Whether it is one of the three."""
    if path.is_dir():
        return any((path / "chunks").glob(_CHUNK))
    if path.suffix == ".json":
        document = _json(path)
        return isinstance(document, dict) and "observations" in document and "exported_at" in document
    return has_tables(path, "observations", "user_prompts", "sessions")


def read(path: Path) -> Haul:
    """Read all of it; of versions the last one, of what was deleted nothing."""
    if path.is_dir():
        return _haul(_from_chunks(path))
    if path.suffix == ".json":
        document = _json(path)
        if not isinstance(document, dict):
            raise ImportRefused(path, "is no export of Thoth-Mem")
        return _haul(_listed(document, "observations"), len(_listed(document, "prompts")))
    with opened(path) as foreign:
        prompts, older = (sum(1 for _ in foreign.rows(table)) for table in ("user_prompts", "observation_versions"))
        return _haul(foreign.rows("observations"), prompts, older=older)


def _haul(rows: Iterable[Any], prompts: int = 0, *, older: int = 0) -> Haul:
    skipped: Counter[str] = Counter()
    if older:
        skipped["earlier versions"] = older
    if prompts:
        skipped["prompts, which the transcripts have"] = prompts
    items = []
    for row in rows:
        if not isinstance(row, Mapping):
            skipped["no observation"] += 1
        elif row.get("deleted_at"):
            skipped["deleted there"] += 1
        elif not str(row.get("content") or "").strip():
            skipped["without text"] += 1
        else:
            items.append(_item(row))
    return Haul(NAME, tuple(items), skipped=dict(skipped))


def _item(row: Mapping[str, Any]) -> Imported:
    body = str(row["content"])
    kept = {name: row[name] for name in ("session_id", "tool_name", "revision_count") if row.get(name)}
    return Imported(
        key=str(row.get("sync_id") or f"observation/{row.get('id')}"),
        kind=kind_of(row.get("type")),
        title=str(row.get("title") or title_of(body)),
        body=body,
        project=None if row.get("scope") == _PERSONAL else str(row.get("project") or "") or None,
        at_ms=time_of(row.get("updated_at")) or time_of(row.get("created_at")),
        topic=str(row.get("topic_key") or "") or None,
        more=kept,
    )


def _from_chunks(folder: Path) -> Iterator[Mapping[str, Any]]:
    """Give the observations as the last mutation of each left them."""
    found: dict[str, Mapping[str, Any]] = {}
    chunks = [_chunk(path) for path in sorted((folder / "chunks").glob(_CHUNK)) if path.is_file()]
    chunks.sort(key=lambda chunk: (_number(chunk.get("from_mutation_id")), str(chunk.get("created_at"))))
    for chunk in chunks:
        for mutation in _listed(chunk, "mutations"):
            if not isinstance(mutation, Mapping) or mutation.get("entity_type") != "observation":
                continue
            key = str(mutation.get("sync_id") or mutation.get("entity_id"))
            data = mutation.get("data")
            if isinstance(data, Mapping) and mutation.get("operation") != "delete":
                found[key] = {"sync_id": key, **data}
            else:
                found.pop(key, None)
    yield from found.values()


def _chunk(path: Path) -> dict[str, Any]:
    try:
        with gzip.open(path) as file:
            document = json.loads(file.read(_MOST_BYTES))
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise ImportRefused(path, f"is a damaged chunk ({error})") from error
    return document if isinstance(document, dict) else {}


def _listed(document: Mapping[str, Any], name: str) -> list[Any]:
    """Return a member that is a list; an empty one for anything else."""
    found = document.get(name)
    return found if isinstance(found, list) else []


def _number(value: object) -> float:
    return value if isinstance(value, int) or (isinstance(value, float) and not math.isnan(value)) else 0


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


IMPORTER: Final = Importer(NAME, "Thoth-Mem", recognise, read)
