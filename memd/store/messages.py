"""Messages: read back whole, with their tool calls and the files those changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

import orjson

from memd.model import ChangedFile, Message, ToolCall

_COLUMNS: Final = "m.id, m.key, m.seq, m.role, m.kind, m.at, m.text, m.thinking, m.model, m.abandoned, m.session_id"
_OWN: Final = f"SELECT {_COLUMNS} FROM messages m WHERE m.session_id = ?"  # noqa: S608 - constant columns
_COPIED: Final = f"""
    SELECT {_COLUMNS}, c.seq, c.abandoned FROM message_copies c JOIN messages m ON m.id = c.message_id
    WHERE c.session_id = ?
"""  # noqa: S608 - constant columns
_BY_IDS: Final = f"""
    SELECT {_COLUMNS} FROM json_each(?) AS asked JOIN messages m ON m.id = asked.value
"""  # noqa: S608 - constant columns
_SAID_BY: Final = """
    SELECT m.session_id, count(*), max(m.at) FROM json_each(?1) AS asked JOIN messages m ON m.session_id = asked.value
    WHERE m.at IS NULL OR m.at <= ?2 GROUP BY m.session_id
"""
_CALLS: Final = """
    SELECT t.message_id, t.id, t.call_id, t.name, t.kind, t.input, t.ok, t.exit_code, t.output, t.output_chars
    FROM json_each(?) AS asked JOIN tool_calls t ON t.message_id = asked.value
    LEFT JOIN message_parts p ON p.part = t.part AND p.session_id = t.session_id
    ORDER BY t.message_id, p.seq, t.id
"""
_CHANGES: Final = """
    SELECT f.tool_call_id, f.path, f.op, f.added, f.removed
    FROM json_each(?) AS asked JOIN tool_calls t ON t.message_id = asked.value
    JOIN file_changes f ON f.tool_call_id = t.id
    ORDER BY f.id
"""


def of_session(
    conn: sqlite3.Connection, session_id: int, *, include_copies: bool = False, include_abandoned: bool = True
) -> tuple[Message, ...]:
    """Return a session's messages in order.

    `include_copies` brings in, in place, the history it shares with the session it came from; `include_abandoned` says
    whether what was left behind by a rewind is there, marked.
    """
    rows = [(row, row[2], row[9]) for row in conn.execute(_OWN, (session_id,))]
    if include_copies:
        rows += [(row[:11], row[11], row[12]) for row in conn.execute(_COPIED, (session_id,))]
    if not include_abandoned:
        rows = [row for row in rows if not row[2]]
    rows.sort(key=lambda row: (row[1], row[0][0]))
    calls = _calls(conn, [row[0][0] for row in rows])
    return tuple(_message(row, seq, abandoned, calls) for row, seq, abandoned in rows)


def said_by(conn: sqlite3.Connection, sessions: Iterable[int], at_ms: int) -> dict[int, tuple[int, int | None]]:
    """Return how many messages sessions (row ids) had at a time, and when the last of them was; none without any.

    A host that tells no times is taken to have said it by then.
    """
    rows = conn.execute(_SAID_BY, (orjson.dumps(list(sessions)).decode(), at_ms))
    return {session: (count, last) for session, count, last in rows}


def by_ids(conn: sqlite3.Connection, ids: Iterable[int]) -> dict[int, tuple[int, Message]]:
    """Return messages with the row id of their session, by row id; those that do not exist are left out."""
    rows = conn.execute(_BY_IDS, (orjson.dumps(list(ids)).decode(),)).fetchall()
    calls = _calls(conn, [row[0] for row in rows])
    return {row[0]: (row[10], _message(row, row[2], row[9], calls)) for row in rows}


_Row = tuple[int, str, int, str, str, int | None, str, str, str | None, int, int]


def _message(row: _Row, seq: int, abandoned: int, calls: dict[int, list[ToolCall]]) -> Message:
    message_id, key, _, role, kind, at, text, thinking, model, _, _ = row
    made = tuple(calls.get(message_id, ()))
    return Message(message_id, key, seq, role, kind, at, text, thinking, model, made, bool(abandoned))  # type: ignore[arg-type]


def _calls(conn: sqlite3.Connection, messages: list[int]) -> dict[int, list[ToolCall]]:
    asked = orjson.dumps(messages).decode()
    changes: dict[int, list[ChangedFile]] = {}
    for call, *change in conn.execute(_CHANGES, (asked,)):
        changes.setdefault(call, []).append(ChangedFile(*change))
    calls: dict[int, list[ToolCall]] = {}
    for message, row_id, call_id, name, kind, call_input, ok, exit_code, output, chars in conn.execute(
        _CALLS, (asked,)
    ):
        changed = tuple(changes.get(row_id, ()))
        seen = None if ok is None else bool(ok)
        call = ToolCall(call_id, name, kind, call_input, seen, exit_code, output, chars, changed)
        calls.setdefault(message, []).append(call)
    return calls
