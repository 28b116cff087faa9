"""Deleting: messages and whole sessions leave the store for good, with everything that repeats what they say.

What was learnt from them is another room's part (`memd.distill.unlearning`) and goes before. What SQLite leaves of
deleted rows in the file is `memd.store.scrubbing`'s.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from memd.errors import BadParameter, NotFound
from memd.store import erased, scrubbing
from memd.store.calls import call_text
from memd.text.tokens import prepare

_NAME_CHARS: Final = 16
_LEAST_CHARS: Final = 4
_TELLING: Final = 12  # a text that long makes a title that holds it one about it
_NAMED: Final = """
    SELECT DISTINCT message_id FROM message_parts WHERE part BETWEEN ? AND ? AND message_id IS NOT NULL LIMIT 9
"""
# SQLite gives a bare column beside min() the value of the row that has it (SELECT, 2.5).
_NAMES: Final = """
    SELECT p.message_id, p.part, min(p.seq) FROM json_each(?) AS asked JOIN messages m ON m.id = asked.value
    JOIN message_parts p ON p.message_id = m.id AND p.session_id = m.session_id GROUP BY p.message_id
"""
_MESSAGES: Final = """
    SELECT m.id, m.text, m.key, s.id, s.host, s.native_id, s.title, s.title_origin
    FROM json_each(?) AS asked JOIN messages m ON m.id = asked.value JOIN sessions s ON s.id = m.session_id
"""
_OF_SESSIONS: Final = """
    SELECT m.id FROM json_each(?) AS asked JOIN messages m ON m.session_id = asked.value
    ORDER BY asked.key, m.seq, m.id
"""
_AGENTS: Final = """
    WITH RECURSIVE family (id, host, native_id) AS (
        SELECT id, host, native_id FROM sessions WHERE id = ?1
        UNION SELECT c.id, c.host, c.native_id
        FROM family f JOIN sessions c ON c.host = f.host AND c.parent = f.native_id
    ) SELECT id FROM family ORDER BY id != ?1, id
"""
_PARTS: Final = "SELECT part FROM message_parts WHERE message_id IN (SELECT value FROM json_each(?))"
_CALLS: Final = """
    SELECT t.id, t.call_id, t.result_part, t.input, t.output, s.host, s.native_id
    FROM json_each(?) AS asked JOIN tool_calls t ON t.message_id = asked.value JOIN sessions s ON s.id = t.session_id
"""
_UNINDEX: Final = """
    INSERT INTO {table} ({table}, rowid, body)
    SELECT 'delete', ?1, ?2 WHERE EXISTS (SELECT 1 FROM {table}_docsize WHERE id = ?1)
"""
_UNINDEX_MESSAGE: Final = _UNINDEX.format(table="messages_fts")
_UNINDEX_CALL: Final = _UNINDEX.format(table="calls_fts")
_EMPTY_PARTS: Final = """
    UPDATE message_parts SET message_id = NULL, chars = 0, thinking = 0
    WHERE message_id IN (SELECT value FROM json_each(?))
"""
_SHARING: Final = "SELECT DISTINCT session_id FROM message_copies WHERE message_id IN (SELECT value FROM json_each(?))"
_NATIVES: Final = "SELECT native_id FROM sessions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY native_id"
_NAMED_SESSIONS: Final = "SELECT host, native_id FROM sessions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
_DELETE: Final = "DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))"
_FORGET_PROMPT: Final = "DELETE FROM prompts WHERE text = ?"
_FORGET_PROMPTS: Final = "DELETE FROM prompts WHERE session_id = ?"
_FORGET_SUMMARY: Final = "DELETE FROM session_summaries WHERE session_id = ?"
_FORGET_EVENTS: Final = "DELETE FROM session_events WHERE session_id = ?"
_FORGET_USE: Final = """
    UPDATE injected_facts SET shown = NULL WHERE shown IS NOT NULL AND injection_id IN (
        SELECT i.id FROM injections i JOIN sessions s ON s.host = i.host AND s.native_id = i.native_id WHERE s.id = ?)
"""
_LOOK_AGAIN: Final = """
    UPDATE injections SET checked = NULL, extra = iif(?2, '[]', extra)
    WHERE (host, native_id) = (SELECT host, native_id FROM sessions WHERE id = ?1)
"""
_CHANGED: Final = """
    UPDATE sessions SET revision = revision + 1, erased_revision = revision + 1,
        messages = (SELECT count(*) FROM messages m WHERE m.session_id = sessions.id)
    WHERE id = ?
"""
_CURSORS: Final = """
    SELECT c.id, c.state, s.title FROM sessions s JOIN sources c ON c.host = s.host AND c.session = s.native_id
    WHERE s.id = ? AND c.state != ''
"""
_SET_CURSOR: Final = "UPDATE sources SET state = ? WHERE id = ?"
_UNTITLE: Final = "UPDATE sessions SET title = NULL, title_origin = NULL WHERE id = ?"
_EMPTIED: Final = "UPDATE sessions SET erased_at = ?, distilled = revision, branch = NULL WHERE id = ?"
_PLACES: Final = """
    SELECT c.path FROM json_each(?) AS asked JOIN sessions s ON s.id = asked.value
    JOIN sources c ON c.host = s.host AND c.session = s.native_id WHERE c.gone_at IS NULL ORDER BY c.path
"""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What went with some messages: how many tool calls, and the native ids of sessions that shared any of them."""

    messages: int
    calls: int
    shared_with: tuple[str, ...]


def names(conn: sqlite3.Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return what messages are called outside, by row id: the identity of their first row, which stays the same."""
    rows = conn.execute(_NAMES, (_json(ids),))
    return {message: f"{part:0{_NAME_CHARS}x}" for message, part, _ in rows}


def find(conn: sqlite3.Connection, name: str) -> int:
    """Return the row id of the message a person means, by its name or how that begins (4 characters or more).

    Raises NotFound, or BadParameter when several could be meant.
    """
    word = name.strip().lower()
    if not _LEAST_CHARS <= len(word) <= _NAME_CHARS or word.strip("0123456789abcdef"):
        raise NotFound("message", name)
    first, last = (min(int(word.ljust(_NAME_CHARS, end), 16), (1 << 63) - 1) for end in "0f")
    found = [message for (message,) in conn.execute(_NAMED, (first, last))]
    if not found:
        raise NotFound("message", name)
    if len(found) > 1:
        raise BadParameter("message", f"{name!r} could be any of several; say more of the id")
    return int(found[0])


def with_agents(conn: sqlite3.Connection, session_id: int) -> tuple[int, ...]:
    """Return the row ids of a session and of all its agents, the session itself first."""
    return tuple(session for (session,) in conn.execute(_AGENTS, (session_id,)))


def messages_of(conn: sqlite3.Connection, sessions: Iterable[int]) -> tuple[int, ...]:
    """Return the row ids of the sessions' own messages, in the order of the sessions and theirs."""
    return tuple(message for (message,) in conn.execute(_OF_SESSIONS, (_json(sessions),)))


def sources_of(conn: sqlite3.Connection, sessions: Iterable[int]) -> tuple[str, ...]:
    """Return the files of hosts that sessions were read from."""
    return tuple(path for (path,) in conn.execute(_PLACES, (_json(sessions),)))


def looked_at(conn: sqlite3.Connection, messages: Sequence[int]) -> Deleted:
    """Return what deleting messages would take along."""
    asked = _json(messages)
    return Deleted(len(messages), len(conn.execute(_CALLS, (asked,)).fetchall()), _sharing(conn, asked))


def identities(conn: sqlite3.Connection, messages: Sequence[int]) -> tuple[int, ...]:
    """Return the identities of all that does not come in again once messages are deleted: rows, calls, titles."""
    asked = _json(messages)
    rows = conn.execute(_MESSAGES, (asked,)).fetchall()
    calls = conn.execute(_CALLS, (asked,)).fetchall()
    return tuple(dict.fromkeys((
        *(part for (part,) in conn.execute(_PARTS, (asked,))),
        *(part for _, _, part, *_ in calls if part is not None),
        *(erased.call_identity(host, native, call_id) for _, call_id, *_, host, native in calls),
        *(erased.message_identity(host, native, key) for _, _, key, _, host, native, *_ in rows),
        *(erased.title_identity(host, native) for _, text, _, _, host, native, title, origin in rows
          if title and origin != "distill" and _holds(text, title)),
    )))  # fmt: skip


def title_identities(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[int, ...]:
    """Return the identities of the titles of sessions, which do not come in again once these are deleted whole."""
    return tuple(erased.title_identity(host, native) for host, native in conn.execute(_NAMED_SESSIONS, (_json(ids),)))


def delete(conn: sqlite3.Connection, messages: Sequence[int]) -> Deleted:
    """Delete messages with their tool calls, file changes, vectors and copies, and all that was derived of them.

    Their rows stay known and are taken in empty from now on. What is derived of the rest of their sessions, summary and
    events, is made anew when these are distilled next.
    """
    asked = _json(messages)
    rows = conn.execute(_MESSAGES, (asked,)).fetchall()
    calls = conn.execute(_CALLS, (asked,)).fetchall()
    shared = _sharing(conn, asked)
    erased.add(conn, identities(conn, messages))
    conn.executemany(_UNINDEX_MESSAGE, [(message, prepare(text)) for message, text, *_ in rows if text])
    conn.executemany(
        _UNINDEX_CALL, [(call, prepare(call_text(given, output))) for call, _, _, given, output, _, _ in calls]
    )
    conn.executemany(_FORGET_PROMPT, [(text,) for _, text, *_ in rows])
    for _, text, _, session, _, _, title, origin in rows:
        if title and (origin == "distill" or _holds(text, title)):
            conn.execute(_UNTITLE, (session,))
    spoken = erased.folded(
        "\n".join([*(text for _, text, *_ in rows), *(f"{given}\n{output}" for _, _, _, given, output, *_ in calls)])
    )
    for session in {row[3] for row in rows}:
        _forget_in_cursors(conn, session, spoken)
    conn.execute(_EMPTY_PARTS, (asked,))
    conn.execute(_DELETE, (asked,))
    for session in {row[3] for row in rows}:
        _derive_anew(conn, session, whole=False)
    scrubbing.ask(conn)
    return Deleted(len(rows), len(calls), shared)


def empty(conn: sqlite3.Connection, host: str, native_id: str, session_id: int, now_ms: int) -> None:
    """Let nothing be left of a session whose messages were deleted but that it was; what it says later is new."""
    erased.add(conn, [erased.title_identity(host, native_id)])
    conn.execute(_UNTITLE, (session_id,))
    _forget_in_cursors(conn, session_id, "")
    conn.execute(_FORGET_PROMPTS, (session_id,))
    _derive_anew(conn, session_id, whole=True)
    conn.execute(_EMPTIED, (now_ms, session_id))


def _derive_anew(conn: sqlite3.Connection, session: int, *, whole: bool) -> None:
    conn.execute(_FORGET_SUMMARY, (session,))
    conn.execute(_FORGET_EVENTS, (session,))
    conn.execute(_FORGET_USE, (session,))
    conn.execute(_LOOK_AGAIN, (session, whole))
    conn.execute(_CHANGED, (session,))


def _forget_in_cursors(conn: sqlite3.Connection, session: int, said: str) -> None:
    """Take out of the cursors of a session's sources what they remember of its titles and of what was said."""
    for source, state, titled in conn.execute(_CURSORS, (session,)).fetchall():
        left = erased.without_texts(state, said, titles=titled is None)
        if left != state:
            conn.execute(_SET_CURSOR, (left, source))


def _holds(text: str, title: str) -> bool:
    """Return whether a title is taken from a text, as hosts do that have none."""
    said, told = erased.folded(text), erased.folded(title).rstrip(".… ")
    return bool(told) and (told in said or (len(said) >= _TELLING and said in told))


def _sharing(conn: sqlite3.Connection, asked: str) -> tuple[str, ...]:
    found = [session for (session,) in conn.execute(_SHARING, (asked,))]
    return tuple(native for (native,) in conn.execute(_NATIVES, (_json(found),)))


def _json(values: Iterable[object]) -> str:
    return orjson.dumps(list(values)).decode()
