"""Review: what needs somebody's eye, and what clears up. Whatever destroys shows first what it would do."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal

from memd.distill import stating
from memd.distill.duplicates import TASK, DuplicatesRequest, Group
from memd.errors import BadParameter
from memd.model import Fact, Project
from memd.operations import clearing, code_staleness, notes, promoting, saving
from memd.operations.announcing import announced, of_facts
from memd.operations.fact_answers import (
    ChangedAnswer,
    ClearAnswer,
    ConsolidateAnswer,
    ContradictionAnswer,
    ContradictionsAnswer,
    PromoteAnswer,
    PurgeAnswer,
    StaleAnswer,
    StalesAnswer,
    UnusedAnswer,
    UnusedsAnswer,
)
from memd.operations.fact_params import WHICH, time_given
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.scrub import scrub
from memd.operations.shapes import time_of
from memd.operations.telling import told, told_all
from memd.store import erasing, fact_marks, facts
from memd.store.facts import Connection
from memd.workers.turns import Priority

_DEADLINE_S: Final = 120.0
_DAY_MS: Final = 86_400_000
_ROWS: Final = 500
"""Rows without judgement (relations, entities, prompts) of one transaction."""
_PROJECT = "a folder in the project, its name or its id"
_APPLY = "do it; without this it is only shown what would be done"


@dataclass(frozen=True, slots=True)
class ForgetParams:
    """A fact to be forgotten."""

    fact: str = field(metadata={"help": WHICH})
    apply: bool = field(default=False, metadata={"help": _APPLY})


@dataclass(frozen=True, slots=True)
class PurgeParams:
    """Which facts to delete; at least one of kind, before, status, tag is needed."""

    project: str | None = field(default=None, metadata={"help": _PROJECT})
    kind: str | None = field(default=None, metadata={"help": "only of this kind"})
    before: str | None = field(default=None, metadata={"help": "only those said before this date"})
    status: Literal["current", "superseded", "retracted"] | None = field(
        default=None, metadata={"help": "only current, superseded or retracted ones"}
    )
    tag: str | None = field(default=None, metadata={"help": "only those with this tag"})
    apply: bool = field(default=False, metadata={"help": _APPLY})


@dataclass(frozen=True, slots=True)
class ClearParams:
    """A scope to be emptied."""

    project: str | None = field(default=None, metadata={"help": _PROJECT + "; none: what holds everywhere"})
    confirm: str = field(default="", metadata={"help": "the project's name, or `everywhere`, to say that you mean it"})


@dataclass(frozen=True, slots=True)
class ConsolidateParams:
    """Where to look for facts that say the same."""

    project: str | None = field(default=None, metadata={"help": _PROJECT})
    threshold: float = field(default=0.85, metadata={"help": "share of terms that makes two facts one, 0.5 to 1"})
    apply: bool = field(default=False, metadata={"help": _APPLY})


@dataclass(frozen=True, slots=True)
class ContradictionsParams:
    """Which contradictions."""

    project: str | None = field(default=None, metadata={"help": _PROJECT})
    all: bool = field(default=False, metadata={"help": "those that were decided as well"})
    as_of: str | None = field(default=None, metadata={"help": "those that were known at this time"})


@dataclass(frozen=True, slots=True)
class ResolveParams:
    """Which of two facts holds."""

    keep: str = field(metadata={"help": "the fact that holds: " + WHICH})
    other: str = field(metadata={"help": "the fact it contradicts: " + WHICH})
    verdict: Literal["supersede", "retract", "both"] = field(
        default="supersede",
        metadata={
            "help": "the other one: supersede (held until then), retract (was never true), both (no contradiction)"
        },
    )
    reason: str = field(default="", metadata={"help": "why; it is kept in both facts' histories"})


@dataclass(frozen=True, slots=True)
class ProjectParams:
    """A project."""

    project: str | None = field(default=None, metadata={"help": _PROJECT})


@dataclass(frozen=True, slots=True)
class StaleParams:
    """Whose facts, and when."""

    project: str | None = field(default=None, metadata={"help": _PROJECT})
    as_of: str | None = field(default=None, metadata={"help": "what had been changed by this time"})


@dataclass(frozen=True, slots=True)
class PromoteParams:
    """How to weigh."""

    project: str | None = field(default=None, metadata={"help": _PROJECT})
    score: float = field(default=0.5, metadata={"help": "least score, 0 to 1"})
    sessions: int = field(default=2, metadata={"help": "least number of sessions that say it"})
    openers: int = field(default=2, metadata={"help": "least number of different beginnings of those sessions"})
    apply: bool = field(default=False, metadata={"help": "promote what passes; without this it is only explained"})


@operation("facts.forget", writes=True, destroys=True)
async def forget(memory: Memory, params: ForgetParams) -> PurgeAnswer:
    """Delete a fact for good, its words and its history's words; reading its sessions again does not bring it back.

    Raises NotFound, and BadParameter when several facts could be meant.
    """
    now = memory.clock.now_ms()

    def look(conn: Connection) -> tuple[int, PurgeAnswer]:
        fact = facts.find(conn, params.fact)
        return fact.id, PurgeAnswer(params.apply, 1, (told(conn, fact),))

    fact, answer = await memory.readers.run(look)
    if params.apply:
        erasure = await memory.readers.run(lambda conn: of_facts(conn, (fact,), now))
        async with announced(memory, erasure):
            await memory.writer.run(lambda conn: stating.forget(conn, fact, now))
        await notes.without_erased(memory)
        await scrub(memory)
    return answer


@operation("facts.purge", writes=True, destroys=True)
async def purge(memory: Memory, params: PurgeParams) -> PurgeAnswer:
    """Delete facts by kind, age, status or tag; only shows which ones unless told to apply.

    Raises BadParameter without a filter, for a kind or date that is none, NotFound for an unknown project.
    """
    if params.kind is None and params.before is None and params.status is None and params.tag is None:
        raise BadParameter("facts.purge", "say which: kind, before, status or tag")
    chosen = clearing.filter_of(params.kind, params.before, params.status, params.tag)
    now = memory.clock.now_ms()

    def look(conn: Connection) -> tuple[tuple[int, ...], PurgeAnswer]:
        going = clearing.chosen(conn, project_id(conn, params.project), chosen)
        return tuple(fact.id for fact in going), PurgeAnswer(params.apply, len(going), told_all(conn, going))

    going, answer = await memory.readers.run(look)
    if params.apply:
        erasure = await memory.readers.run(lambda conn: of_facts(conn, going, now, words_stay=True))
        async with announced(memory, erasure):
            drop = partial(clearing.purge, reason="was purged", now_ms=now)
            await write_in_pieces(memory.writer, going, drop)
        await notes.without_erased(memory)
    return answer


@operation("facts.clear", writes=True, destroys=True)
async def clear(memory: Memory, params: ClearParams) -> ClearAnswer:
    """Delete everything that was learnt in one scope; it has to be confirmed with the scope's name.

    Raises BadParameter without the right word, NotFound for an unknown project.
    """
    now = memory.clock.now_ms()

    def look(conn: Connection) -> tuple[Project | None, tuple[int, ...]]:
        project = clearing.scope_of(conn, params.project, params.confirm)
        return project, erasing.in_scope(conn, None if project is None else project.id)

    project, going = await memory.readers.run(look)
    scope, reason = (None if project is None else project.id), f"all of {clearing.name_of(project)} was cleared"
    gone: Counter[str] = Counter(dict.fromkeys(("facts", *erasing.REST), 0))
    erasure = await memory.readers.run(lambda conn: of_facts(conn, going, now, words_stay=True))
    async with announced(memory, erasure):
        gone["facts"] = sum(
            await write_in_pieces(memory.writer, going, partial(clearing.purge, reason=reason, now_ms=now))
        )
        for what in erasing.REST:
            clear_some = partial(erasing.clear_rest, what=what, project_id=scope, most=_ROWS)
            while count := await memory.writer.run(clear_some):
                gone[what] += count
    await notes.without_erased(memory)
    return ClearAnswer(None if project is None else project.root, dict(gone))


@operation("facts.consolidate", writes=True, destroys=True)
async def consolidate(memory: Memory, params: ConsolidateParams) -> ConsolidateAnswer:
    """Fold facts that say the same into the newest of them; only shows which ones unless told to apply.

    Raises BadParameter for a threshold out of range, NotFound for an unknown project.
    """
    if not 0.5 <= params.threshold <= 1:
        raise BadParameter("facts.consolidate", f"threshold must be from 0.5 to 1, not {params.threshold}")
    found = await memory.readers.run(lambda conn: facts.known(conn, project_id(conn, params.project)))
    request = DuplicatesRequest(found, params.threshold)
    groups: tuple[Group, ...] = await memory.workers.run(
        TASK, request, deadline_s=_DEADLINE_S, priority=Priority.FOREGROUND
    )
    shown = await memory.readers.run(lambda conn: clearing.shown(conn, groups))
    pairs = tuple((fact.id, group.keep.id) for group in groups for fact in group.fold)
    fold = partial(clearing.fold, now_ms=memory.clock.now_ms())
    folded = await write_in_pieces(memory.writer, pairs if params.apply else (), fold)
    return ConsolidateAnswer(params.apply, shown, sum(folded))


@operation("facts.contradictions", reads=True)
async def contradictions(memory: Memory, params: ContradictionsParams) -> ContradictionsAnswer:
    """List facts that cannot both hold and where no order is clear.

    Raises NotFound for an unknown project, BadParameter for a date that is none.
    """
    as_of = time_given(params.as_of, "facts.contradictions")

    def read(conn: Connection) -> ContradictionsAnswer:
        found = fact_marks.contradictions(conn, project_id(conn, params.project), decided=params.all, as_of=as_of)
        return ContradictionsAnswer(
            tuple(
                ContradictionAnswer(
                    told(conn, facts.get(conn, one.one)), told(conn, facts.get(conn, one.other)), one.reason,
                    time_of(one.found_at), one.verdict, one.why,
                )
                for one in found
            )
        )  # fmt: skip

    return await memory.readers.run(read)


@operation("facts.resolve", writes=True)
async def resolve(memory: Memory, params: ResolveParams) -> ChangedAnswer:
    """Decide which of two contradicting facts holds; it stays decided whatever is read again.

    Raises NotFound, and BadParameter when both are the same fact.
    """
    now = memory.clock.now_ms()

    def write(conn: Connection) -> ChangedAnswer:
        keep, other = facts.find(conn, params.keep), facts.find(conn, params.other)
        if keep.id == other.id:
            raise BadParameter("facts.resolve", "a fact does not contradict itself")
        reason = saving.clean(params.reason) or "was decided by a person"
        stating.resolve(conn, keep.id, other.id, params.verdict, now, reason)
        action = {"supersede": "SUPERSEDE", "retract": "RETRACT", "both": "NONE"}[params.verdict]
        kept, gone = facts.get(conn, keep.id), facts.get(conn, other.id)
        return ChangedAnswer(told(conn, gone), action, reason, told(conn, kept))

    return await memory.writer.run(write)


@operation("facts.stale", reads=True)
async def stale(memory: Memory, params: StaleParams) -> StalesAnswer:
    """List facts that name a file or symbol which a later session changed or removed, with what changed.

    Raises NotFound for an unknown project, BadParameter for a date that is none.
    """
    as_of = time_given(params.as_of, "facts.stale")

    def read(conn: Connection) -> StalesAnswer:
        found = fact_marks.stale(conn, project_id(conn, params.project), as_of=as_of)
        known = {fact.id: fact for fact in facts.load(conn, {one.fact for one in found})}
        missing = {fact.id: code_staleness.missing(conn, fact) for fact in known.values()}
        return StalesAnswer(tuple(_stale(conn, one, known[one.fact], missing[one.fact]) for one in found))

    return await memory.readers.run(read)


def _stale(conn: Connection, mark: fact_marks.Stale, fact: Fact, missing: tuple[str, ...]) -> StaleAnswer:
    lag = max(0, mark.at - max(fact.valid_from, fact.verified_at or 0)) / _DAY_MS
    return StaleAnswer(
        told(conn, fact), mark.name, mark.change, mark.detail, time_of(mark.at), mark.session, round(lag, 2), missing,
        code_staleness.weight(mark.change, missing),
    )  # fmt: skip


@operation("facts.unused", reads=True)
async def unused(memory: Memory, params: ProjectParams) -> UnusedsAnswer:
    """List facts that nobody used within the window of their kind.

    Raises NotFound for an unknown project.
    """
    now = memory.clock.now_ms()

    def read(conn: Connection) -> UnusedsAnswer:
        found = clearing.unused(facts.known(conn, project_id(conn, params.project)), now)
        return UnusedsAnswer(tuple(UnusedAnswer(told(conn, fact), window, idle) for fact, window, idle in found))

    return await memory.readers.run(read)


@operation("facts.promote", writes=True)
async def promote(memory: Memory, params: PromoteParams) -> PromoteAnswer:
    """Weigh facts for promotion by six signals and three gates; promotes what passes when told to apply.

    A promoted fact is marked as checked and established. Every run is written into the diary. Raises NotFound for an
    unknown project, BadParameter for a threshold out of range.
    """
    if not 0 <= params.score <= 1 or params.sessions < 1 or params.openers < 1:
        raise BadParameter("facts.promote", "score is from 0 to 1, sessions and openers are at least 1")
    thresholds = promoting.Thresholds(params.score, params.sessions, params.openers)
    return await promoting.run(memory, params.project, thresholds, apply=params.apply)
