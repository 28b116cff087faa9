"""Late results: those whose call is older than the batch, shared with another session, or not known yet.

Where a call is not known, a message stands in for it, so that the result is kept; when the call comes after all, it
takes over what its stand-in was given, and the stand-in goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memd.adapter import ToolResult
from memd.store.calls import Call, Calls
from memd.store.drafts import Drafts, Piece
from memd.store.parts import Parts
from memd.store.session_rows import SessionRows


@dataclass(frozen=True, slots=True)
class Late:
    """A result whose call is not among the session's own calls known so far."""

    event: ToolResult
    part: int
    seq: int
    body: str
    copied: bool
    """Whether another session has this row as well."""


class LateResults:
    """Finds the calls of late results, within one batch that is being stored."""

    def __init__(self, sessions: SessionRows, drafts: Drafts, calls: Calls, parts: Parts) -> None:
        self._sessions = sessions
        self._drafts = drafts
        self._calls = calls
        self._parts = parts

    def finish(self, session: int, results: Iterable[Late]) -> None:
        """Give results of a session to their calls, or to stand-ins."""
        results = list(results)
        seen = self._calls.seen(session, {result.event.call_id for result in results})
        for result in results:
            calls = seen.get(result.event.call_id, ())
            self._finish(session, result, calls[0] if calls else None)

    def heal(self, session: int, asked: set[str]) -> None:
        """Let calls of a session take over from what stood in for them."""
        for calls in self._calls.seen(session, asked).values():
            call = calls[0]
            if call.part is None:
                continue
            for stand_in in calls[1:]:
                if stand_in.part is None:
                    self._calls.inherit(call, stand_in)
                    self._calls.healed.append(stand_in.message)
                    self._sessions.by_id(call.session).changed = True

    def let_go(self) -> None:
        """Remove the messages of the stand-ins that are needed no more."""
        for message in self._calls.healed:
            row = self._sessions.by_id(self._drafts.load(message).session)
            row.changed = row.recount = True
            self._drafts.remove(message)
        self._calls.healed.clear()

    def _finish(self, session: int, late: Late, call: Call | None) -> None:
        event = late.event
        call = call or self._calls.of(session, event.call_id)
        if call is None and late.copied:
            return
        if call is None:
            draft = self._drafts.make(session, f"result:{event.call_id}", "system", "notice", None)
            draft.add(Piece(late.part, late.seq, event.at, "", ""))
            self._drafts.flush()
            self._parts.attach(late.part, session, draft.id)
            row = self._sessions.by_id(session)
            row.recount = True
            call = self._calls.stand_in(session, draft.id, event.call_id)
        if self._calls.offer(call, event, late.part, session, late.seq, late.body):
            self._sessions.by_id(call.session).changed = True
