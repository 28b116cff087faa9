"""Facts: listed, and shown with their history."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from memd.errors import BadParameter, StoreFull, StoreReadOnly
from memd.model import Fact, PartName
from memd.operations.answers import FactAnswer, FactShowAnswer
from memd.operations.fact_answers import (
    DiffAnswer,
    PageAnswer,
    PartAnswer,
    TimelineAnswer,
    VersionAnswer,
    VersionsAnswer,
)
from memd.operations.fact_params import WHICH, epistemic_of, kind_of, time_given
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import change_answer, time_of
from memd.operations.telling import told, told_all
from memd.store import fact_views, facts
from memd.store.facts import Connection

_ALL = -1
_PROJECT = "a folder in the project, its name or its id; with what holds everywhere"
_MOST_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class ListParams:
    """Which facts to list."""

    project: str | None = field(default=None, metadata={"help": _PROJECT})
    kind: str | None = field(default=None, metadata={"help": "only of this kind, such as decision"})
    all: bool = field(default=False, metadata={"help": "superseded and retracted ones as well"})
    status: Literal["current", "superseded", "retracted"] | None = field(
        default=None, metadata={"help": "only current, superseded or retracted ones"}
    )
    as_of: str | None = field(default=None, metadata={"help": "what held at this time"})
    tag: str | None = field(default=None, metadata={"help": "only those with this tag"})
    topic: str | None = field(default=None, metadata={"help": "only those of this topic"})
    author: str | None = field(default=None, metadata={"help": "only those by this author"})
    domain: str | None = field(default=None, metadata={"help": "only those of this area of work"})
    epistemic: str | None = field(default=None, metadata={"help": "only those known in this way"})
    where: Mapping[str, Any] = field(
        default_factory=dict, metadata={"help": "only those whose metadata has these values"}
    )
    limit: int | None = field(default=None, metadata={"help": "at most so many; none: all"})
    offset: int = field(default=0, metadata={"help": "pass over so many"})


@dataclass(frozen=True, slots=True)
class ShowParams:
    """Which fact to show."""

    fact: str = field(metadata={"help": WHICH})
    as_of: str | None = field(default=None, metadata={"help": "as it stood at this time"})


@dataclass(frozen=True, slots=True)
class VersionsParams:
    """Whose versions."""

    fact: str = field(metadata={"help": WHICH})
    as_of: str | None = field(default=None, metadata={"help": "those it had by this time"})


@dataclass(frozen=True, slots=True)
class DiffParams:
    """Two versions of a fact."""

    fact: str = field(metadata={"help": WHICH})
    old: int = field(default=1, metadata={"help": "a version; 1 is the first"})
    new: int | None = field(default=None, metadata={"help": "another version; none: what it says now"})


@dataclass(frozen=True, slots=True)
class TimelineParams:
    """What was learnt around a fact."""

    fact: str = field(metadata={"help": WHICH})
    before: int = field(default=5, metadata={"help": "so many before it"})
    after: int = field(default=5, metadata={"help": "so many after it"})
    scope: Literal["session", "project", "lineage"] = field(
        default="session",
        metadata={"help": "of the same session, of the project, or what it took the place of and what took its"},
    )
    as_of: str | None = field(default=None, metadata={"help": "what had been learnt by this time"})


@dataclass(frozen=True, slots=True)
class PageParams:
    """A part of a long fact."""

    fact: str = field(metadata={"help": WHICH})
    offset: int = field(default=0, metadata={"help": "where it begins, in characters"})
    chars: int = field(default=4000, metadata={"help": "at most so many characters"})
    as_of: str | None = field(default=None, metadata={"help": "as it stood at this time"})


@dataclass(frozen=True, slots=True)
class PartsParams:
    """Which parts of facts."""

    part: PartName = field(
        metadata={"help": "decided, because, rejected, touches, cause, fix, command, what, why, where, learned"}
    )
    about: str = field(default="", metadata={"help": "words that the fact has"})
    project: str | None = field(default=None, metadata={"help": _PROJECT})
    limit: int = field(default=50, metadata={"help": "at most so many"})
    as_of: str | None = field(default=None, metadata={"help": "of what held at this time"})


@operation("facts.list", reads=True)
async def list_facts(memory: Memory, params: ListParams) -> tuple[FactAnswer, ...]:
    """List facts, those said last first.

    Raises NotFound when there is no such project, BadParameter when there is no such kind, status or date.
    """
    chosen = facts.FactFilter(
        kinds=None if params.kind is None else (kind_of(params.kind, "facts"),),
        status=None if params.all else (params.status or "current"),
        as_of=time_given(params.as_of, "facts.list"),
        tag=params.tag,
        topic=params.topic,
        author=params.author,
        domain=params.domain,
        epistemic=None if params.epistemic is None else epistemic_of(params.epistemic, "facts.list"),
        where=tuple(sorted(params.where.items())),
    )

    def read(conn: Connection) -> tuple[FactAnswer, ...]:
        of = replace(chosen, project_id=project_id(conn, params.project))
        limit = _ALL if params.limit is None else params.limit
        found = facts.list_facts(conn, of, limit, params.offset)
        if of.as_of is not None:
            found = _then(conn, found, of.as_of)
        return told_all(conn, found)

    return await memory.readers.run(read)


@operation("facts.show", reads=True)
async def show_fact(memory: Memory, params: ShowParams) -> FactShowAnswer:
    """Show one fact with where it comes from and what became of it; that it was looked at is counted.

    Raises NotFound, and BadParameter when several facts could be meant or for a date that is none.
    """
    as_of = time_given(params.as_of, "facts.show")

    def read(conn: Connection) -> tuple[int, FactShowAnswer]:
        fact = facts.find(conn, params.fact)
        shown = fact if as_of is None else fact_views.as_of(conn, fact, as_of)
        lines = (change for change in facts.history(conn, fact.id) if as_of is None or change.at <= as_of)
        return fact.id, FactShowAnswer(told(conn, shown), tuple(map(change_answer, lines)))

    fact_id, answer = await memory.readers.run(read)
    # It is shown also where there is no room to count that.
    with suppress(StoreFull, StoreReadOnly):
        await memory.writer.run(lambda conn: facts.mark_used(conn, (fact_id,), memory.clock.now_ms()))
    return answer


@operation("facts.versions", reads=True)
async def versions(memory: Memory, params: VersionsParams) -> VersionsAnswer:
    """List every text that a fact ever had, oldest first.

    Raises NotFound, and BadParameter when several facts could be meant or for a date that is none.
    """
    as_of = time_given(params.as_of, "facts.versions")

    def read(conn: Connection) -> VersionsAnswer:
        fact = facts.find(conn, params.fact)
        return VersionsAnswer(fact.uid, _versions(conn, fact.id, as_of))

    return await memory.readers.run(read)


@operation("facts.diff", reads=True)
async def diff(memory: Memory, params: DiffParams) -> DiffAnswer:
    """Show how two versions of a fact differ.

    Raises NotFound, and BadParameter for a version that there is not.
    """

    def read(conn: Connection) -> DiffAnswer:
        fact = facts.find(conn, params.fact)
        known = {one.version: one for one in _versions(conn, fact.id)}
        new = max(known) if params.new is None else params.new
        for version in (params.old, new):
            if version not in known:
                raise BadParameter("facts.diff", f"there is no version {version} (there are 1 to {max(known)})")
        first, second = (
            f"{known[version].title}\n\n{known[version].text}".splitlines() for version in (params.old, new)
        )
        lines = difflib.unified_diff(
            first, second,
            f"version {params.old}", f"version {new}", lineterm="",
        )  # fmt: skip
        return DiffAnswer(fact.uid, params.old, new, "\n".join(lines))

    return await memory.readers.run(read)


@operation("facts.timeline", reads=True)
async def timeline(memory: Memory, params: TimelineParams) -> TimelineAnswer:
    """Show what was learnt before and after a fact, in the order of time.

    Where there is more, it is asked for with the first or last fact that is shown.

    Raises NotFound, and BadParameter for a number out of range.
    """
    if not 0 <= params.before <= 100 or not 0 <= params.after <= 100:
        raise BadParameter("facts.timeline", "before and after are from 0 to 100")
    as_of = time_given(params.as_of, "facts.timeline")

    def read(conn: Connection) -> TimelineAnswer:
        fact = facts.find(conn, params.fact)
        # One more than is told on each side tells whether there is more.
        counts = (params.before + 1, params.after + 1)
        if params.scope == "lineage":
            before, after = fact_views.lineage(conn, fact, *counts)
        else:
            before, after = fact_views.around(conn, fact, *counts, same_session=params.scope == "session", as_of=as_of)
        if as_of is not None:
            before, (fact,) = _then(conn, before, as_of), _then(conn, (fact,), as_of)
            after = _then(conn, (one for one in after if one.valid_from <= as_of), as_of)
        more = (len(before) > params.before, len(after) > params.after)
        before, after = before[-params.before :] if params.before else (), after[: params.after]
        return TimelineAnswer(fact.uid, told_all(conn, before), told(conn, fact), told_all(conn, after), *more)

    return await memory.readers.run(read)


@operation("facts.page", reads=True)
async def page(memory: Memory, params: PageParams) -> PageAnswer:
    """Read a long fact page by page; the pages put together are the whole.

    Raises NotFound, and BadParameter for an offset or size out of range.
    """
    if params.offset < 0 or not 1 <= params.chars <= _MOST_CHARS:
        raise BadParameter("facts.page", f"offset is 0 or more, chars from 1 to {_MOST_CHARS}")
    as_of = time_given(params.as_of, "facts.page")

    def read(conn: Connection) -> Fact:
        fact = facts.find(conn, params.fact)
        return fact if as_of is None else fact_views.as_of(conn, fact, as_of)

    fact = await memory.readers.run(read)
    end = params.offset + params.chars
    text = fact.body[params.offset : end]
    return PageAnswer(fact.uid, fact.title, text, params.offset, len(fact.body), end >= len(fact.body))


@operation("facts.parts", reads=True)
async def parts(memory: Memory, params: PartsParams) -> tuple[PartAnswer, ...]:
    """List one part of facts, such as what was rejected, of those that hold.

    Raises NotFound for an unknown project, BadParameter for a date that is none.
    """
    as_of = time_given(params.as_of, "facts.parts")

    def read(conn: Connection) -> tuple[PartAnswer, ...]:
        project = project_id(conn, params.project)
        found = fact_views.parts(conn, project, params.part, params.about, params.limit, as_of=as_of)
        return tuple(PartAnswer(fact.uid, fact.title, text) for fact, text in found)

    return await memory.readers.run(read)


def _then(conn: Connection, found: Iterable[Fact], at_ms: int) -> tuple[Fact, ...]:
    return tuple(fact_views.as_of(conn, fact, at_ms) for fact in found)


def _versions(conn: Connection, fact_id: int, as_of: int | None = None) -> tuple[VersionAnswer, ...]:
    found: list[VersionAnswer] = []
    for one in fact_views.versions(conn, fact_id):
        stood = one.until is None or as_of is None or one.until <= as_of
        until, reason = (time_of(one.until), one.reason) if stood else (None, None)
        found.append(VersionAnswer(one.version, one.title, one.body, until, reason))
        if not stood:
            break  # what came after was not said by then
    return tuple(found)
