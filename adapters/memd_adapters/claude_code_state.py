"""What the Claude Code reader carries from one read to the next, inside the cursor.

It is small whatever the file's size: what is known of the session, the calls that wait for their results, and the last
rows of each inline subagent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

import orjson

from memd.adapter import FileChange, ToolKind
from memd_adapters.states import dumped, remember

_OPEN_CALLS: Final = 128
_INLINE_ROWS: Final = 512


@dataclass(slots=True)
class Call:
    """A tool call whose result has not come yet, with the change it asks for and, for a Task, its prompt's digest."""

    kind: ToolKind
    change: FileChange | None = None
    prompt: str = ""
    child: str = ""


@dataclass(slots=True)
class State:
    """The reader's memory. Every field has a JSON form; an unreadable state counts as none."""

    session: str = ""
    parent: str = ""
    known: dict[str, str | int] = field(default_factory=dict)
    """Fields of the session that were told already."""
    pending: dict[str, str | int | bool] = field(default_factory=dict)
    """Fields to tell with the session's next message."""
    begun: bool = False
    """True once a message was told; a file of nothing but metadata makes no session."""
    warm_up: bool = False
    rows: int = 0
    """Objects seen, sound or not."""
    own_at: int | None = None
    """When the process that began this file said its first word, where that came before any conversation row."""
    message_id: str = ""
    message_key: str = ""
    prompted: bool = False
    """True when a prompt came after the row that `message_id` speaks of."""
    command: str = ""
    """The last row of a command whose output may follow, and the message it belongs to."""
    command_key: str = ""
    odd_version: bool = False
    calls: dict[str, Call] = field(default_factory=dict)
    inline: dict[str, str] = field(default_factory=dict)
    """Row of an inline subagent -> its session."""
    inline_last: str = ""

    def remember_call(self, call_id: str, call: Call) -> None:
        """Keep a call until its result comes; the oldest goes when too many wait."""
        remember(self.calls, call_id, call, _OPEN_CALLS)

    def remember_inline(self, row: str, session: str) -> None:
        """Note that a row belongs to an inline subagent."""
        self.inline_last = session
        remember(self.inline, row, session, _INLINE_ROWS)

    def dump(self) -> str:
        """Return the state as JSON; fields at their defaults are left out."""
        return dumped(self)

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the state that `dump` wrote, or a fresh one for anything else."""
        try:
            raw = orjson.loads(text) if text else {}
            state = cls(**raw)
            state.calls = {
                call_id: Call(**{**call, "change": FileChange(**call["change"]) if call["change"] else None})
                for call_id, call in raw.get("calls", {}).items()
            }
        except (orjson.JSONDecodeError, TypeError, KeyError, AttributeError):
            return cls()
        return state
