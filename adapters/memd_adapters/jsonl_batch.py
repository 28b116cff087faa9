"""One read of a file of JSON lines: what is done around the rows, the same for every host that appends them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from memd.adapter import Batch, Cursor, Event, Source
from memd.errors import TranscriptError
from memd_adapters.jsonl import Lines
from memd_adapters.jsonl_rows import parse_whole


class Carried(Protocol):
    """What is carried from one read to the next."""

    rows: int
    """Rows seen so far, known or not."""

    def dump(self) -> str:
        """Return the state as JSON."""


class Reading(Protocol):
    """What the rows of one read are told to."""

    events: list[Event]
    skipped: Counter[str]

    @property
    def state(self) -> Carried:
        """What is carried on."""


R = TypeVar("R", bound=Reading)


@dataclass(frozen=True, slots=True)
class RowReader(Generic[R]):
    """How one host's rows are read."""

    what: str
    """What the file is, in words: "a transcript of Codex"."""
    begin: Callable[[Source, str], R]
    """A reading with the state that was carried; "" for none."""
    take: Callable[[R, bytes, int], None]
    """Take the line that begins at a byte offset."""
    halfway: Callable[[R], bool] = lambda _: False
    """Whether the last line was only the beginning of a row."""

    def read(self, source: Source, cursor: Cursor | None, lines: Lines) -> Batch:
        """Return what the lines say. Raises TranscriptError when there is no row in the whole file."""
        reading = self.begin(source, "" if cursor is None or lines.restarted else cursor.state)
        for line, offset in zip(lines.lines, lines.offsets, strict=True):
            self.take(reading, line, offset)
        halfway = self.halfway(reading)
        if not (reading.state.rows or halfway) and lines.cursor.offset and not lines.more:
            raise TranscriptError(source.path, f"is no {self.what}: none of its lines is a JSON object")
        after = replace(lines.cursor, state=reading.state.dump())
        events = reading.events
        if lines.torn and not halfway and parse_whole(lines.torn) is not None:
            # A last row that is whole but for its newline; it stays after the cursor and is read again then.
            ahead = self.begin(source, after.state)
            self.take(ahead, lines.torn, lines.cursor.offset)
            events = [*events, *ahead.events]
        return Batch(
            events=tuple(events),
            cursor=after,
            more=lines.more,
            restarted=lines.restarted,
            skipped=+(reading.skipped + lines.skipped),
            lines=len(lines.lines),
        )
