"""Seams: secrets that two rows of one message hold only together are taken out of both as the second comes in.

Hosts that write a message while it is being told may cut it anywhere. A row is redacted by itself before it is stored;
what it began with, the row before it may have begun.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Final, Literal

from memd.adapter import Event, MessagePart
from memd.store.drafts import Drafts, Piece
from memd.store.ingest import Prepared
from memd.text.seam import may_go_on, redact_seam

_STORED: Final = """
    SELECT m.id FROM sessions s JOIN messages m ON m.session_id = s.id AND m.key = ?3
    WHERE s.host = ?1 AND s.native_id = ?2
"""
_Kind = Literal["text", "thinking"]
_KINDS: Final[tuple[_Kind, ...]] = ("text", "thinking")


def mended(conn: sqlite3.Connection, host: str, prepared: Prepared) -> Prepared:
    """Return a batch without secrets that go over from one row of a message to the next, nor in what is stored."""
    events, bodies = list(prepared.batch.events), list(prepared.bodies)
    last: dict[tuple[str, str, _Kind], int] = {}
    for place, event in enumerate(prepared.batch.events):
        if not isinstance(event, MessagePart):
            continue
        for kind in _KINDS:
            told = getattr(event, kind)
            if not told:
                continue
            before = last.get((event.session, event.message, kind))
            last[event.session, event.message, kind] = place
            if not may_go_on(told):
                continue
            if before is None:
                rest = _with_stored(conn, host, event, kind)
            else:
                rest = _with_event(events, bodies, before, event, kind)
            if rest is not None:
                events[place], bodies[place] = _saying(_part(events[place]), kind, rest), ""
    if all(new is old for new, old in zip(events, prepared.batch.events, strict=True)):
        return prepared
    return Prepared(replace(prepared.batch, events=tuple(events)), tuple(bodies))


def _with_event(events: list[Event], bodies: list[str], before: int, event: MessagePart, kind: _Kind) -> str | None:
    """Return what is left of a row after the one before it in the batch, which loses its share; None: all of it."""
    earlier = _part(events[before])
    found = redact_seam(getattr(earlier, kind), getattr(event, kind))
    if found is None:
        return None
    events[before], bodies[before] = _saying(earlier, kind, found[0]), ""
    return found[1]


def _with_stored(conn: sqlite3.Connection, host: str, event: MessagePart, kind: _Kind) -> str | None:
    """Return what is left of a row after the one before it in the store, which loses its share; None: all of it."""
    stored = conn.execute(_STORED, (host, event.session, event.message)).fetchone()
    if stored is None:
        return None
    drafts = Drafts(conn)
    draft = drafts.load(stored[0])
    told: list[Piece] = [one for one in draft.pieces if getattr(one, kind)]
    if not told:
        return None
    piece = max(told, key=lambda one: one.seq)
    found = redact_seam(getattr(piece, kind), getattr(event, kind))
    if found is None:
        return None
    if found[0] != getattr(piece, kind):
        setattr(piece, kind, found[0])
        draft.changed = True
        drafts.measure(draft, piece)
        drafts.flush()
    return found[1]


def _saying(event: MessagePart, kind: _Kind, told: str) -> MessagePart:
    return replace(event, text=told) if kind == "text" else replace(event, thinking=told)


def _part(event: Event) -> MessagePart:
    assert isinstance(event, MessagePart)
    return event
