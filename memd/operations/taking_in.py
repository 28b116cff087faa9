"""Taking in: what becomes of each thing that another memory has kept, and the fact that it is here from then on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

import orjson

from memd.distill import graphing, stating
from memd.distill.comparing import digest
from memd.errors import MemdError
from memd.importers.model import Haul, Imported, Kept
from memd.importers.registry import IMPORTERS
from memd.model import Fact, FactPart, Project
from memd.operations import carrying, taking_over
from memd.operations.taking_over import Place
from memd.store import fact_changes, facts, imports
from memd.store.fact_changes import NewFact
from memd.store.facts import Connection

NOT_SEEN: Final = "whose project memd has not seen yet"
_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class _New:
    """Nothing here says it."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A fact that is here says it already."""

    uid: str


@dataclass(frozen=True, slots=True)
class _Edited:
    """It says something else than the fact that it became."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class _Newer:
    """A fact of another memd that is here, too, and was changed there since."""

    kept: Kept


@dataclass(frozen=True, slots=True)
class _Before:
    """It was taken in before."""


@dataclass(frozen=True, slots=True)
class _Deleted:
    """Somebody had it deleted here, and it stays so."""


@dataclass(frozen=True, slots=True)
class _Waits:
    """Its turn comes when memd has seen its project."""


_Fate: TypeAlias = _New | _Known | _Edited | _Newer | _Before | _Deleted | _Waits


@dataclass(slots=True)
class Count:
    """What became of things, by number; `skipped` by reason. `examples` are titles of the first that are new."""

    added: int = 0
    known: int = 0
    before: int = 0
    changed: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    projects: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def note(self, item: Imported, project: str, fate: _Fate) -> None:
        """Count a thing of a project."""
        match fate:
            case _New() | _Edited():
                self.added += 1
                self.kinds[item.kind] += 1
                self.projects[project] += 1
                if len(self.examples) < _SHOWN:
                    self.examples.append(item.title)
            case _Known():
                self.known += 1
            case _Newer():
                self.changed += 1
            case _Before():
                self.before += 1
            case _Deleted():
                self.skipped[carrying.FORGOTTEN] += 1
            case _Waits():
                self.skipped[NOT_SEEN] += 1
            case _:
                assert_never(fate)


def weigh(conn: Connection, haul: Haul, place: Place, count: Count, keys: frozenset[str]) -> None:
    """Count what would become of each thing of a haul; `keys` are those of all of them. Nothing is written."""
    seen: set[str] = set()
    for item in haul.items:
        project, name = place(conn, item.project)
        fate = _fate(conn, haul.system, item, project, name, keys)
        twice = item.key in seen and isinstance(fate, _New | _Known)
        count.note(item, name, _Before() if twice else fate)
        seen.add(item.key)


def take_in(
    conn: Connection,
    system: str,
    items: Sequence[Imported],
    place: Place,
    count: Count,
    keys: frozenset[str],
    now_ms: int,
) -> None:
    """Take things in and count what became of them; `keys` are those of all that come with them."""
    for item in items:
        project, name = place(conn, item.project)
        fate = _fate(conn, system, item, project, name, keys)
        count.note(item, name, fate)
        uid = _become(conn, system, item, project, name, fate, now_ms)
        if uid is not None:
            imports.put(conn, system, item.key, imports.Taken(digest(item.body), uid), now_ms)


def _fate(
    conn: Connection, system: str, item: Imported, project: Project | None, name: str, keys: frozenset[str]
) -> _Fate:
    if (changed := _changed(conn, system, item)) is not None:
        return _Edited(changed)
    if item.kept is not None and carrying.is_newer(conn, item):
        return _Newer(item.kept)
    if imports.get(conn, system, item.key) is not None:
        return _Before()
    if carrying.is_deleted(conn, item):
        return _Deleted()
    if project is None and IMPORTERS[system].follows:
        return _Waits()
    if _is_to_be_made(project, name):
        known = item.key if carrying.is_here(conn, item) else None
    else:
        known = carrying.known(conn, item, None if project is None else project.id, keys)
    return _New() if known is None else _Known(known)


def _become(
    conn: Connection, system: str, item: Imported, project: Project | None, name: str, fate: _Fate, now_ms: int
) -> str | None:
    """Do what is to become of a thing and return the uid of its fact, None where nothing is to be noted."""
    match fate:
        case _New():
            if _is_to_be_made(project, name):
                project = taking_over.new_project(conn, system, name, now_ms)
            if item.kept is None:
                return _add(conn, system, item, project, now_ms)
            return carrying.add(conn, item, item.kept, project, now_ms)
        case _Known():
            if item.kept is not None:
                carrying.fill(conn, fate.uid, item, item.kept)
            return fate.uid
        case _Edited():
            change = stating.Edit(title=item.title, body=item.body)
            stating.edit(conn, fate.fact.id, change, now_ms, f"says something else in {IMPORTERS[system].title}")
            return fate.fact.uid
        case _Newer():
            carrying.follow(conn, item, fate.kept, now_ms)
            return item.key
        case _Before() | _Deleted() | _Waits():
            return None
        case _:
            assert_never(fate)


def _is_to_be_made(project: Project | None, name: str) -> bool:
    return project is None and name != "everywhere"


def _changed(conn: Connection, system: str, item: Imported) -> Fact | None:
    """Return the fact that a thing became, if it says something else now and the fact is still what was taken over."""
    taken = imports.get(conn, system, item.key) if IMPORTERS[system].follows else None
    if taken is None or taken.fact is None or taken.digest == digest(item.body):
        return None
    try:
        fact = facts.find(conn, taken.fact)
    except MemdError:
        return None  # somebody has forgotten it
    return fact if fact.status == "current" and digest(fact.body) == taken.digest else None


def _add(conn: Connection, system: str, item: Imported, project: Project | None, now_ms: int) -> str:
    """Add a fact and return its uid. It is judged against nothing: what is known stays as it is."""
    source = {"system": system, "key": item.key}
    at = item.at_ms if item.at_ms is not None and item.at_ms <= now_ms else now_ms
    new = NewFact(
        kind=item.kind,
        title=item.title or item.body[:120],
        body=item.body,
        origin="import",
        valid_from=at,
        project_id=None if project is None else project.id,
        parts=tuple(FactPart(name, text) for name, text in item.parts),
        tags=item.tags,
        topic=item.topic,
        epistemic=item.epistemic,
        confidence=item.confidence,
        evergreen=item.evergreen,
        author=item.author,
        basis="inferred" if item.inferred else "extracted",
        metadata=orjson.dumps({"imported": {**source, **item.more}}, default=str).decode(),
    )
    title = IMPORTERS[system].title
    fact = fact_changes.add(conn, new, now_ms, f"was imported from {title}")
    stating.pin(conn, fact.id)
    graphing.derive(conn, (fact.id,), now_ms)
    if item.status == "retracted":
        stating.retract(conn, fact.id, now_ms, f"was taken back in {title}")
    elif item.status == "superseded":
        stating.end(conn, fact.id, item.ended_at_ms or at, now_ms, f"no longer held in {title}")
    return facts.get(conn, fact.id).uid
