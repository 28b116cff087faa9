"""Taking over: relations, entities, blocks, handoffs and prompts of another memory; what is refused is counted by why.

What somebody has here stays as it is: a block that is written already is not written over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memd.distill.comparing import digest
from memd.errors import MemdError, NotFound
from memd.importers.model import (
    ImportedBlock,
    ImportedEntity,
    ImportedHandoff,
    ImportedPrompt,
    Link,
    Other,
)
from memd.model import Project
from memd.operations import naming, relating
from memd.store import blocks, carried, facts, handoffs, imports, projects, prompts
from memd.store.facts import Connection

Place = Callable[[Connection, str | None], tuple[Project | None, str]]
"""Gives the project that a name means (None: none yet, or everywhere), and what it is called."""

NAMES: Final = {
    ImportedEntity: "entities",
    ImportedBlock: "blocks",
    ImportedHandoff: "handoffs",
    ImportedPrompt: "prompts",
}
_FACT: Final = "fact:"
_IS_WRITTEN: Final = "blocks that are written already"


@dataclass(slots=True)
class Took:
    """What was taken over so far: relations, others by their name, and what was not, by its reason."""

    relations: int = 0
    others: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)


def links(
    conn: Connection,
    system: str,
    given: Sequence[Link],
    place: Place,
    now_ms: int,
    took: Took,
    coming: frozenset[str] | None = None,
) -> None:
    """Relate what is related there; names that nothing has yet are made entities, as `relations.link_many` does.

    `coming`: only look, in a memory that does not have the facts of these keys yet; None: write.
    """
    for link in given:
        known = None if link.key is None else f"relations/{link.key}"
        if known is not None and imports.get(conn, system, known) is not None:
            continue
        try:
            project, _ = place(conn, link.project)
            source, target = (_node(conn, system, word, coming) for word in (link.source, link.target))
            if coming is None:
                relating.link_imported(conn, link, (source, target), _row(project), now_ms)
                if known is not None:
                    imports.put(conn, system, known, imports.Taken(digest(link.relation), None), now_ms)
            else:
                naming.check_relation(link.relation, source, target)
        except MemdError as error:
            took.refused[f"relations: {naming.why(error)}"] += 1
            continue
        took.relations += 1


def others(
    conn: Connection, system: str, given: Sequence[Other], place: Place, now_ms: int, took: Took, *, apply: bool
) -> None:
    """Take over entities, blocks, handoffs and prompts, each once."""
    for one in given:
        name = NAMES[type(one)]
        if imports.get(conn, system, f"{name}/{one.key}") is not None or _is_own(conn, system, one):
            continue
        project, called = place(conn, one.project)
        try:
            if isinstance(one, ImportedBlock) and _is_written(conn, one, project):
                took.refused[_IS_WRITTEN] += 1
                continue
            if apply:
                if project is None and called != "everywhere":
                    project = new_project(conn, system, called, now_ms)
                said = _put(conn, one, project, now_ms)
                imports.put(conn, system, f"{name}/{one.key}", imports.Taken(digest(said), None), now_ms)
        except MemdError as error:
            took.refused[f"{name}: {naming.why(error)}"] += 1
            continue
        took.others[name] += 1


def bar_handoff(conn: Connection, uid: str, now_ms: int) -> None:
    """Let a handoff of this memory not come back from an export of it."""
    imports.put(conn, carried.SYSTEM, f"{NAMES[ImportedHandoff]}/{uid}", imports.Taken("", None), now_ms)


def _is_own(conn: Connection, system: str, one: Other) -> bool:
    """Tell whether something comes from an export of this very memory, which still has it."""
    return system == carried.SYSTEM and isinstance(one, ImportedHandoff) and handoffs.is_there(conn, one.key)


def new_project(conn: Connection, system: str, called: str, now_ms: int) -> Project:
    """Make the project that something taken over names: that of a folder, or one that only the other system knows."""
    if Path(called).is_absolute():
        return projects.resolve(conn, called, (), Path(called).name, now_ms)
    return projects.resolve(conn, f"{system}:{called}", (), called, now_ms)


def _node(conn: Connection, system: str, word: str, coming: frozenset[str] | None) -> str:
    """Return the word for a node here; a fact has another id than it had there."""
    if not word.startswith(_FACT):
        return word
    key = word.removeprefix(_FACT)
    taken = imports.get(conn, system, key)
    if taken is not None and taken.fact is not None:
        return f"{_FACT}{taken.fact}"
    if coming is not None and key in coming:
        return word
    return f"{_FACT}{facts.find(conn, key).uid}"


def _row(project: Project | None) -> int | None:
    return None if project is None else project.id


def _is_written(conn: Connection, block: ImportedBlock, project: Project | None) -> bool:
    try:
        blocks.get(conn, _row(project), block.label)
    except NotFound:
        return False
    return True


def _put(conn: Connection, one: Other, project: Project | None, now_ms: int) -> str:
    scope = _row(project)
    if isinstance(one, ImportedEntity):
        relating.entity_named(conn, one.name, one.kind, one.aliases, scope, now_ms, one.origin)
        return one.name
    if isinstance(one, ImportedBlock):
        blocks.put(conn, scope, one.label, one.value, now_ms, limit=one.limit, position=one.position, author=one.author)
        return one.value
    at = one.at_ms if one.at_ms is not None and one.at_ms <= now_ms else now_ms
    if isinstance(one, ImportedHandoff):
        if scope is None:
            raise NotFound("project", one.project)
        handoffs.add(conn, scope, one.text, one.author, at)
    else:
        prompts.save(conn, one.text, digest(one.text), at, 0, session_id=None, project_id=scope)
    return one.text
