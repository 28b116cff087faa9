"""Rewinds: what a session left behind, as ranges of its order; the messages in them are kept and marked abandoned.

History that a fork shares is marked for each session by itself: what the fork abandoned, its origin may have gone on
from.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

import orjson

_FIRST_PROMPT: Final = """
    SELECT min(seq) FROM (
        SELECT seq FROM messages WHERE session_id = ?1 AND kind = 'prompt' AND seq > ?2 AND seq < ?3
        UNION ALL
        SELECT c.seq FROM message_copies c JOIN messages m ON m.id = c.message_id
        WHERE c.session_id = ?1 AND m.kind = 'prompt' AND c.seq > ?2 AND c.seq < ?3
    )
"""
_OF_KEYS: Final = """
    SELECT seq FROM messages WHERE session_id = ?1 AND key IN (SELECT value FROM json_each(?2))
    UNION
    SELECT c.seq FROM message_copies c JOIN messages m ON m.id = c.message_id
    WHERE c.session_id = ?1 AND m.key IN (SELECT value FROM json_each(?2))
"""
_NOTE: Final = "INSERT OR IGNORE INTO rewinds (session_id, first_seq, end_seq) VALUES (?, ?, ?)"
_REACH: Final = "SELECT max(end_seq) FROM rewinds WHERE session_id = ?"
_MARK: Final = """
    UPDATE {table} SET abandoned = 1 - abandoned WHERE session_id = ? AND abandoned != EXISTS (
        SELECT 1 FROM rewinds r
        WHERE r.session_id = {table}.session_id AND {table}.seq >= r.first_seq AND {table}.seq < r.end_seq
    )
"""
_MARK_MESSAGES: Final = _MARK.format(table="messages")
_MARK_COPIES: Final = _MARK.format(table="message_copies")


def rewind(conn: sqlite3.Connection, session: int, parent_seq: int, prompt_seq: int) -> bool:
    """Note that a prompt went on from a row before an earlier prompt; return False when none lies between.

    What lies from that earlier prompt up to this one is abandoned. A parent after the prompt (a cycle) says nothing.
    """
    if parent_seq >= prompt_seq:
        return False
    first = conn.execute(_FIRST_PROMPT, (session, parent_seq, prompt_seq)).fetchone()[0]
    return first is not None and conn.execute(_NOTE, (session, first, prompt_seq)).rowcount > 0


def withdraw(conn: sqlite3.Connection, session: int, keys: Iterable[str]) -> bool:
    """Note that the host took messages back; return False when that was known."""
    seqs = [seq for (seq,) in conn.execute(_OF_KEYS, (session, orjson.dumps(list(keys)).decode()))]
    return conn.executemany(_NOTE, [(session, seq, seq + 1) for seq in seqs]).rowcount > 0


def reach(conn: sqlite3.Connection, session: int) -> int | None:
    """Return where the last range of a session ends, None when it has none."""
    return conn.execute(_REACH, (session,)).fetchone()[0]  # type: ignore[no-any-return]


def mark(conn: sqlite3.Connection, sessions: Iterable[int]) -> None:
    """Bring the marks of all messages of sessions in line with their ranges."""
    for session in sessions:
        conn.execute(_MARK_MESSAGES, (session,))
        conn.execute(_MARK_COPIES, (session,))
