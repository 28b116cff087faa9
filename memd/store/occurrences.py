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
        OR instr(lower(ifnull(f.topic, '') || char(10) || ifnull(f.author, '') || char(10) || ifnull(f.domain, '')), ?1)
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
_OF_ENTITIES: Final = "FROM entities WHERE instr(lower(name), ?1) OR instr(folded, ?1)"
_ENTITIES: Final = f"SELECT id {_OF_ENTITIES}"
_ALIASES: Final = "SELECT entity_id FROM entity_aliases WHERE instr(lower(name), ?1) OR instr(folded, ?1)"
_PROJECTS: Final = "SELECT name FROM projects WHERE instr(lower(name || char(10) || root), ?1) ORDER BY name"
_DROP_RELATIONS: Final = f"""
    DELETE FROM edges WHERE src IN (SELECT 'entity:' || uid {_OF_ENTITIES})
        OR dst IN (SELECT 'entity:' || uid {_OF_ENTITIES})
"""  # noqa: S608 - constant text
_DROP_ENTITIES: Final = f"DELETE {_OF_ENTITIES}"
_DROP_ALIASES: Final = "DELETE FROM entity_aliases WHERE instr(lower(name), ?1) OR instr(folded, ?1)"
_BLANK_RELATIONS: Final = """
    UPDATE edges SET quote = iif(instr(lower(quote), ?1), NULL, quote),
        reason = iif(instr(lower(reason), ?1), NULL, reason)
    WHERE instr(lower(quote), ?1) OR instr(lower(reason), ?1)
"""
_DROP_GAPS: Final = "DELETE FROM search_gaps WHERE instr(lower(query), ?1)"
_DROP_PROMPTS: Final = "DELETE FROM prompts WHERE instr(lower(text), ?1)"
_DROP_HANDOFFS: Final = "DELETE FROM handoffs WHERE instr(lower(text), ?1) RETURNING uid"
_BLANK_HISTORY: Final = """
    UPDATE fact_history SET old_title = NULL, old_body = NULL
    WHERE fact_id IS NULL AND instr(lower(ifnull(old_title, '') || char(10) || ifnull(old_body, '')), ?1)
"""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """What holds some words: messages with their sessions and facts, by row id, how many kept prompts, handoffs and
    entities, the labels of blocks and the names of projects.
    """

    messages: tuple[int, ...]
    sessions: tuple[int, ...]
    facts: tuple[int, ...]
    prompts: int
    handoffs: int
    blocks: tuple[str, ...]
    entities: int
    projects: tuple[str, ...]


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
        len({*_column(conn, _ENTITIES, asked[:1]), *_column(conn, _ALIASES, asked[:1])}),
        tuple(name for (name,) in conn.execute(_PROJECTS, asked[:1])),
    )


def drop_rest(conn: sqlite3.Connection, words: str) -> tuple[str, ...]:
    """Delete kept prompts, handoffs and entities that hold the words, and what was looked for with them in vain.

    Their lines in histories of facts that are gone, and sentences that say so of a relation, are blanked out. Returns
    the uids of the handoffs.
    """
    asked = _asked(words)[:1]
    dropping = (_DROP_RELATIONS, _DROP_ENTITIES, _DROP_ALIASES, _DROP_GAPS, _DROP_PROMPTS)
    for sql in (*dropping, _BLANK_RELATIONS, _BLANK_HISTORY):
        conn.execute(sql, asked)
    return tuple(uid for (uid,) in conn.execute(_DROP_HANDOFFS, asked).fetchall())


def _asked(words: str) -> tuple[str, str]:
    """Return the words as SQLite's lower() has them, and as they stand in JSON."""
    lower = "".join(letter.lower() if letter.isascii() else letter for letter in words)
    return lower, orjson.dumps(lower).decode()[1:-1]


def _column(conn: sqlite3.Connection, sql: str, asked: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(row for (row,) in conn.execute(sql, asked))
