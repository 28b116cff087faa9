"""Exporting: facts whole, so that another memd can take them over as they are."""

from __future__ import annotations

from dataclasses import dataclass, field

from memd.errors import BadParameter
from memd.model import Fact
from memd.operations.answers import ChangeOfFact, FactAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import change_answer, time_of
from memd.operations.telling import told_all
from memd.store import carried, facts
from memd.store.facts import Connection

_MOST = 1000


@dataclass(frozen=True, slots=True)
class ExportParams:
    """Which facts to export."""

    project: str | None = field(
        default=None, metadata={"help": "a folder in the project, its name or its id; with what holds everywhere"}
    )
    limit: int = field(default=_MOST, metadata={"help": "at most so many"})
    offset: int = field(default=0, metadata={"help": "pass over so many"})


@dataclass(frozen=True, slots=True)
class WholeFactAnswer:
    """A fact with all that is noted of it.

    `parts` are its parts in their order, each with its name: a fact may have rejected several things. `slot` is what it
    is about, of which there is one value at a time. `ruling`: `kept` where somebody ruled that it holds, `closed` that
    it does not; `by_hand`: somebody made it, or made it theirs, and it gives way only to words that take it back.
    """

    fact: FactAnswer
    parts: tuple[tuple[str, str], ...]
    history: tuple[ChangeOfFact, ...]
    created: str | None
    slot: str | None
    ruling: str | None
    by_hand: bool
    changed: str | None
    """When its words or its state were changed last; None: that was not here, and it is not told."""


@operation("facts.export", reads=True)
async def export_facts(memory: Memory, params: ExportParams) -> tuple[WholeFactAnswer, ...]:
    """List facts whole, whether they hold or not, with their history, page by page.

    Raises BadParameter for a limit out of range, NotFound for an unknown project.
    """
    if not 1 <= params.limit <= _MOST or params.offset < 0:
        raise BadParameter("facts.export", f"limit must be from 1 to {_MOST} and offset 0 or more")

    def read(conn: Connection) -> tuple[WholeFactAnswer, ...]:
        chosen = facts.FactFilter(project_id=project_id(conn, params.project), status=None)
        found = facts.list_facts(conn, chosen, params.limit, params.offset)
        return tuple(_whole(conn, *pair) for pair in zip(found, told_all(conn, found), strict=True))

    return await memory.readers.run(read)


def _whole(conn: Connection, fact: Fact, told: FactAnswer) -> WholeFactAnswer:
    return WholeFactAnswer(
        told,
        tuple((part.name, part.text) for part in fact.parts),
        tuple(map(change_answer, facts.history(conn, fact.id))),
        time_of(fact.created_at),
        fact.slot,
        fact.ruling,
        carried.by_hand(conn, fact.id),
        time_of(carried.changed_at(conn, fact.id)),
    )
