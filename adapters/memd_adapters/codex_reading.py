"""One read of a Codex rollout: the carried state, and what came of the rows so far.

Codex gives most rows no id that outlives a fork (which writes the parent's rows again, with new times) or a migration
(same rows, same times, another envelope, other places). So a row is known by its turn, by what it says, and by how
often the turn said that before. A turn's name is the host's id of it where it has one (from 0.10x on); before, the
session it was first written in, its prompt, and how often that prompt came.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from memd.adapter import (
    ChainLink,
    Event,
    FileChange,
    MessageKind,
    MessagePart,
    Role,
    SessionUpdate,
    ToolResult,
    ToolUse,
    Withdrawn,
)
from memd_adapters.codex_state import State, count
from memd_adapters.shaping import OUTPUT_CHARS, clean, head_and_tail

Field: TypeAlias = str | int | bool

UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)

_REPLAY_GAP_MS: Final = 1000
"""A fork's file begins with the parent's rows in one burst; what follows a longer pause is its own."""


class Place(NamedTuple):
    """Where a row stands: its time and, in paginated files, its ordinal."""

    at: int | None
    ordinal: int | None = None


@dataclass(slots=True)
class Reading:
    """What the rows of one read are told to."""

    state: State
    events: list[Event] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def learn(self, name: str, value: Field) -> None:
        """Note a field of the session; it is told once, with the session's first or next message."""
        if self.state.known.get(name) != value:
            self.state.known[name] = value
            self.state.pending[name] = value

    def tell_session(self) -> None:
        """Tell what was learnt of the session since it was told last."""
        pending = self.state.pending
        if pending:
            if "title" in pending:
                pending["title_by_user"] = True
            self.events.append(SessionUpdate(self.state.session, **pending))  # type: ignore[arg-type]  # by field name
            pending.clear()

    def watch_replay(self, at: int | None) -> None:
        """Notice when the replayed history of a fork's file is over."""
        state = self.state
        if not state.origin or at is None:
            return
        if state.replayed_at is not None and at - state.replayed_at > _REPLAY_GAP_MS:
            state.origin = ""
            state.replayed_at = None
        else:
            state.replayed_at = at

    def link(self, place: Place) -> None:
        """Keep the place of a row at which a thread may later be reverted."""
        if place.ordinal is not None:
            part = f"{self.state.session}@{place.ordinal}"
            self.events.append(ChainLink(self.state.session, part, self._seq(place.at), None))

    def begin_turn(self, turn: str) -> None:
        """Begin the turn of an id that holds for all sessions; other ids say nothing."""
        state = self.state
        state.between = False
        if UUID.fullmatch(turn) and turn != state.turn:
            state.end_turn(turn)

    def prompt(self, text: str, place: Place) -> None:
        """Tell what a person asked."""
        state = self.state
        if not UUID.fullmatch(state.turn):
            digest = _digest(text)
            number = count(state.prompts, digest)
            state.end_turn(f"{state.origin or state.session}/{digest}.{number}")
        state.prompted = True
        self._message("user", "prompt", text, place, parent=state.base or None)
        state.base = ""

    def say(self, role: Role, kind: MessageKind, text: str, place: Place) -> None:
        """Tell a message of its own that is no prompt."""
        self._message(role, kind, text, place)

    def reply(
        self, place: Place, *, text: str = "", thinking: str = "", call: ToolUse | None = None, model: str | None = None
    ) -> None:
        """Tell a piece of what the model answered; pieces until the next output or prompt are one message."""
        state = self.state
        if not state.reply:
            state.reply = self._next_message()
        if call is not None:
            part = self._part("c", f"{call.call_id}\0{call.name}\0{call.input}", counted=False)
        else:
            part = self._part("t" if thinking else "r", thinking or text)
        self._append(
            MessagePart(
                session=state.session,
                message=state.reply,
                part=part,
                seq=self._seq(place.at),
                role="assistant",
                kind="reply",
                at=place.at,
                text=clean(text),
                thinking=clean(thinking),
                tool_calls=(call,) if call is not None else (),
                model=model,
                copied_from=state.origin or None,
            )
        )

    def result(
        self,
        call_id: str,
        place: Place,
        *,
        ok: bool | None,
        output: str,
        exit_code: int | None,
        changes: tuple[FileChange, ...] = (),
        child: str | None = None,
        word: str = "o",
    ) -> None:
        """Tell what came back from a call; `word` tells the host's accounts of one call apart."""
        self._append(
            ToolResult(
                session=self.state.session,
                call_id=call_id,
                part=self._part(word, f"{call_id}\0{exit_code}\0{output}", counted=False),
                seq=self._seq(place.at),
                ok=ok,
                output=clean(head_and_tail(output, OUTPUT_CHARS)),
                at=place.at,
                exit_code=exit_code,
                changes=changes,
                child=child,
                output_chars=len(output),
            )
        )

    def withdraw(self, turn: str, messages: int) -> None:
        """Tell that the host took a turn back."""
        keys = tuple(f"{turn}:{number}" for number in range(1, messages + 1))
        if keys:
            self.events.append(Withdrawn(self.state.session, keys))

    def _message(self, role: Role, kind: MessageKind, text: str, place: Place, parent: str | None = None) -> None:
        state = self.state
        state.reply = ""
        self._append(
            MessagePart(
                session=state.session,
                message=self._next_message(),
                part=self._part(kind[0] if kind != "prompt" else "u", text),
                seq=self._seq(place.at),
                role=role,
                kind=kind,
                at=place.at,
                text=clean(text),
                parent=parent,
                copied_from=state.origin or None,
            )
        )

    def _append(self, event: Event) -> None:
        self.state.begun = True
        self.tell_session()
        self.events.append(event)

    def _next_message(self) -> str:
        state = self.state
        state.messages += 1
        return f"{self._turn()}:{state.messages}"

    def _turn(self) -> str:
        state = self.state
        if not state.turn:
            state.turn = f"{state.origin or state.session}/"
        return state.turn

    def _part(self, word: str, text: str, *, counted: bool = True) -> str:
        digest = word + _digest(text)
        number = count(self.state.seen, digest) if counted else 1
        return f"{self._turn()}:{digest}.{number}" if number > 1 else f"{self._turn()}:{digest}"

    def _seq(self, at: int | None) -> int:
        """Return the place in the session's order: microseconds, so that it holds for all files of a thread."""
        state = self.state
        state.seq = max(state.seq + 1, (at or 0) * 1000)
        return state.seq


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
