"""Literal: messages and tool calls found by the letters that stand in them, as they stand or by a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memd.errors import BadParameter, WorkerFailed
from memd.operations import finding
from memd.operations.answers import NO_PATTERN, HitAnswer
from memd.operations.finding import Asked
from memd.operations.memory import Memory
from memd.operations.snippet import Passage, around, said_in_call
from memd.recall import patterns
from memd.recall.patterns import PatternRequest
from memd.store import verbatim
from memd.store.facts import Connection
from memd.store.verbatim import Held
from memd.workers.turns import Priority

LiteralMode = Literal["exact", "regex"]

_LOOKED_THROUGH: Final = 400
_LOOKING_S: Final = 1.0
_PATTERN_S: Final = 2.0
_TOO_LONG: Final = "this pattern takes too long; make it simpler"
_NO_TIME: Final = "there was no time for older messages"


@dataclass(frozen=True, slots=True)
class Literally:
    """Hits, the newest first, and what is to be said of the search."""

    hits: tuple[HitAnswer, ...]
    note: str = ""


async def search_literally(memory: Memory, query: str, mode: LiteralMode, asked: Asked) -> Literally:
    """Find what was said, and what tools were given and put out, that holds a text or matches a pattern.

    Raises BadParameter for a pattern that is too long to be read.
    """
    letters, pattern, note = query, None, ""
    if mode == "regex":
        if len(query) > patterns.LONGEST:
            raise BadParameter("search", f"a pattern may be {patterns.LONGEST} characters long, not more")
        try:
            found: str | None = await memory.workers.run(
                patterns.LITERAL_TASK, query, deadline_s=_PATTERN_S, priority=Priority.FOREGROUND
            )
        except WorkerFailed:
            return Literally((), _TOO_LONG)
        letters, pattern, note = (query, None, NO_PATTERN) if found is None else (found, query, "")
    most = asked.limit if pattern is None else max(_LOOKED_THROUGH, asked.limit)
    held, in_time = await memory.readers.run(lambda conn: _held(conn, letters, asked, most))
    if not in_time and len(held) < most:
        note = _NO_TIME
    elif pattern is not None and len(held) >= most:
        note = f"only the newest {most} texts that hold {letters!r} were looked through"
    matches = dict.fromkeys(range(len(held)), letters)
    if pattern is not None and held:
        request = PatternRequest(pattern, dict(enumerate(one.text for one in held)))
        try:
            matches = await memory.workers.run(
                patterns.TASK, request, deadline_s=_PATTERN_S, priority=Priority.FOREGROUND
            )
        except WorkerFailed:
            return Literally((), _TOO_LONG)
    shown = [_passage(held[place], match, asked.chars) for place, match in sorted(matches.items())]
    rows = [held[place].message for place in sorted(matches)]
    pairs = tuple(zip(rows, shown, strict=True))[: asked.limit]
    hits = await memory.readers.run(lambda conn: finding.literally(conn, pairs, mode, asked))
    return Literally(hits, note)


def _held(conn: Connection, letters: str, asked: Asked, most: int) -> tuple[Sequence[Held], bool]:
    """Return the newest texts that hold the letters, and whether there was time to look for them all."""
    held: list[Held] = []
    in_time = True
    if asked.scope.messages:
        held, in_time = verbatim.messages(conn, letters, asked.chosen, most, _LOOKING_S)
    if asked.scope.calls and asked.chosen.role is None:
        done, also_in_time = verbatim.calls(conn, letters, asked.chosen, most, _LOOKING_S)
        # Of one message its own words come first: sorting is stable.
        held, in_time = sorted([*held, *done], key=lambda one: -one.message), in_time and also_in_time
    return held[:most], in_time


def _passage(held: Held, match: str, most: int) -> Passage:
    given = held.tool is not None and not held.printed
    text = f"{held.tool}: {said_in_call(held.text)}" if given else held.text
    return around(text, match, most, tool=held.tool, printed=held.printed)
