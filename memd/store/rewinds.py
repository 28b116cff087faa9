"""Rewinds: what a session left behind, as ranges of its order; the messages in them are kept and marked abandoned.

A session may be spread over several files, read in any order: a prompt can be known before the row it answers, before
the prompts it leaves behind, and a withdrawal before what it withdraws. So what rewinds follow from is kept, and the
ranges are worked out again when a session gains rows that may matter. They only grow: the more is known of a session,
the earlier the first prompt that was left behind.

History that a fork shares is marked for each session by itself: what the fork abandoned, its origin may have gone on
from.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

_ASK: Final = "INSERT OR IGNORE INTO prompt_parents (session_id, seq, parent) VALUES (?, ?, ?)"
_WITHDRAW: Final = "INSERT OR IGNORE INTO withdrawals (session_id, key) VALUES (?, ?)"
_ABANDON: Final = """
    INSERT OR IGNORE INTO rewinds (session_id, first_seq, end_seq)
    SELECT session_id, first_seq, seq FROM (
        SELECT a.session_id, a.seq, (
            SELECT min(seq) FROM (
                SELECT m.seq FROM messages m
                WHERE m.session_id = a.session_id AND m.kind = 'prompt' AND m.seq > p.seq AND m.seq < a.seq
                UNION ALL
                SELECT c.seq FROM message_copies c JOIN messages m ON m.id = c.message_id
                WHERE c.session_id = a.session_id AND m.kind = 'prompt' AND c.seq > p.seq AND c.seq < a.seq
            )
        ) AS first_seq
        FROM prompt_parents a JOIN message_parts p ON p.part = a.parent AND p.session_id = a.session_id
        WHERE a.session_id = ?1 AND a.seq >= ?2 AND p.seq < a.seq
    ) WHERE first_seq IS NOT NULL
"""
_TAKE_BACK: Final = """
    INSERT OR IGNORE INTO rewinds (session_id, first_seq, end_seq)
    SELECT w.session_id, m.seq, m.seq + 1
    FROM withdrawals w JOIN messages m ON m.session_id = w.session_id AND m.key = w.key WHERE w.session_id = ?1
    UNION
    SELECT w.session_id, c.seq, c.seq + 1
    FROM withdrawals w JOIN message_copies c ON c.session_id = w.session_id
    JOIN messages m ON m.id = c.message_id AND m.key = w.key WHERE w.session_id = ?1
"""
_REACH: Final = """
    SELECT (SELECT max(seq) FROM prompt_parents WHERE session_id = ?1),
        EXISTS (SELECT 1 FROM withdrawals WHERE session_id = ?1),
        (SELECT max(end_seq) FROM rewinds WHERE session_id = ?1)
"""
_MARK: Final = """
    UPDATE {table} SET abandoned = 1 - abandoned WHERE session_id = ? AND abandoned != EXISTS (
        SELECT 1 FROM rewinds r
        WHERE r.session_id = {table}.session_id AND {table}.seq >= r.first_seq AND {table}.seq < r.end_seq
    )
"""
_MARK_MESSAGES: Final = _MARK.format(table="messages")
_MARK_COPIES: Final = _MARK.format(table="message_copies")


def note_prompts(conn: sqlite3.Connection, prompts: Iterable[tuple[int, int, int]]) -> None:
    """Note prompts that went on from another row than the one before them: (session, place, identity of that row)."""
    conn.executemany(_ASK, prompts)


def note_withdrawn(conn: sqlite3.Connection, withdrawn: Iterable[tuple[int, str]]) -> None:
    """Note messages that the host took back: (session, key)."""
    conn.executemany(_WITHDRAW, withdrawn)


def work_out(conn: sqlite3.Connection, session: int, lowest: int) -> tuple[bool, bool]:
    """Find what a session that gained rows, from the place `lowest` on, left behind.

    What lies from the first prompt after the row that a later prompt answers, up to that later prompt, is abandoned. A
    row after the prompt that claims to answer it (a cycle) says nothing. Returns whether more is abandoned than before,
    and whether messages have to be marked anew (also those that came into a range that was known).
    """
    asked, took_back, end = conn.execute(_REACH, (session,)).fetchone()
    new = 0
    if asked is not None and lowest <= asked:
        new += conn.execute(_ABANDON, (session, lowest)).rowcount
    if took_back:
        new += conn.execute(_TAKE_BACK, (session,)).rowcount
    return new > 0, new > 0 or (end is not None and lowest < end)


def mark(conn: sqlite3.Connection, sessions: Iterable[int]) -> None:
    """Bring the marks of all messages of sessions in line with their ranges."""
    for session in sessions:
        conn.execute(_MARK_MESSAGES, (session,))
        conn.execute(_MARK_COPIES, (session,))
