"""The meaning of an adapter's events, in memory: what the store makes of them, for one pass without a store.

A row counts once, in the session it began in; rows of one message are joined; results find their calls; what a rewind
left behind is marked abandoned. As in the store, the outcome does not depend on which of two sessions came first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from memd.adapter import (
    Adapter,
    ChainLink,
    Cursor,
    Event,
    FileChange,
    MessageKind,
    MessagePart,
    ReadLimits,
    Role,
    SessionUpdate,
    Source,
    ToolResult,
    ToolUse,
    Withdrawn,
)
from memd.model import ChangedFile, Message, Session, ToolCall, Transcript

Rank: TypeAlias = tuple[int, float, str]
Content: TypeAlias = MessagePart | ToolResult


def read_all(adapter: Adapter, source: Source, limits: ReadLimits) -> tuple[list[Event], Mapping[str, int]]:
    """Read a source from its start to its end; return its events and what was passed over, by reason.

    Raises what `Adapter.read` raises.
    """
    events: list[Event] = []
    skipped: Counter[str] = Counter()
    cursor: Cursor | None = None
    more = True
    while more:
        batch = adapter.read(source, cursor, limits)
        events += batch.events
        skipped.update(batch.skipped)
        cursor, more = batch.cursor, batch.more
    return events, skipped


def fold(host: str, events: Iterable[Event]) -> tuple[Transcript, ...]:
    """Return the sessions that events tell of, in order of first appearance.

    Events may repeat and may come in any pieces. A session holds its own messages; those it shares with the session it
    was copied from are that one's.
    """
    gathered = _Gathered()
    for event in events:
        gathered.take(event)
    return tuple(_Assembly(host, gathered).transcripts())


@dataclass(slots=True)
class _SessionNotes:
    """What events say of one session. `places` has every row of it, own or copied, whatever it holds."""

    told: SessionUpdate
    places: dict[str, int] = field(default_factory=dict)
    first_at: int | None = None
    last_at: int | None = None
    withdrawn: set[str] = field(default_factory=set)

    def spoke(self, at: int | None) -> None:
        if at is not None:
            self.first_at = at if self.first_at is None else min(self.first_at, at)
            self.last_at = at if self.last_at is None else max(self.last_at, at)


@dataclass(slots=True)
class _Gathered:
    """Events by session and by row, each once."""

    sessions: dict[str, _SessionNotes] = field(default_factory=dict)
    contents: dict[str, dict[str, Content]] = field(default_factory=dict)
    """What each session has for a row: a copy may lack what its origin told, or tell another time."""
    holders: dict[str, dict[str, int]] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        notes = self.sessions.setdefault(event.session, _SessionNotes(SessionUpdate(event.session)))
        match event:
            case SessionUpdate():
                notes.told = _merged(notes.told, event)
            case MessagePart() | ToolResult():
                self._take_content(event, notes)
            case ChainLink():
                notes.places.setdefault(event.part, event.seq)
            case Withdrawn():
                notes.withdrawn.update(event.messages)
            case _:
                assert_never(event)

    def _take_content(self, event: Content, notes: _SessionNotes) -> None:
        if event.part not in notes.places:
            notes.places[event.part] = event.seq
            notes.spoke(event.at)
        copied_from = event.copied_from if isinstance(event, MessagePart) else None
        if copied_from and notes.told.forked_from is None and copied_from != event.session:
            notes.told = replace(notes.told, forked_from=copied_from)
        self.holders.setdefault(event.part, {}).setdefault(event.session, event.seq)
        versions = self.contents.setdefault(event.part, {})
        if event.session not in versions or (isinstance(event, MessagePart) and event.replace):
            versions[event.session] = event


@dataclass(slots=True)
class _Call:
    use: ToolUse
    result: ToolResult | None = None
    rank: tuple[Rank, int] | None = None

    def offer(self, result: ToolResult, rank: tuple[Rank, int]) -> None:
        """Take a result if it is better: read in the session of the lower rank, then the later one."""
        if self.rank is None or rank < self.rank:
            self.result, self.rank = result, rank

    def call(self) -> ToolCall:
        use, result = self.use, self.result
        if result is None:
            return ToolCall(use.call_id, use.name, use.kind, use.input)
        return ToolCall(
            use.call_id,
            use.name,
            use.kind,
            use.input,
            ok=result.ok,
            exit_code=result.exit_code,
            output=result.output,
            output_chars=max(result.output_chars, len(result.output)),
            changes=tuple(_changed(change) for change in result.changes),
        )


@dataclass(slots=True)
class _Draft:
    """A message in the making."""

    key: str
    pieces: list[tuple[int, MessagePart]] = field(default_factory=list)
    calls: list[tuple[int, _Call]] = field(default_factory=list)
    at: int | None = None
    place: int = 0
    """Where a message without pieces stands: one that only holds a result whose call was never seen."""

    @property
    def seq(self) -> int:
        return min((seq for seq, _ in self.pieces), default=self.place)

    def message(self, *, abandoned: bool) -> Message:
        pieces = [part for _, part in sorted(self.pieces, key=lambda piece: (piece[0], piece[1].part))]
        role: Role = pieces[0].role if pieces else "system"
        kind: MessageKind = pieces[0].kind if pieces else "notice"
        return Message(
            id=0,
            key=self.key,
            seq=self.seq,
            role=role,
            kind=kind,
            at=min((part.at for part in pieces if part.at is not None), default=self.at),
            text="\n\n".join(part.text for part in pieces if part.text),
            thinking="\n\n".join(part.thinking for part in pieces if part.thinking),
            model=next((part.model for part in pieces if part.model), None),
            tool_calls=tuple(call.call() for _, call in sorted(self.calls, key=lambda placed: placed[0])),
            abandoned=abandoned,
        )


class _Assembly:
    """Gathered rows put together as sessions."""

    def __init__(self, host: str, gathered: _Gathered) -> None:
        self._host = host
        self._gathered = gathered
        self._ranks = {session: self._rank(session) for session in gathered.sessions}
        self._drafts: dict[str, dict[str, _Draft]] = defaultdict(dict)
        self._prompts: dict[str, list[tuple[int, str | None]]] = defaultdict(list)
        self._copies: set[str] = set()
        calls = self._place_parts()
        self._place_results(calls)

    def _place_parts(self) -> dict[str, dict[str, _Call]]:
        """Give each part to its owner; return the newest call of each id that a session holds, own or copied."""
        held: dict[str, dict[str, _Call]] = defaultdict(dict)
        for part, versions in self._gathered.contents.items():
            holders = self._gathered.holders[part]
            owner = min(holders, key=self._ranks.__getitem__)
            content = versions[owner]
            if not isinstance(content, MessagePart):
                continue
            if content.model is None and len(versions) > 1:
                content = replace(content, model=self._model(versions.values()))
            draft = self._drafts[owner].setdefault(content.message, _Draft(content.message))
            draft.pieces.append((holders[owner], content))
            calls = [_Call(use) for use in content.tool_calls]
            draft.calls += [(holders[owner], call) for call in calls]
            for session, seq in holders.items():
                held[session].update({call.use.call_id: call for call in calls})
                if session != owner:
                    self._copies.add(session)
                if content.kind == "prompt":
                    self._prompts[session].append((seq, content.parent))
        return held

    def _model(self, versions: Iterable[Content]) -> str | None:
        """Return the model that the best of the sessions that tell one tells."""
        told = [part for part in versions if isinstance(part, MessagePart) and part.model is not None]
        return min(told, key=lambda part: self._ranks[part.session]).model if told else None

    def _place_results(self, calls: Mapping[str, Mapping[str, _Call]]) -> None:
        for part, versions in self._gathered.contents.items():
            holders = self._gathered.holders[part]
            for session, seq in holders.items():
                content = versions[session]
                if not isinstance(content, ToolResult):
                    continue
                call = calls.get(session, {}).get(content.call_id)
                if call is None and session == min(holders, key=self._ranks.__getitem__):
                    call = self._stand_in(session, seq, content)
                if call is not None:
                    call.offer(content, (self._ranks[session], -seq))

    def _stand_in(self, session: str, seq: int, result: ToolResult) -> _Call:
        """Return a call of which only the result is known."""
        key = f"result:{result.call_id}"
        draft = self._drafts[session].setdefault(key, _Draft(key, at=result.at, place=seq))
        if not draft.calls:
            draft.calls.append((seq, _Call(ToolUse(result.call_id, "unknown", "other", ""))))
        return draft.calls[0][1]

    def transcripts(self) -> Iterator[Transcript]:
        """Return every session that has a row."""
        for session, notes in self._gathered.sessions.items():
            if notes.places:
                yield self._transcript(session, notes)

    def _transcript(self, session: str, notes: _SessionNotes) -> Transcript:
        drafts = sorted(self._drafts[session].values(), key=lambda draft: draft.seq)
        ranges = list(self._rewinds(session, notes))
        messages = tuple(
            draft.message(
                abandoned=draft.key in notes.withdrawn or any(first <= draft.seq < end for first, end in ranges)
            )
            for draft in drafts
        )
        told = notes.told
        return Transcript(
            Session(
                id=0,
                uid="",
                host=self._host,
                native_id=session,
                kind=told.kind or "main",
                parent=told.parent,
                forked_from=told.forked_from,
                cwd=told.cwd,
                branch=told.branch,
                model=told.model,
                agent=told.agent,
                version=told.version,
                title=told.title,
                started_at=self._started(session, notes, messages),
                last_at=notes.last_at,
                ended_at=told.ended_at,
                end_reason=told.end_reason,
                messages=len(messages),
            ),
            messages,
        )

    def _started(self, session: str, notes: _SessionNotes, messages: tuple[Message, ...]) -> int | None:
        """A fork began when it left its origin, although its history is older."""
        told = notes.told.started_at
        if session not in self._copies:
            return min((at for at in (told, notes.first_at) if at is not None), default=None)
        if told is not None:
            return told
        return next((message.at for message in messages if message.at is not None), notes.first_at)

    def _rewinds(self, session: str, notes: _SessionNotes) -> Iterator[tuple[int, int]]:
        """Return what prompts left behind: from the first prompt between one and its parent, up to that one."""
        seqs = sorted(seq for seq, _ in self._prompts[session])
        for seq, parent in self._prompts[session]:
            place = notes.places.get(parent) if parent is not None else None
            if place is not None and place < seq:
                first = next((other for other in seqs if place < other < seq), None)
                if first is not None:
                    yield first, seq

    def _rank(self, session: str) -> Rank:
        """Return what decides who owns shared rows, as `memd.store.session_rows` has it."""
        notes = self._gathered.sessions[session]
        told = notes.told
        began = notes.first_at if told.started_at is None else told.started_at
        return self._generation(told), float("inf") if began is None else float(began), session

    def _generation(self, told: SessionUpdate) -> int:
        steps, seen = 0, {told.session}
        while told.forked_from is not None and told.forked_from not in seen:
            seen.add(told.forked_from)
            steps += 1
            origin = self._gathered.sessions.get(told.forked_from)
            if origin is None:
                return steps
            told = origin.told
        return steps + (told.kind not in (None, "main") and told.forked_from is None)


def _merged(old: SessionUpdate, new: SessionUpdate) -> SessionUpdate:
    """Return what is known after an update: the later word counts, but the first folder and a person's title stay."""
    keeps_title = new.title is None or (old.title_by_user and not new.title_by_user)
    started = [at for at in (old.started_at, new.started_at) if at is not None]
    return SessionUpdate(
        old.session,
        kind=new.kind or old.kind,
        parent=new.parent or old.parent,
        forked_from=new.forked_from or old.forked_from,
        cwd=old.cwd or new.cwd,
        branch=new.branch or old.branch,
        model=new.model or old.model,
        agent=new.agent or old.agent,
        title=old.title if keeps_title else new.title,
        title_by_user=old.title_by_user or (new.title is not None and new.title_by_user),
        version=new.version or old.version,
        started_at=min(started, default=None),
        ended_at=old.ended_at if new.ended_at is None else new.ended_at,
        end_reason=new.end_reason or old.end_reason,
    )


def _changed(change: FileChange) -> ChangedFile:
    return ChangedFile(change.path, change.op, change.added, change.removed)
