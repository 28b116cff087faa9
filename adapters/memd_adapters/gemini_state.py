"""What the Gemini CLI reader carries from one read to the next, inside the cursor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

import orjson

from memd_adapters.states import dumped

_REMEMBERED_IDS: Final = 600


@dataclass(slots=True)
class State:
    """The reader's memory. Every field has a JSON form; an unreadable state counts as none."""

    session: str = ""
    known: dict[str, str | int] = field(default_factory=dict)
    """Fields of the session that were told already."""
    pending: dict[str, str | int] = field(default_factory=dict)
    """Fields to tell with the session's next message."""
    begun: bool = False
    rows: int = 0
    ids: dict[str, str] = field(default_factory=dict)
    """The last messages in their order: id -> the first letter of its type. In Qwen Code's chats, calls -> tools."""
    open: dict[str, list[str]] = field(default_factory=dict)
    """Calls among an answer's parts that nothing came back from yet: id -> name, file."""
    rewound: str | None = None
    """The row to which a rewind went back, until a prompt goes on from there (Qwen Code)."""

    def learn(self, name: str, value: str | int | None) -> None:
        """Note a field of the session, if there is anything to note."""
        if value is not None and value != "" and self.known.get(name) != value:
            self.known[name] = self.pending[name] = value

    def remember(self, message: str, kind: str) -> None:
        """Note a message; the oldest is forgotten."""
        self.ids.setdefault(message, kind[:1])
        if len(self.ids) > _REMEMBERED_IDS:
            del self.ids[next(iter(self.ids))]

    def dump(self) -> str:
        """Return the state as JSON; fields at their defaults are left out."""
        return dumped(self)

    @classmethod
    def load(cls, text: str) -> Self:
        """Return the state that `dump` wrote, or a fresh one for anything else."""
        try:
            return cls(**orjson.loads(text)) if text else cls()
        except (orjson.JSONDecodeError, TypeError):
            return cls()
