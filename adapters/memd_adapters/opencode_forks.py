"""OpenCode's forks: which message of an older session a fork's message is a copy of.

A fork is a session of its own without a word of where it came from: its messages are copied under new ids, with the
times, roles and contents they had. So a message that is older than its session is a copy, and its original is the one
of the same time, role and words in the oldest session that has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from memd_adapters.opencode_rows import MessageRow, Original, PartRow, SessionRow
from memd_adapters.shaping import text_of

Words: TypeAlias = "list[tuple[object, str | None]]"


class Records(Protocol):
    """What a store of OpenCode tells of its rows."""

    def session(self, session: str) -> SessionRow | None:
        """Return a session by its id."""
        ...

    def messages(self, session: str, created: int) -> Sequence[MessageRow]:
        """Return the messages of a session that were made at a time."""
        ...

    def first_and_last(self, session: str, before: int) -> tuple[int, int] | None:
        """Return when the first and the last message of a session before a time were made."""
        ...

    def elders(self, session: SessionRow, created: int) -> Sequence[str]:
        """Return the sessions that are older than this one and have a message made at a time, the oldest first."""
        ...

    def parts(self, message: str) -> Sequence[PartRow]:
        """Return the parts of a message in their order."""
        ...


class Forks:
    """Finds originals; it remembers what it was asked for the time of one read."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._elders: dict[str, Sequence[str]] = {}
        self._originals: dict[str, Original | None] = {}

    def original(self, message: MessageRow) -> Original | None:
        """Return what a message is a copy of; None for one that is a session's own."""
        if message.id not in self._originals:
            self._originals[message.id] = self._find(message)
        return self._originals[message.id]

    def forked_from(self, session: SessionRow) -> str | None:
        """Return the session that a fork went on from: the one that has the last message it copied."""
        found = self._records.first_and_last(session.id, session.created)
        if found is None:
            return None
        originals = (self.original(message) for message in self._records.messages(session.id, found[1]))
        return next((original.session for original in originals if original is not None), None)

    def _find(self, message: MessageRow) -> Original | None:
        session = self._records.session(message.session)
        if session is None or not 0 < message.created < session.created:
            return None
        if session.id not in self._elders:
            first = self._records.first_and_last(session.id, session.created)
            self._elders[session.id] = self._records.elders(session, first[0]) if first else ()
        parts: Sequence[PartRow] | None = None
        for elder in self._elders[session.id]:
            for other in self._records.messages(elder, message.created):
                if other.role == message.role:
                    parts = self._records.parts(message.id) if parts is None else parts
                    others = self._records.parts(other.id)
                    if _words(others[: len(parts)]) == _words(parts):
                        return Original(elder, other.id, tuple(part.id for part in others))
        return None


def _words(parts: Sequence[PartRow]) -> Words:
    """Return what tells parts apart whatever their ids are."""
    return [(part.data.get("type"), text_of(part.data, "text") or text_of(part.data, "callID")) for part in parts]
