"""RAWThink: its vault of Markdown files and its `memory.jsonl`.

Read in 2.0.1: lines `{"type": "entity", name, entityType, domain, epistemic, observations: [{text, kind, created,
status, invalidated_at}]}` and `{"type": "relation", from, to, relationType}`; `vault/sessions` and `vault/qnotes` with
front matter id, date, tags, session_ref.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memd.errors import ImportRefused
from memd.importers.markdown import Page, pages
from memd.importers.model import Haul, Imported, Importer, Link, Status, first_line, kind_of, time_of
from memd.model import FactKind, PartName

NAME: Final = "rawthink"
_FOLDERS: Final = {"sessions": "session_summary", "qnotes": "note"}
_PARTS: Final[Mapping[str, PartName]] = {
    "decided": "decided",
    "rejected": "rejected",
    "because": "because",
    "touches": "touches",
}
# How RAWThink holds a thing to be true, in memd's words.
_EPISTEMIC: Final[Mapping[str, str]] = {"assertion": "reported", "hypothesis": "assumed", "speculation": "assumed"}
_HEAD_BYTES: Final = 1 << 16


def recognise(path: Path) -> bool:
    """Whether it is the graph's file, the vault, or the folder that has both."""
    if path.is_dir():
        vault = path / "vault" if (path / "vault").is_dir() else path
        return (path / "memory.jsonl").is_file() or ((vault / "sessions").is_dir() and (vault / "qnotes").is_dir())
    if path.suffix != ".jsonl":
        return False
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline(_HEAD_BYTES))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and (
        (first.get("type") == "entity" and "observations" in first)
        or (first.get("type") == "relation" and "relationType" in first)
    )


def read(path: Path) -> Haul:
    """Read graph and vault."""
    skipped: Counter[str] = Counter()
    items: list[Imported] = []
    links: list[Link] = []
    graph = path / "memory.jsonl" if path.is_dir() else path
    if graph.is_file():
        for row in _lines(graph, skipped):
            if row.get("type") == "entity":
                items += _entity(row)
            elif row.get("type") == "relation":
                links.append(Link(str(row.get("from")), str(row.get("relationType")), str(row.get("to"))))
            else:
                skipped["lines of another type"] += 1
    if path.is_dir():
        vault = path / "vault" if (path / "vault").is_dir() else path
        for folder, kind in _FOLDERS.items():
            items += _notes(vault, folder, kind_of(kind), skipped)
    return Haul(NAME, tuple(items), tuple(links), skipped=dict(skipped))


def _entity(row: Mapping[str, Any]) -> Iterator[Imported]:
    """Give an entity as one thing with its parts, and each of its observations that no longer holds as one."""
    name = str(row.get("name") or "")
    observations = [_observation(one) for one in row.get("observations") or ()]
    active = [one for one in observations if one.get("status") != "invalidated"]
    common = {
        "kind": kind_of(row.get("entityType")),
        "tags": _tags(row),
        "epistemic": _EPISTEMIC.get(str(row.get("epistemic")), "unknown"),
    }
    # Grounds of a decision that was given up are no decision.
    given_up = any(one.get("kind") == "decided" for one in observations) and not any(
        one.get("kind") == "decided" for one in active
    )
    status: Status = "superseded" if given_up else "current"
    if active and name:
        yield Imported(
            key=f"entity/{name}",
            title=name,
            body="\n".join(str(one["text"]) for one in _told(active)),
            status=status,
            ended_at_ms=None if status == "current" else _newest(observations, "invalidated_at"),
            at_ms=_newest(active, "created"),
            parts=tuple((_PARTS[kind], str(one["text"])) for one in active if (kind := str(one.get("kind"))) in _PARTS),
            **common,  # type: ignore[arg-type]  # each has its own type, and the dictionary but one
        )
    for place, one in enumerate(observations):
        if one.get("status") == "invalidated" and name:
            yield Imported(
                key=f"entity/{name}/{place}",
                title=f"{name}: {first_line(str(one['text']))}",
                body=str(one["text"]),
                at_ms=time_of(one.get("created")),
                ended_at_ms=time_of(one.get("invalidated_at")),
                status="superseded",
                **common,  # type: ignore[arg-type]
            )


def _told(active: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return what is said of a thing: what was rejected, and what it touches, are parts and no statements."""
    return [one for one in active if one.get("kind") not in {"rejected", "touches"}] or active


def _newest(observations: Iterable[Mapping[str, Any]], name: str) -> int | None:
    return max(filter(None, (time_of(one.get(name)) for one in observations)), default=None)


def _observation(one: object) -> Mapping[str, Any]:
    return one if isinstance(one, Mapping) and "text" in one else {"text": str(one), "status": "active"}


def _tags(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("domain", "entityType") if row.get(name))


def _notes(vault: Path, folder: str, kind: FactKind, skipped: Counter[str]) -> Iterable[Imported]:
    for page in pages(vault / folder):
        if isinstance(page, Path):
            skipped["files that cannot be read"] += 1
        elif not page.text.strip():
            skipped["without text"] += 1
        else:
            yield _note(page, vault, kind)


def _note(page: Page, vault: Path, kind: FactKind) -> Imported:
    body = page.text.strip()
    return Imported(
        key=page.value("id") or page.path.relative_to(vault).as_posix(),
        kind=kind,
        title=page.value("title") or first_line(body) or page.path.stem,
        body=body,
        at_ms=time_of(page.value("date")) or time_of(page.path.stem[:10]),
        tags=page.listed("tags"),
        more={"session_ref": page.value("session_ref")} if page.value("session_ref") else {},
    )


def _lines(path: Path, skipped: Counter[str]) -> Iterator[Mapping[str, Any]]:
    try:
        with path.open("rb") as file:
            for line in file:
                try:
                    row = json.loads(line) if line.strip() else None
                except (ValueError, RecursionError):
                    skipped["torn lines"] += 1
                    continue
                if isinstance(row, Mapping):
                    yield row
    except OSError as error:
        raise ImportRefused(path, f"cannot be read ({error.strerror})") from error


IMPORTER: Final = Importer(NAME, "RAWThink", recognise, read)
