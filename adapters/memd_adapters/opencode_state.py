"""What the reading of an OpenCode database carries from one read to the next, as JSON in `Cursor.state`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

import orjson

from memd_adapters.jsonl_rows import Json

MOST_HELD_CHARS: Final = 40_000
"""How much is remembered of which messages were told, so that their deletion is noticed; an id has 30 characters."""
MOST_HELD_OF_SESSION: Final = 400
MOST_BUSY: Final = 32


@dataclass(slots=True)
class Frontier:
    """How far a table was read by rowid; `id` is that row's own id, by which reused row numbers are noticed."""

    row: int = 0
    id: str = ""


@dataclass(slots=True)
class State:
    """`floor` is the host's time up to which changes are known; `sweep` how far the look for changes has come,
    which may take several reads; when it began the database had the stamp `sweeping`, and its time was `next_floor`."""

    parts: Frontier = field(default_factory=Frontier)
    messages: Frontier = field(default_factory=Frontier)
    complete: bool = False
    """Whether the end was reached once."""
    floor: int = 0
    newest: int = 0
    sweeping: str = ""
    sweep: int = 0
    next_floor: int = 0
    more: bool = False
    busy: dict[str, str] = field(default_factory=dict)
    """Replies that are being written, with their sessions."""
    held: dict[str, list[str]] = field(default_factory=dict)
    """Messages by session, the session that changed last at the end; `id`, or `id key` where the key is another."""
    foreign: int = 0
    """How many rows of a form that cannot be read were counted."""

    def hold(self, session: str, messages: list[str]) -> None:
        """Remember messages of a session that is at work, and forget those of sessions that rest the longest."""
        kept = self.held.pop(session, [])
        self.held[session] = list(dict.fromkeys((*kept, *messages)))[-MOST_HELD_OF_SESSION:]
        total = sum(map(_chars, self.held.values()))
        for rested in list(self.held):
            if total <= MOST_HELD_CHARS or rested == session:
                break
            total -= _chars(self.held.pop(rested))

    def attend(self, message: str, session: str, *, busy: bool) -> None:
        """Note whether a reply is being written; of too many the oldest are given up."""
        self.busy.pop(message, None)
        if busy:
            self.busy[message] = session
            for forgotten in list(self.busy)[:-MOST_BUSY]:
                del self.busy[forgotten]

    def dump(self) -> str:
        """Return the state as JSON."""
        return orjson.dumps(
            {
                "parts": [self.parts.row, self.parts.id],
                "messages": [self.messages.row, self.messages.id],
                "complete": self.complete,
                "floor": self.floor,
                "newest": self.newest,
                "sweeping": self.sweeping,
                "sweep": self.sweep,
                "next_floor": self.next_floor,
                "more": self.more,
                "busy": self.busy,
                "held": self.held,
                "foreign": self.foreign,
            }
        ).decode()

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the state that `dump` wrote; a fresh one for anything else."""
        state = cls()
        try:
            found = orjson.loads(text)
        except ValueError:
            return state
        if not isinstance(found, dict):
            return state
        state.parts, state.messages = _frontier(found.get("parts")), _frontier(found.get("messages"))
        for name in ("floor", "newest", "sweep", "next_floor", "foreign"):
            if type(value := found.get(name)) is int:
                setattr(state, name, value)
        state.complete, state.more = found.get("complete") is True, found.get("more") is True
        sweeping = found.get("sweeping")
        state.sweeping = sweeping if isinstance(sweeping, str) else ""
        busy, held = found.get("busy"), found.get("held")
        if isinstance(busy, dict):
            state.busy = {message: session for message, session in busy.items() if isinstance(session, str)}
        if isinstance(held, dict):
            state.held = {session: _texts(messages) for session, messages in held.items()}
        return state


def _frontier(value: Json) -> Frontier:
    match value:
        case [int(row), str(row_id)]:
            return Frontier(row, row_id)
        case _:
            return Frontier()


def _texts(value: Json) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _chars(messages: list[str]) -> int:
    return sum(map(len, messages)) + 3 * len(messages)
