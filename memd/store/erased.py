"""Erased: what was deleted for good and must not come in again, known by digests of the host's ids alone.

A host's transcript still holds what memd was told to delete, and may be read again at any time. What is erased comes in
as a bare link of the host's tree then, so that rewinds are still told from it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, assert_never

import orjson

from memd.adapter import ChainLink, Event, MessagePart, SessionUpdate, Source, ToolResult, Withdrawn
from memd.store.ingest import Prepared
from memd.store.parts import part_id

_ANY: Final = "SELECT EXISTS (SELECT 1 FROM erased) OR EXISTS (SELECT 1 FROM erased_sessions)"
_ADD: Final = "INSERT OR IGNORE INTO erased (id) VALUES (?)"
_AMONG: Final = "SELECT id FROM erased WHERE id IN (SELECT value FROM json_each(?))"
_ADD_SESSION: Final = """
    INSERT INTO erased_sessions (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)
"""
_WHOLE: Final = "SELECT id, at FROM erased_sessions WHERE id IN (SELECT value FROM json_each(?))"
_MARK: Final = "UPDATE sessions SET erased_at = ? WHERE host = ? AND native_id = ? AND erased_at IS NULL"
_EMPTY: Final = "SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ? AND erased_at IS NOT NULL AND messages = 0)"
_SESSIONS: Final = """
    SELECT native_id, erased_at FROM sessions
    WHERE host = ? AND erased_at IS NOT NULL AND native_id IN (SELECT value FROM json_each(?))
"""


def message_identity(host: str, session: str, key: str) -> int:
    """Return the identity of a message, whatever rows it is made of."""
    return part_id(f"{host}\0message", f"{session}\0{key}")


def call_identity(host: str, session: str, call_id: str) -> int:
    """Return the identity of a tool call, whichever row its result comes in."""
    return part_id(f"{host}\0call", f"{session}\0{call_id}")


def title_identity(host: str, session: str) -> int:
    """Return the identity of all titles that a host gives a session."""
    return part_id(f"{host}\0title", session)


def session_identity(host: str, session: str) -> int:
    """Return the identity of a session."""
    return part_id(f"{host}\0session", session)


def add(conn: sqlite3.Connection, identities: Iterable[int]) -> None:
    """Let nothing of these identities come in any more."""
    conn.executemany(_ADD, [(identity,) for identity in identities])


def add_sessions(conn: sqlite3.Connection, identities: Iterable[int], at: int) -> None:
    """Let nothing come in that was said up to a time in sessions of these identities."""
    conn.executemany(_ADD_SESSION, [(identity, at) for identity in identities])


def mark_sessions(conn: sqlite3.Connection, host: str, natives: Iterable[str]) -> None:
    """Note of sessions that came in anew that they were deleted once."""
    for native, at in _whole(conn, host, natives).items():
        conn.execute(_MARK, (at, host, native))


def is_empty(conn: sqlite3.Connection, session_id: int) -> bool:
    """Return whether a session was deleted and nothing has been said in it since."""
    return bool(conn.execute(_EMPTY, (session_id,)).fetchone()[0])


def without_erased(conn: sqlite3.Connection, source: Source, prepared: Prepared) -> Prepared:
    """Return a batch without what was erased, and without what an erased session held up to when it was."""
    host = source.host
    if not conn.execute(_ANY).fetchone()[0]:
        return prepared
    events = prepared.batch.events
    named = [_identities(host, event) for event in events]
    asked = orjson.dumps([identity for some in named for identity in some]).decode()
    gone = {identity for (identity,) in conn.execute(_AMONG, (asked,))}
    natives = sorted({event.session for event in events})
    emptied = _whole(conn, host, natives) | dict(conn.execute(_SESSIONS, (host, orjson.dumps(natives).decode())))
    if not gone and not emptied and not _is_untitled(conn, source):
        return prepared
    kept, bodies = [], []
    cursor = prepared.batch.cursor
    if any(title_identity(host, event.session) in gone for event in events) or _is_untitled(conn, source):
        cursor = replace(cursor, state=without_texts(cursor.state, titles=True))
    for event, names, body in zip(events, named, prepared.bodies, strict=True):
        at = emptied.get(event.session)
        left = _left(event, bool(gone.intersection(names)) or (at is not None and _was_said_by(event, at)))
        kept.append(left)
        bodies.append(body if left is event else "")
    return Prepared(replace(prepared.batch, events=tuple(kept), cursor=cursor), tuple(bodies))


def without_texts(state: str, said: str = "", *, titles: bool) -> str:
    """Return what a cursor remembers without titles, and without texts that stand in `said`.

    Adapters remember in JSON what they may have to tell later; `said` has single spaces and is case-folded.
    """
    try:
        remembered = orjson.loads(state)
    except orjson.JSONDecodeError:
        return state
    return orjson.dumps(_forgetting(remembered, said, titles)).decode()


def _forgetting(value: object, said: str, titles: bool) -> object:
    if isinstance(value, dict):
        return {
            name: "" if titles and name == "title" else _forgetting(inner, said, titles)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_forgetting(inner, said, titles) for inner in value]
    if isinstance(value, str) and " " in value.strip():
        return "" if folded(value) in said else value
    return value


def folded(text: str) -> str:
    """Return a text as texts are compared here: with single spaces, case-folded."""
    return " ".join(text.split()).casefold()


def _whole(conn: sqlite3.Connection, host: str, natives: Iterable[str]) -> dict[str, int]:
    """Return those of some sessions that are known by digest to have been deleted, and when."""
    named = {session_identity(host, native): native for native in natives}
    rows = conn.execute(_WHOLE, (orjson.dumps(list(named)).decode(),))
    return {named[identity]: at for identity, at in rows}


def _is_untitled(conn: sqlite3.Connection, source: Source) -> bool:
    if source.session is None:
        return False
    asked = orjson.dumps([title_identity(source.host, source.session)]).decode()
    return conn.execute(_AMONG, (asked,)).fetchone() is not None


def _identities(host: str, event: Event) -> tuple[int, ...]:
    match event:
        case MessagePart():
            return part_id(host, event.part), message_identity(host, event.session, event.message)
        case ToolResult():
            return part_id(host, event.part), call_identity(host, event.session, event.call_id)
        case SessionUpdate():
            return (title_identity(host, event.session),) if event.title is not None else ()
        case ChainLink() | Withdrawn():
            return ()
        case _:
            assert_never(event)


def _left(event: Event, is_erased: bool) -> Event:
    """Return what is taken in of an event."""
    if not is_erased:
        return event
    if isinstance(event, SessionUpdate):
        return replace(event, title=None)
    if isinstance(event, (MessagePart, ToolResult)):
        return ChainLink(event.session, event.part, event.seq, event.parent)
    return event


def _was_said_by(event: Event, at: int) -> bool:
    return isinstance(event, (MessagePart, ToolResult)) and event.at is not None and event.at <= at
