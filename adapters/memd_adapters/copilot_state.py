"""What the Copilot CLI reader carries from one read to the next, inside the cursor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Self

import orjson

from memd.adapter import FileChange, ToolKind
from memd_adapters.states import dumped, remember

_OPEN_CALLS: Final = 64
_FILES: Final = 200


@dataclass(slots=True)
class Call:
    """A tool call that was told and has no result yet."""

    kind: ToolKind
    changes: list[FileChange] = field(default_factory=list)
    child: str = ""


@dataclass(slots=True)
class State:
    """The reader's memory. Every field has a JSON form; an unreadable state counts as none."""

    session: str = ""
    known: dict[str, str | int] = field(default_factory=dict)
    pending: dict[str, str | int | bool] = field(default_factory=dict)
    begun: bool = False
    rows: int = 0
    calls: dict[str, Call] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)
    """Call that started an agent -> the agent's name."""
    agent_calls: dict[str, str] = field(default_factory=dict)
    """Agent's id -> call that started it."""
    files: dict[str, int] = field(default_factory=dict)
    """Files whose changes were told since the process began."""
    fragment: str = ""
    """The beginning of an event that was written with raw line ends in it."""
    fragment_at: int = 0

    def learn(self, name: str, value: str | int | None) -> None:
        """Note a field of the session, if there is anything to note."""
        if value is not None and value != "" and self.known.get(name) != value:
            self.known[name] = self.pending[name] = value

    def remember_call(self, call_id: str, call: Call) -> None:
        """Keep a call until its result comes; the oldest goes when too many wait."""
        remember(self.calls, call_id, call, _OPEN_CALLS)

    def remember_agent(self, agent: str, call: str) -> None:
        """Note which call started an agent."""
        remember(self.agent_calls, agent, call, _OPEN_CALLS)

    def remember_files(self, changes: tuple[FileChange, ...]) -> None:
        """Note that changes of files were told."""
        for change in changes:
            remember(self.files, change.path, 1, _FILES)

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
                call_id: Call(**{**call, "changes": [FileChange(**change) for change in call["changes"]]})
                for call_id, call in raw.get("calls", {}).items()
            }
        except (orjson.JSONDecodeError, TypeError, KeyError, AttributeError):
            return cls()
        return state
