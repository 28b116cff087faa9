"""Lineage: shared history is owned by the session it began in, whichever session was read first.

A row that several sessions hold belongs to the one of the lowest rank (`SessionRows.rank`). When a better one turns
up, or what is known of the sessions changes, the rows move to it with their messages, tool calls and file changes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final

import orjson

from memd.store import rewinds
from memd.store.calls import Calls
from memd.store.drafts import Draft, Drafts
from memd.store.session_rows import SessionRows

_PLACES: Final = """
    SELECT p.part, p.session_id, p.seq, p.at, p.message_id, m.session_id
    FROM json_each(?) AS asked JOIN message_parts p ON p.part = asked.value JOIN messages m ON m.id = p.message_id
"""
_SHARED: Final = """
    SELECT part FROM message_parts WHERE message_id IN (
        SELECT message_id FROM message_copies WHERE session_id = ?1
        UNION
        SELECT m.id FROM messages m JOIN message_copies c ON c.message_id = m.id WHERE m.session_id = ?1
    )
"""
_LINK: Final = """
    INSERT INTO message_copies (session_id, message_id, seq) VALUES (?, ?, ?)
    ON CONFLICT (session_id, message_id) DO UPDATE SET seq = min(seq, excluded.seq)
"""
_UNLINK: Final = "DELETE FROM message_copies WHERE message_id IN (SELECT value FROM json_each(?))"
_LINK_AGAIN: Final = """
    INSERT INTO message_copies (session_id, message_id, seq)
    SELECT p.session_id, p.message_id, min(p.seq)
    FROM json_each(?) AS asked JOIN messages m ON m.id = asked.value JOIN message_parts p ON p.message_id = m.id
    WHERE p.session_id != m.session_id
    GROUP BY p.session_id, p.message_id
    RETURNING session_id
"""
_NAME_MODEL: Final = "UPDATE messages SET model = ? WHERE id = ? AND model IS NULL"
_REPOINT: Final = "UPDATE message_parts SET message_id = ? WHERE part = ? AND message_id = ?"
_MOVE_EVIDENCE: Final = "UPDATE OR IGNORE evidence SET message_id = ?, session_id = ? WHERE message_id = ?"

_Place = tuple[int, int | None]
"""Where a part stands in a session, and the time it has there: a copy may tell another than its origin."""
_Moves = dict[tuple[int, int], dict[int, _Place]]


def link(conn: sqlite3.Connection, copies: Iterable[tuple[int, int, int]]) -> None:
    """Link messages of other sessions: (session, message, place in the session)."""
    conn.executemany(_LINK, copies)


def name_models(conn: sqlite3.Connection, models: Mapping[int, str]) -> None:
    """Give messages that have none the model that a copy of them tells, by row id."""
    conn.executemany(_NAME_MODEL, [(model, message) for message, model in models.items()])


def settle(
    conn: sqlite3.Connection,
    sessions: SessionRows,
    drafts: Drafts,
    calls: Calls,
    shared: Mapping[int, str | None],
) -> set[int]:
    """Give every row of `shared`, and of sessions that are known better by now, to the session that owns it.

    `shared` has the model that the batch tells of each row. Returns the sessions whose messages or links changed.
    """
    candidates = set(shared)
    for session in sessions.moved_up_or_down():
        candidates.update(part for (part,) in conn.execute(_SHARED, (session,)))
    moves = _moves(conn, sessions, candidates) if candidates else {}
    if not moves:
        return set()
    conn.execute("PRAGMA defer_foreign_keys = ON")
    touched: set[int] = set()
    affected: set[int] = set()
    for (message, to), places in moves.items():
        source = drafts.load(message)
        touched |= {source.session, to}
        stand_ins, target = _move(conn, drafts, calls, source, to, places)
        target.model = next(filter(None, map(shared.get, places)), None) or target.model
        affected |= {message, target.id}
        calls.flush()
        drafts.flush((source, target))
        for stand_in in stand_ins:
            drafts.remove(stand_in)
    messages = orjson.dumps(sorted(affected)).decode()
    conn.execute(_UNLINK, (messages,))
    touched.update(session for (session,) in conn.execute(_LINK_AGAIN, (messages,)).fetchall())
    rewinds.mark(conn, touched)
    for session in touched:
        row = sessions.by_id(session)
        row.changed = row.recount = True
    return touched


def _moves(conn: sqlite3.Connection, sessions: SessionRows, candidates: set[int]) -> _Moves:
    """Return which parts of which message go to which session, with their places there."""
    places: dict[int, dict[int, _Place]] = {}
    held: dict[int, tuple[int, int]] = {}
    asked = orjson.dumps(sorted(candidates)).decode()
    for part, session, seq, at, message, owner in conn.execute(_PLACES, (asked,)).fetchall():
        places.setdefault(part, {})[session] = seq, at
        held[part] = (message, owner)
    moves: _Moves = {}
    for part, where in places.items():
        message, owner = held[part]
        best = min(where, key=sessions.rank)
        if best != owner:
            moves.setdefault((message, best), {})[part] = where[best]
    return moves


def _move(
    conn: sqlite3.Connection, drafts: Drafts, calls: Calls, source: Draft, to: int, places: dict[int, _Place]
) -> tuple[list[int], Draft]:
    """Move some parts of a message to a session; return the stand-ins that became needless, and the message there."""
    target = drafts.load_key(to, source.key)
    taken = [piece for piece in source.pieces if piece.part in places]
    for piece in taken:
        piece.seq, piece.at = places[piece.part]
    if target is None and len(taken) == len(source.pieces):
        stand_ins = calls.move(source.id, set(places), source.id, to)
        drafts.hand_over(source, to)
        conn.execute(_MOVE_EVIDENCE, (source.id, to, source.id))
        return stand_ins, source
    if target is None:
        target = drafts.make(to, source.key, source.role, source.kind, source.model)
    source.pieces = [piece for piece in source.pieces if piece.part not in places]
    target.pieces += taken
    source.changed = target.changed = True
    conn.executemany(_REPOINT, [(target.id, piece.part, source.id) for piece in taken])
    if not source.pieces:
        conn.execute(_MOVE_EVIDENCE, (target.id, to, source.id))
    return calls.move(source.id, set(places), target.id, to), target
