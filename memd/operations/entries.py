"""Entries: facts as Markdown files of a folder of memd's own, which a person may edit, and what was edited in them.

The store is what counts; a file is one fact's words with its marks at its head. Whatever a person wrote into the head
besides stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson

from memd.clock import iso, parse_iso_ms
from memd.distill import stating
from memd.distill.structure import title_of, topic_key
from memd.errors import BadParameter, MemdError, NotFound
from memd.model import Fact, FactBasis
from memd.operations import saving
from memd.operations.fact_params import kind_of
from memd.operations.items import Item
from memd.paths import make_private
from memd.store import erasing, fact_marks, fact_views, facts
from memd.store.facts import Connection
from memd.text.frontmatter import Page, Value, page_of
from memd.text.redaction import scrub
from memd_service.files import write as write_whole

_NAME: Final = "notes.read"
_KNOWN: Final = frozenset(
    "id title kind date updated tags session_ref project author evergreen confidence confidence_score status".split()
)
_LARGE: Final = 1_000_000
_EDITED: Final = "was edited in its file"


@dataclass(frozen=True, slots=True)
class File:
    """A Markdown file as it was read, without secrets."""

    path: Path
    page: Page


@dataclass(slots=True)
class Read:
    """What became of files. `to_write` and `to_remove` are still to be done on the disk."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    same: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    to_write: dict[Path, str] = field(default_factory=dict)
    to_remove: list[Path] = field(default_factory=list)


def path_of(folder: Path, fact: Fact) -> Path:
    """Return the file of a fact: that which has its id in its name, else a new one after its title."""
    known = sorted(folder.glob(f"*{fact.uid[-12:]}.md"))
    slug = topic_key("", fact.title).lstrip("/")
    name = re.sub(r"[^\w-]+", "-", slug.encode()[:60].decode(errors="ignore")).strip("-") or "note"
    return known[0] if known else folder / f"{iso(fact.valid_from)[:10]}-{name}-{fact.uid[-12:]}.md"


def page_with(fact: Fact, page: Page | None = None) -> Page:
    """Return a fact as a page; of one that is there already, what memd does not know stays."""
    own: dict[str, Value | None] = {
        "id": fact.uid,
        "title": fact.title,
        "kind": fact.kind,
        "date": iso(fact.valid_from),
        "updated": iso(fact.updated_at),
        "tags": fact.tags,
        "session_ref": fact.session,
        "project": None if fact.project is None else fact.project.root,
        "author": fact.author,
        "evergreen": fact.evergreen,
        "confidence": fact.basis,
        "confidence_score": fact.confidence,
        "status": None if fact.status == "current" else fact.status,
    }
    if page is None:
        own |= {name: value for name, value in _told(fact).items() if name not in _KNOWN}
    return (page or Page((), "")).having(own, f"\n{fact.body}\n")


def page_at(path: Path) -> Page | None:
    """Return the file that is there already, None where there is none that can be read."""
    try:
        return page_of(scrub(path.read_text("utf-8")).text)
    except (OSError, UnicodeDecodeError):
        return None


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all, for its owner only; raises OSError."""
    make_private(path.parent)
    write_whole(path, text.encode("utf-8", "replace"), mode=0o600)


def read(folder: Path) -> tuple[tuple[File, ...], dict[str, str]]:
    """Return the Markdown files of a folder, and why some were passed over."""
    files, skipped = [], {}
    for path in sorted(folder.glob("*.md")) if folder.is_dir() else ():
        try:
            if path.is_symlink() or not path.is_file():
                skipped[path.name] = "is no regular file"
            elif path.stat().st_size > _LARGE:
                skipped[path.name] = f"is larger than {_LARGE} bytes"
            else:
                files.append(File(path, page_of(scrub(path.read_text("utf-8")).text)))
        except (OSError, UnicodeDecodeError) as error:
            skipped[path.name] = f"cannot be read ({error})"
    return tuple(files), skipped


def take(conn: Connection, files: Iterable[File], now_ms: int) -> Read:
    """Take over what files say: new ones become facts, edited ones change theirs, those of erased facts go.

    A fact that was changed since its file was written is written anew. What cannot be taken over is named with why.
    """
    done, seen = Read(), set[str]()
    for file in files:
        uid = file.page.text("id")
        try:
            if uid is not None and uid in seen:
                done.skipped[file.path.name] = f"has the id {uid} of another file"
                continue
            fact = None if uid is None else _known(conn, uid)
            if fact is not None:
                seen.add(fact.uid)
                _compare(conn, file, fact, now_ms, done)
            elif uid is not None and erasing.erased(conn, uid):
                done.to_remove.append(file.path)
            else:
                _add(conn, file, now_ms, done)
        except MemdError as error:
            done.skipped[file.path.name] = str(error)
    return done


def erased(conn: Connection, files: Iterable[File]) -> tuple[Path, ...]:
    """Return the files of facts that somebody had deleted."""
    named = ((file.path, file.page.text("id")) for file in files)
    return tuple(path for path, uid in named if uid is not None and erasing.erased(conn, uid))


def finish(done: Read) -> None:
    """Do on the disk what is left to do; what fails is named among what was passed over."""
    for path, text in done.to_write.items():
        try:
            write(path, text)
        except OSError as error:
            done.skipped[path.name] = f"cannot be written ({error.strerror or error})"
    for path in done.to_remove:
        path.unlink(missing_ok=True)


def _known(conn: Connection, uid: str) -> Fact | None:
    try:
        found = facts.find(conn, uid)
    except (NotFound, BadParameter):
        return None
    return found if found.uid == uid else None


def _add(conn: Connection, file: File, now_ms: int, done: Read) -> None:
    page = file.page
    item = Item(
        page.body.strip(), page.text("title") or "", page.text("kind") or "note", page.text("project"),
        session=page.text("session_ref"), tags=page.texts("tags"), author=page.text("author"),
        confidence=_score(page), basis=_basis(page), evergreen=page.get("evergreen") is True, since=page.text("date"),
        metadata=_rest(page),
    )  # fmt: skip
    fact = facts.find(conn, saving.save(conn, saving.drafted(item, _NAME), now_ms).fact.id)
    done.added.append(fact.uid)
    done.to_write[file.path] = page.having({"id": fact.uid, "updated": iso(fact.updated_at)}).whole()


def _compare(conn: Connection, file: File, fact: Fact, now_ms: int, done: Read) -> None:
    page = file.page
    said = (page.text("title") or title_of(page.body), page.body.strip())
    marks = (
        tuple(sorted(page.texts("tags"))), page.text("author"), page.get("evergreen") is True, _basis(page),
        _score(page), kind_of(page.text("kind") or fact.kind, _NAME),
    )  # fmt: skip
    was = (tuple(sorted(fact.tags)), fact.author, fact.evergreen, fact.basis, fact.confidence, fact.kind)
    rest = {**orjson.loads(fact.metadata), **_rest(page)}
    if (said, marks) == ((fact.title, fact.body.strip()), was) and rest == orjson.loads(fact.metadata):
        done.same += 1
        return
    written = parse_iso_ms(page.text("updated") or "")
    older = {(one.title, one.body.strip()) for one in fact_views.versions(conn, fact.id)}
    if written is not None and written < fact.updated_at and said in older:
        done.to_write[file.path] = page_with(fact, page).whole()
        done.same += 1
        return
    if not any(char.isalnum() for char in said[1]):
        raise BadParameter(_NAME, "the text says nothing")
    if (*said, marks[0], marks[5]) != (fact.title, fact.body.strip(), was[0], fact.kind):
        change = stating.Edit(title=said[0], body=said[1], tags=marks[0], kind=marks[5])
        stating.edit(conn, fact.id, change, now_ms, _EDITED)
    if marks[2] != fact.evergreen:
        stating.set_evergreen(conn, fact.id, marks[2], now_ms, _EDITED)
    fact_marks.set_field(conn, fact.id, "author", marks[1])
    fact_marks.set_field(conn, fact.id, "metadata", orjson.dumps(rest, option=orjson.OPT_SORT_KEYS).decode())
    fact_marks.set_basis(conn, fact.id, marks[3], marks[4], now_ms)
    now = facts.get(conn, fact.id)
    done.changed.append(now.uid)
    done.to_write[file.path] = page.having({"updated": iso(now.updated_at)}).whole()


def _score(page: Page) -> float:
    value = page.get("confidence_score")
    return value if isinstance(value, float) and 0 <= value <= 1 else 1.0


def _basis(page: Page) -> FactBasis:
    return "inferred" if page.text("confidence") == "inferred" else "extracted"


def _rest(page: Page) -> dict[str, object]:
    """What a head holds besides what memd knows."""
    found = {name: page.get(name) for name in page.names if name not in _KNOWN}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in found.items() if value is not None
    }


def _told(fact: Fact) -> Mapping[str, Value]:
    """A fact's own metadata, as far as a head can hold it."""
    found: dict[str, Value] = {}
    for name, value in orjson.loads(fact.metadata).items():
        if isinstance(value, (str, bool, float)):
            found[name] = value
        elif isinstance(value, int):
            found[name] = float(value)
        elif isinstance(value, list) and all(isinstance(one, str) for one in value):
            found[name] = tuple(value)
    return found
