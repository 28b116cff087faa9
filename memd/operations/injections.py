"""Injections: what sessions were given, and what they made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from memd.errors import BadParameter
from memd.operations.injection_answers import (
    HitRateAnswer,
    InjectedAnswer,
    InjectionAnswer,
    InjectionsAnswer,
)
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import time_of
from memd.store import injections
from memd.store.facts import Connection
from memd.store.injections import Entry, InjectionStats

_MOST: Final = 500
_DAY_MS: Final = 86_400_000
_MOST_DAYS: Final = 36_500


@dataclass(frozen=True, slots=True)
class InjectionsParams:
    """Whose, and how many."""

    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    session: str | None = field(default=None, metadata={"help": "a session's id, memd's or the agent's own"})
    days: int = field(default=30, metadata={"help": "how far back the hit rate is counted"})
    limit: int = field(default=20, metadata={"help": "at most so many lines"})


@operation("injections.list", reads=True)
async def list_injections(memory: Memory, params: InjectionsParams) -> InjectionsAnswer:
    """Show what sessions were given, the newest first, and how much of it they made use of.

    Raises NotFound for a project that there is not, BadParameter for a number out of range.
    """
    if not 1 <= params.limit <= _MOST:
        raise BadParameter("injections.list", f"limit must be from 1 to {_MOST}, not {params.limit}")
    if not 1 <= params.days <= _MOST_DAYS:
        raise BadParameter("injections.list", f"days must be from 1 to {_MOST_DAYS}, not {params.days}")
    since = memory.clock.now_ms() - params.days * _DAY_MS

    def read(conn: Connection) -> InjectionsAnswer:
        project = project_id(conn, params.project)
        entries = injections.recent(conn, project_id=project, session=params.session, limit=params.limit)
        return InjectionsAnswer(
            tuple(map(_entry, entries)), tuple(map(hit_rate, injections.stats(conn, since, project)))
        )

    return await memory.readers.run(read)


def hit_rate(stats: InjectionStats) -> HitRateAnswer:
    """Return the figures of one kind of event as they are told."""
    rate = round(stats.used / stats.judged, 3) if stats.judged else None
    return HitRateAnswer(
        stats.event, stats.times, stats.tokens, stats.facts, stats.judged, stats.used, rate, time_of(stats.last_at)
    )


def _entry(entry: Entry) -> InjectionAnswer:
    return InjectionAnswer(
        at=time_of(entry.at),
        host=entry.host,
        session=entry.session,
        native_id=entry.native_id,
        project=entry.project,
        event=entry.event,
        reason=entry.reason,
        tokens=entry.tokens,
        facts=tuple(InjectedAnswer(fact.uid, fact.title, fact.score, fact.used, fact.shown) for fact in entry.facts),
        files=entry.extra,
    )
