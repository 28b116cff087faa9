"""Facts: listed, and shown with their history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from memd.errors import BadParameter
from memd.model import FACT_KIND_ALIASES, FACT_KINDS, Fact, FactKind, Session
from memd.operations.answers import ChangeOfFact, FactAnswer, FactShowAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import fact_answer, time_of
from memd.store import facts, sessions
from memd.store.facts import Connection

_ALL = -1


@dataclass(frozen=True, slots=True)
class ListParams:
    """Which facts to list."""

    project: str | None = field(
        default=None, metadata={"help": "a folder in the project, its name or its id; with what holds everywhere"}
    )
    kind: str | None = field(default=None, metadata={"help": "only of this kind, such as decision"})
    all: bool = field(default=False, metadata={"help": "superseded and retracted ones as well"})
    limit: int | None = field(default=None, metadata={"help": "at most so many; none: all"})


@dataclass(frozen=True, slots=True)
class ShowParams:
    """Which fact to show."""

    fact: str = field(metadata={"help": "its id, or how it begins or ends"})


@operation("facts.list", reads=True)
async def list_facts(memory: Memory, params: ListParams) -> tuple[FactAnswer, ...]:
    """List facts, those said last first.

    Raises NotFound when there is no such project, BadParameter when there is no such kind.
    """
    kinds = None if params.kind is None else (kind_of(params.kind, "facts"),)

    def read(conn: Connection) -> tuple[FactAnswer, ...]:
        chosen = facts.FactFilter(
            project_id=project_id(conn, params.project), kinds=kinds, status=None if params.all else "current"
        )
        found = facts.list_facts(conn, chosen, _ALL if params.limit is None else params.limit)
        told = sessions_of(conn, found)
        return tuple(fact_answer(fact, told) for fact in found)

    return await memory.readers.run(read)


@operation("facts.show", reads=True)
async def show_fact(memory: Memory, params: ShowParams) -> FactShowAnswer:
    """Show one fact with where it comes from and what became of it.

    Raises NotFound, and BadParameter when several facts could be meant.
    """

    def read(conn: Connection) -> FactShowAnswer:
        fact = facts.find(conn, params.fact)
        return FactShowAnswer(
            fact_answer(fact, sessions_of(conn, (fact,))),
            tuple(_change(change) for change in facts.history(conn, fact.id)),
        )

    return await memory.readers.run(read)


def kind_of(word: str, name: str) -> FactKind:
    """Return the kind of fact that a word means, other tools' words included; raises BadParameter."""
    kind = FACT_KIND_ALIASES.get(word, word)
    if kind not in FACT_KINDS:
        raise BadParameter(name, f"there is no kind {word!r} (there are: {', '.join(FACT_KINDS)})")
    return cast("FactKind", kind)


def sessions_of(conn: Connection, found: Iterable[Fact]) -> dict[int, Session]:
    """Return the sessions that the evidence of facts comes from, by row id."""
    return sessions.by_ids(conn, {evidence.session for fact in found for evidence in fact.evidence})


def _change(change: facts.Change) -> ChangeOfFact:
    return ChangeOfFact(
        at=time_of(change.at),
        action=change.action,
        reason=change.reason,
        old_title=change.old_title,
        old_text=change.old_body,
        other=change.other,
        session=change.session,
    )
