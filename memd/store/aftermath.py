"""Aftermath: what was said and done in a session after a time."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

_MESSAGES: Final = """
    SELECT role, substr(text, 1, ?3) FROM messages
    WHERE session_id = ?1 AND (at IS NULL OR at >= ?2) AND NOT abandoned AND kind IN ('prompt', 'reply') AND text != ''
    ORDER BY seq LIMIT ?4
"""
_INPUTS: Final = """
    SELECT substr(t.input, 1, ?3) FROM messages m JOIN tool_calls t ON t.message_id = m.id
    WHERE m.session_id = ?1 AND (m.at IS NULL OR m.at >= ?2) AND NOT m.abandoned ORDER BY m.seq, t.id LIMIT ?4
"""
_CHARS: Final = 4_000
"""Characters of a message or an input that are looked at."""
_MOST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Replies, inputs of tools and prompts, in order, each cut."""

    replies: tuple[str, ...]
    inputs: tuple[str, ...]
    prompts: tuple[str, ...]


def of_session(conn: sqlite3.Connection, session_id: int, since_ms: int) -> Aftermath:
    """Return what came after a time; what the host gives no time for is taken to be later."""
    said = conn.execute(_MESSAGES, (session_id, since_ms, _CHARS, _MOST)).fetchall()
    inputs = conn.execute(_INPUTS, (session_id, since_ms, _CHARS, _MOST))
    return Aftermath(
        tuple(text for role, text in said if role == "assistant"),
        tuple(text for (text,) in inputs),
        tuple(text for role, text in said if role == "user"),
    )
