"""Telling a session that its host writes anew as a whole: events out of those entries of its file that are news."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memd.adapter import Event, FileChange, MessageKind, MessagePart, Role, SessionUpdate, ToolKind, ToolResult, ToolUse
from memd_adapters.json_entries import MOST_MESSAGES, Entry, Ledger, News, message_keys, withdrawals
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import OUTPUT_CHARS, clean, head_and_tail, input_text

_END: Final = ("ended_at", "end_reason")
_YEAR_2001_MS: Final = 978_307_200_000
_YEAR_2100_MS: Final = 4_102_444_800_000


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the model made it."""

    call_id: str
    name: str
    given: Json
    kind: ToolKind = "other"

    def use(self) -> ToolUse:
        """Return the call in the form that is kept."""
        return ToolUse(self.call_id, self.name, self.kind, clean(input_text(self.given)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a tool call."""

    ok: bool | None
    exit_code: int | None = None
    changes: tuple[FileChange, ...] = ()


@dataclass(slots=True)
class Telling:
    """What one read tells of a session; entries that are no news are walked over and say nothing."""

    session: str
    ledger: Ledger
    news: News
    entries: Sequence[Entry]
    fields: dict[str, str | int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    last_at: int = 0
    calls_seen: Counter[str] = field(default_factory=Counter)
    _at: int = -1
    _made: int = 0

    def turn_to(self, index: int) -> None:
        """Go on to an entry."""
        self._at, self._made = index, 0

    @property
    def is_news(self) -> bool:
        """Whether the entry at hand has anything to tell."""
        return self._at in self.news.places

    def skip(self, reason: str) -> None:
        """Count the entry at hand as passed over, if it is news."""
        self.skipped[reason] += self.is_news

    def call_id(self, said: str | None, place: int) -> str:
        """Return a call's id, which is made different where a host gives the same one twice."""
        call_id = said or f"{message_keys(self.entries[self._at].key)[0]}-{place}"
        self.calls_seen[call_id] += 1
        times = self.calls_seen[call_id]
        return call_id if times == 1 else f"{call_id}~{times}"

    def say(
        self,
        role: Role,
        kind: MessageKind,
        text: str,
        at: int | None,
        *,
        thinking: str = "",
        calls: Sequence[Call] = (),
        model: str | None = None,
    ) -> None:
        """Tell a message of the entry at hand, if it is news."""
        if not self.is_news or self._made >= MOST_MESSAGES or not (text or thinking or calls):
            return
        entry, place = self.entries[self._at], self._made
        self._made += 1
        self.events.append(
            MessagePart(
                session=self.session,
                message=message_keys(entry.key)[place],
                part=entry.part if not place else f"{entry.part}.{place}",
                seq=self.ledger.seq(self._at) + place,
                role=role,
                kind=kind,
                at=at,
                text=clean(text),
                thinking=clean(thinking),
                tool_calls=tuple(call.use() for call in calls),
                model=model,
                replace=True,
            )
        )

    def result(self, call: Call, came: Outcome, output: str, at: int | None, part: str | None = None) -> None:
        """Tell what came back from a call, if the entry at hand is news; `part` where an answer is written twice."""
        if not self.is_news:
            return
        self.events.append(
            ToolResult(
                session=self.session,
                call_id=call.call_id,
                part=part or f"{self.entries[self._at].part}:{call.call_id}",
                seq=self.ledger.seq(self._at),
                ok=came.ok,
                output=clean(head_and_tail(output, OUTPUT_CHARS)),
                at=at,
                exit_code=came.exit_code,
                changes=tuple(_clean_change(change) for change in came.changes),
                output_chars=len(output),
            )
        )

    def told(self) -> tuple[Event, ...]:
        """Return all events: the session, what was taken back, what is new, and last how the session ended.

        New content reopens a session, so its end is told again after it; an end before the last word is an old one.
        """
        if not self.ledger.keys:
            return ()
        end: dict[str, str | int] = {name: self.fields.pop(name) for name in _END if name in self.fields}
        fresh = self.ledger.unheard(self.fields)
        before = (_update(self.session, fresh),) if fresh else ()
        after: tuple[Event, ...] = ()
        if end and not self.news.more and int(end["ended_at"]) >= self.last_at:
            fresh = self.ledger.unheard(end)
            after = (_update(self.session, end),) if fresh or self.events else ()
        return (*before, *withdrawals(self.session, self.news), *self.events, *after)


def _update(session: str, fields: dict[str, str | int]) -> SessionUpdate:
    return SessionUpdate(session, **fields)  # type: ignore[arg-type]  # names and kinds are those of its fields


def _clean_change(change: FileChange) -> FileChange:
    return FileChange(clean(change.path), change.op, change.added, change.removed)


def time_ms(value: Json) -> int | None:
    """Return a time in milliseconds since 1970 when a number can be one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if _YEAR_2001_MS < value < _YEAR_2100_MS else None


def rows_of(value: Json) -> list[Row]:
    """Return the objects of a list; what else is in it is left out."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
