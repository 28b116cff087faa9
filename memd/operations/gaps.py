"""Gaps: what was looked for in vain, noted by searches and told by what was asked most."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from typing import Final

from memd.errors import StoreFull, StoreReadOnly
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import time_of
from memd.store import gaps
from memd.text.redaction import scrub

logger = logging.getLogger(__name__)

# Letters and digits in one long word, or many digits: so look passwords and numbers of people that nothing marks as
# such. Whoever looks whether one is gone must not put it back by asking.
_UNMARKED: Final = re.compile(r"(?<!\S)(?=\S*\d)(?=\S*[A-Za-z])\S{8,}|(?<!\d)\d{7,}(?!\d)")


@dataclass(frozen=True, slots=True)
class GapsParams:
    """Which gaps to list."""

    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    closed: bool = field(default=False, metadata={"help": "those that something answers by now as well"})
    limit: int = field(default=50, metadata={"help": "at most so many"})


@dataclass(frozen=True, slots=True)
class GapAnswer:
    """What was looked for and not found: in its last wording, how often, first and last, and since when there is
    something that answers it.
    """

    query: str
    project: str | None
    asked: int
    first: str | None
    last: str | None
    closed: str | None = None


@dataclass(frozen=True, slots=True)
class GapsAnswer:
    """Queries that found nothing, those asked most first."""

    gaps: tuple[GapAnswer, ...]


@operation("search.gaps", reads=True)
async def list_gaps(memory: Memory, params: GapsParams) -> GapsAnswer:
    """List what was looked for and not found, what was asked most first.

    Raises NotFound when there is no such project.
    """
    answered = await memory.readers.run(gaps.answered)
    if answered:
        await memory.writer.run(lambda conn: gaps.close(conn, answered, memory.clock.now_ms()))
    found = await memory.readers.run(
        lambda conn: gaps.listed(conn, project_id(conn, params.project), closed=params.closed, limit=params.limit)
    )
    return GapsAnswer(
        tuple(
            GapAnswer(gap.query, gap.project, gap.asked, time_of(gap.first_at), time_of(gap.last_at),
                      time_of(gap.closed_at))
            for gap in found
        )
    )  # fmt: skip


async def note_gap(memory: Memory, query: str, project: int | None) -> None:
    """Note what was looked for in vain, where there is room for that: an answer does not depend on it.

    Secrets go, and words that could be one; where nothing else was asked for, nothing is noted.
    """
    said, now = _UNMARKED.sub("", scrub(query).text).strip(), memory.clock.now_ms()
    if not any(char.isalnum() for char in said):
        return
    try:
        await memory.writer.run(lambda conn: gaps.note(conn, said, project, now))
    except (StoreFull, StoreReadOnly) as error:
        logger.warning("event=gap_not_noted error=%s", error)
