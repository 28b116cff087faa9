"""One read of a Claude Code file: the carried state, and what came of the rows so far."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from memd.adapter import Event, SessionUpdate
from memd_adapters.claude_code_state import State
from memd_adapters.jsonl_rows import Json, Row

Field: TypeAlias = str | int | bool

_SHORT_AGENT_ID: Final = 8


@dataclass(slots=True)
class Reading:
    """What the rows of one read are told to."""

    state: State
    agent: str | None = None
    """The agent's id by the file's name, when the whole file is a subagent's."""
    stem_is_id: bool = True
    """Whether the file's name is the session's id, so that another id in a row tells of a copy."""
    events: list[Event] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def learn(self, name: str, value: Field) -> None:
        """Note a field of the session; it is told once, with the session's first or next message."""
        if self.state.known.get(name) != value:
            self.state.known[name] = value
            self.state.pending[name] = value

    def begin(self) -> None:
        """Tell the session before its message."""
        self.state.begun = True
        self.tell_session()

    def tell_session(self) -> None:
        """Tell what was learnt of the session since it was told last."""
        pending = self.state.pending
        if pending:
            if "title" in pending and self.state.known.get("title_by_user"):
                pending["title_by_user"] = True
            self.events.append(session_update(self.state.session, pending))
            pending.clear()


def session_update(session: str, known: Mapping[str, Field]) -> SessionUpdate:
    """Return an update of the fields that are known by name."""
    return SessionUpdate(session, **known)  # type: ignore[arg-type]  # names and kinds are those of the fields


def agent_session(agent: str, parent: str) -> str:
    """Return the native id of a subagent's session.

    It is the agent's id; the seven digits of versions up to 2.1.1 are unique below their parent only.
    """
    return f"{parent}:{agent}" if len(agent) <= _SHORT_AGENT_ID and parent else agent


def content_of(row: Row) -> str | list[Json] | None:
    """Return a message's content; None when there is none. Some rows were written as {"0": ..., "1": ...}."""
    message = row.get("message")
    if isinstance(message, str):
        return message
    if not isinstance(message, dict):
        return None
    content = message.get("content", message if "0" in message else None)
    if isinstance(content, dict):
        values = [value for key, value in content.items() if key.isdecimal()]
        if all(isinstance(value, str) for value in values):
            return "".join(value for value in values if isinstance(value, str))
        return values
    return content if isinstance(content, str | list) else None


def prompt_digest(prompt: str) -> str:
    """Return what tells one agent's prompt from another's."""
    return hashlib.blake2b(prompt.strip().encode(), digest_size=8).hexdigest()
