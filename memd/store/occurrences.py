"""Occurrences: everything in which some words stand, whatever it is, so that it can be deleted."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

import orjson

_MESSAGES: Final = """
    SELECT m.id FROM messages m WHERE instr(lower(m.text), ?1)
    UNION SELECT t.message_id FROM tool_calls t
    WHERE instr(lower(t.output), ?1) OR instr(lower(t.input), ?1) OR instr(lower(t.input), ?2)
    ORDER BY 1
"""
_FACTS: Final = """
    SELECT f.id FROM facts f WHERE instr(lower(f.title || char(10) || f.body), ?1) OR instr(lower(f.metadata), ?2)
    UNION SELECT p.fact_id FROM fact_parts p WHERE instr(lower(p.text), ?1)
    UNION SELECT t.fact_id FROM fact_tags t WHERE instr(lower(t.tag), ?1)
    UNION SELECT e.fact_id FROM evidence e WHERE instr(lower(e.quote), ?1)
    UNION SELECT h.fact_id FROM fact_history h
    WHERE h.fact_id IS NOT NULL AND instr(lower(ifnull(h.old_title, '') || char(10) || ifnull(h.old_body, '')), ?1)
    ORDER BY 1
"""
_SESSIONS: Final = """
    SELECT DISTINCT session_id FROM messages WHERE id IN (SELECT value FROM json_each(?)) ORDER BY session_id
"""
_PROMPTS: Final = "SELECT id FROM prompts WHERE instr(lower(text), ?1)"
_HANDOFFS: Final = "SELECT uid FROM handoffs WHERE instr(lower(text), ?1)"
_BLOCKS: Final = "SELECT label FROM blocks WHERE instr(lower(value), ?1) ORDER BY label"
_DROP_PROMPTS: Final = "DELETE FROM prompts WHERE instr(lower(text), ?1)"
_DROP_HANDOFFS: Final = "DELETE FROM handoffs WHERE instr(lower(text), ?1) RETURNING uid"
_BLANK_HISTORY: Final = """
    UPDATE fact_history SET old_title = NULL, old_body = NULL
    WHERE fact_id IS NULL AND instr(lower(ifnull(old_title, '') || char(10) || ifnull(old_body, '')), ?1)
"""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """What holds some words: messages with their sessions and facts, by row id, how many kept prompts and handoffs, and
    the labels of blocks.
    """

    messages: tuple[int, ...]
    sessions: tuple[int, ...]
    facts: tuple[int, ...]
    prompts: int
    handoffs: int
    blocks: tuple[str, ...]


def occurrences_of(conn: sqlite3.Connection, words: str) -> Occurrences:
    """Return everything that holds these words as they are written, capitals of A to Z aside."""
    asked = _asked(words)
    messages = _column(conn, _MESSAGES, asked)
    return Occurrences(
        messages,
        _column(conn, _SESSIONS, (orjson.dumps(messages).decode(),)),
        _column(conn, _FACTS, asked),
        len(conn.execute(_PROMPTS, asked[:1]).fetchall()),
        len(conn.execute(_HANDOFFS, asked[:1]).fetchall()),
        tuple(label for (label,) in conn.execute(_BLOCKS, asked[:1])),
    )


def drop_rest(conn: sqlite3.Connection, words: str) -> tuple[str, ...]:
    """Delete kept prompts and handoffs that hold the words, and their lines in histories of facts that are gone.

    Returns the uids of the handoffs.
    """
    asked = _asked(words)[:1]
    conn.execute(_DROP_PROMPTS, asked)
    conn.execute(_BLANK_HISTORY, asked)
    return tuple(uid for (uid,) in conn.execute(_DROP_HANDOFFS, asked).fetchall())


def _asked(words: str) -> tuple[str, str]:
    """Return the words as SQLite's lower() has them, and as they stand in JSON."""
    lower = "".join(letter.lower() if letter.isascii() else letter for letter in words)
    return lower, orjson.dumps(lower).decode()[1:-1]


def _column(conn: sqlite3.Connection, sql: str, asked: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(row for (row,) in conn.execute(sql, asked))
