"""Ingest: one read of a source becomes rows, exactly once.

The rows of a batch and the cursor that proves them are written by one call within the caller's transaction. What the
store ends up with depends on what was read and not on the order, the cuts or how often it was read: a part known in its
session adds nothing; a part known in another session of the host is history copied by a fork, branch or background
session, which `memd.store.lineage` gives to the session it began in.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Final, assert_never

from memd.adapter import Batch, ChainLink, MessagePart, SessionUpdate, Source, ToolResult, Withdrawn
from memd.store import lineage, rewinds, sources
from memd.store.calls import Calls
from memd.store.drafts import Drafts, Piece
from memd.store.late import Late, LateResults
from memd.store.parts import Parts, part_id
from memd.store.session_rows import SessionRow, SessionRows
from memd.text.session_ids import session_id

_NOWHERE: Final = (1 << 63) - 1  # a place after all others


@dataclass(frozen=True, slots=True)
class Prepared:
    """A batch with the full-text form of its texts.

    `bodies[i]` belongs to `batch.events[i]`: `memd.text.tokens.prepare` of a message part's text; for a tool result
    whose call is in the same batch `prepare(memd.store.calls.call_text(input, output))`; "" for all else and wherever
    it was not worked out beforehand (it is then worked out here).
    """

    batch: Batch
    bodies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ingested:
    """What storing a batch changed."""

    sessions: tuple[tuple[int, str], ...]
    """Row id and native id of each session that changed."""
    created: tuple[str, ...]
    """Native ids of the sessions seen for the first time."""
    new_messages: int
    new_calls: int
    known_parts: int
    """Parts that were stored already in the same session."""
    copied_parts: int
    """Parts that another session of the host had already."""
    late: bool = False
    """Whether something belongs to a session that has ended, which has to be distilled again."""


def store_batch(conn: sqlite3.Connection, source: Source, prepared: Prepared, now_ms: int) -> Ingested:
    """Store what one read of a source gave, with its cursor and the counts of what it skipped."""
    return _Storing(conn, source, prepared.batch, now_ms).run(prepared.bodies)


@dataclass(slots=True)
class _Notes:
    """What the walk over the events leaves to do afterwards."""

    copies: list[tuple[int, int, int]] = field(default_factory=list)
    shared: dict[int, str | None] = field(default_factory=dict)
    """Parts that another session has as well, with the model that is told here."""
    models: dict[int, str] = field(default_factory=dict)
    """Models that copies tell, by message."""
    call_ids: dict[int, set[str]] = field(default_factory=dict)
    """Calls of each session that something may stand in for already."""
    late: dict[int, list[Late]] = field(default_factory=dict)
    prompts: list[tuple[int, int, int]] = field(default_factory=list)
    withdrawn: list[tuple[int, str]] = field(default_factory=list)
    lowest: dict[int, int] = field(default_factory=dict)
    """The first place in each session that something new was put."""
    last_part: dict[int, int] = field(default_factory=dict)


class _Storing:
    """One batch being stored."""

    def __init__(self, conn: sqlite3.Connection, source: Source, batch: Batch, now_ms: int) -> None:
        self._conn = conn
        self._source = source
        self._batch = batch
        self._now_ms = now_ms
        host = source.host
        self._ids = [
            part_id(host, event.part) if isinstance(event, (MessagePart, ToolResult, ChainLink)) else 0
            for event in batch.events
        ]
        self._sessions = SessionRows(conn, host, now_ms, batch.cursor.mtime_ns // 1_000_000 or None)
        self._parts = Parts(conn, self._ids)
        self._drafts = Drafts(conn)
        self._calls = Calls(conn, self._sessions.rank)
        self._late = LateResults(self._sessions, self._drafts, self._calls, self._parts)
        self._notes = _Notes()
        self._known = 0
        self._copied = 0

    def run(self, bodies: tuple[str, ...]) -> Ingested:
        """Do it all, in the one order that works."""
        self._prefetch()
        for event, part, body in zip(self._batch.events, self._ids, bodies, strict=True):
            match event:
                case MessagePart():
                    self._message_part(event, part, body)
                case ToolResult():
                    self._tool_result(event, part, body)
                case ChainLink():
                    self._chain_link(event, part)
                case SessionUpdate():
                    self._sessions.of(event.session).merge(event)
                case Withdrawn():
                    session = self._sessions.of(event.session).id
                    self._notes.withdrawn += [(session, key) for key in event.messages]
                case _:
                    assert_never(event)
        new_messages = self._write()
        lineage.settle(self._conn, self._sessions, self._drafts, self._calls, self._notes.shared)
        self._finish_late()
        lineage.name_models(self._conn, self._notes.models)
        self._rewind()
        batch = self._batch
        sources.save(
            self._conn, self._source, batch.cursor, self._now_ms,
            lines=batch.lines, skipped=batch.skipped, restarted=batch.restarted,
        )  # fmt: skip
        changed = self._sessions.flush()
        return Ingested(
            sessions=tuple((row.id, row.native_id) for row in changed),
            created=tuple(row.native_id for row in changed if row.created),
            new_messages=new_messages,
            new_calls=self._calls.new,
            known_parts=self._known,
            copied_parts=self._copied,
            late=any(row.state == "ended" for row in changed),
        )

    def _prefetch(self) -> None:
        """Load in few queries what the events will ask for; of a new session there is nothing."""
        keys: dict[str, set[str]] = {}
        call_ids: dict[str, set[str]] = {}
        for event in self._batch.events:
            if isinstance(event, MessagePart):
                keys.setdefault(event.session, set()).add(event.message)
                if event.tool_calls:
                    call_ids.setdefault(event.session, set()).update(use.call_id for use in event.tool_calls)
            elif isinstance(event, ToolResult):
                call_ids.setdefault(event.session, set()).add(event.call_id)
        for native in dict.fromkeys(event.session for event in self._batch.events):
            row = self._sessions.of(native)
            parent, session = self._source.parent, self._source.session
            if parent is not None and session is not None and native == session_id(session) and row.parent is None:
                row.parent, row.changed = session_id(parent), True
            if self._batch.restarted:
                row.seq_shift = 0
            if row.created:
                continue
            if native in keys:
                self._drafts.prefetch(row.id, keys[native])
            if native in call_ids:
                self._calls.prefetch(row.id, call_ids[native])

    def _message_part(self, event: MessagePart, part: int, body: str) -> None:
        row = self._sessions.of(event.session)
        session = row.id
        places = self._parts.places(part)
        if session in places:
            self._again(row, event, part, body)
            return
        seq = self._place(row, event.seq)
        row.spoke(event.at)
        if event.copied_from is not None and row.forked_from is None and event.copied_from != row.native_id:
            row.forked_from = event.copied_from
        if event.kind == "prompt" and event.parent is not None:
            self._note_prompt(session, event.parent, seq)
        self._notes.last_part[session] = part
        if event.tool_calls:
            self._notes.call_ids.setdefault(session, set()).update(use.call_id for use in event.tool_calls)
        lengths = (event.at, len(event.text), len(event.thinking))
        for place in places.values():
            if place.message is not None and place.owner is not None:
                self._share(session, part, seq, place.message, place.owner, lengths, event.model)
                return
        draft = self._drafts.of_key(session, event.message)
        if draft is None:
            draft = self._drafts.make(session, event.message, event.role, event.kind, event.model)
        draft.add(Piece(part, seq, event.at, event.text, event.thinking), event, body)
        self._parts.add((part, session, draft.id, seq, *lengths), session)
        for use in event.tool_calls:
            self._calls.make(session, draft.id, part, use)

    def _tool_result(self, event: ToolResult, part: int, body: str) -> None:
        row = self._sessions.of(event.session)
        session = row.id
        places = self._parts.places(part)
        if session in places:
            self._known_again(row, places[session].seq, event.seq)
            return
        seq = self._place(row, event.seq)
        row.spoke(event.at)
        self._notes.last_part[session] = part
        call = self._calls.of(session, event.call_id)
        if call is not None:
            self._calls.offer(call, event, part, session, seq, body)
        else:
            late = Late(event, part, seq, body, bool(places))
            self._notes.late.setdefault(session, []).append(late)
        for place in places.values():
            if place.message is not None and place.owner is not None:
                self._share(session, part, seq, place.message, place.owner, (event.at, 0, 0))
                self._notes.call_ids.setdefault(session, set()).add(event.call_id)
                return
        self._copied += bool(places)
        self._parts.add((part, session, None, seq, event.at, 0, 0), None)

    def _chain_link(self, event: ChainLink, part: int) -> None:
        row = self._sessions.of(event.session)
        places = self._parts.places(part)
        if row.id in places:
            self._known_again(row, places[row.id].seq, event.seq)
            return
        self._parts.add((part, row.id, None, self._place(row, event.seq), None, 0, 0), None)
        self._notes.last_part[row.id] = part

    def _share(
        self,
        session: int,
        part: int,
        seq: int,
        message: int,
        owner: int,
        lengths: tuple[int | None, int, int],
        model: str | None = None,
    ) -> None:
        """Note a part that another session has already."""
        self._copied += 1
        self._parts.add((part, session, message, seq, *lengths), owner)
        self._notes.shared[part] = model
        if model is not None:
            self._notes.models.setdefault(message, model)
        self._notes.copies.append((session, message, seq))

    def _again(self, row: SessionRow, event: MessagePart, part: int, body: str) -> None:
        """A part seen again adds nothing; where the host updates rows in place its content is replaced."""
        place = self._parts.places(part)[row.id]
        self._known_again(row, place.seq, event.seq)
        if not event.replace or place.message is None or place.owner != row.id:
            return
        draft = self._drafts.load(place.message)
        piece = next(piece for piece in draft.pieces if piece.part == part)
        if (piece.text, piece.thinking) != (event.text, event.thinking):
            piece.text, piece.thinking = event.text, event.thinking
            draft.body = body if event.text else ""
            draft.changed = row.changed = True
            if draft.indexed is not None:
                self._drafts.measure(draft, piece)
            else:
                self._parts.resize(part, row.id, len(event.text), len(event.thinking))
        for use in event.tool_calls:
            row.changed |= self._calls.make(row.id, draft.id, part, use)

    def _known_again(self, row: SessionRow, stored_seq: int, seq: int) -> None:
        """Note how far a source that was rewritten shorter lags behind the order the store has."""
        self._known += 1
        if stored_seq > seq + row.seq_shift:
            row.seq_shift = stored_seq - seq

    def _place(self, row: SessionRow, seq: int) -> int:
        seq += row.seq_shift
        if seq < self._notes.lowest.get(row.id, seq + 1):
            self._notes.lowest[row.id] = seq
        return seq

    def _note_prompt(self, session: int, parent: str, seq: int) -> None:
        """Most prompts answer the row before them; the others may be rewinds."""
        parent_id = part_id(self._source.host, parent)
        if self._notes.last_part.get(session) != parent_id:
            self._notes.prompts.append((session, seq, parent_id))

    def _write(self) -> int:
        """Write messages, parts, calls and links as the walk has found them."""
        new = self._drafts.flush()
        for draft in new:
            self._sessions.by_id(draft.session).messages += 1
        self._parts.flush()
        self._calls.flush()
        self._late.let_go()
        lineage.link(self._conn, self._notes.copies)
        return len(new)

    def _finish_late(self) -> None:
        """Give results to calls that are older than the batch, shared, or unknown; let go what stood in for a call."""
        notes = self._notes
        for session, results in notes.late.items():
            self._late.finish(session, results)
        sharing = {session for session, _, _ in notes.copies}
        for session, asked in notes.call_ids.items():
            if session in sharing or not self._sessions.by_id(session).created:
                self._late.heal(session, asked)
        self._calls.flush()
        self._late.let_go()

    def _rewind(self) -> None:
        """Mark what sessions left behind, also among messages that came out of order."""
        notes = self._notes
        rewinds.note_prompts(self._conn, notes.prompts)
        rewinds.note_withdrawn(self._conn, notes.withdrawn)
        to_mark = []
        for session in {**notes.lowest, **dict.fromkeys(session for session, _ in notes.withdrawn)}:
            more, again = rewinds.work_out(self._conn, session, notes.lowest.get(session, _NOWHERE))
            if more:
                self._sessions.by_id(session).changed = True
            if again:
                to_mark.append(session)
        rewinds.mark(self._conn, to_mark)
