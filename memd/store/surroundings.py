"""Surroundings: what was said and done around a fact's evidence: it often names what the statement points at."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import orjson

_CHARS: Final = 600
_FILES: Final = 3
_OF_FACTS: Final = f"""
    SELECT e.fact_id, m.session_id, m.role, substr(m.text, 1, {_CHARS}), (
        SELECT substr(b.text, 1, {_CHARS}) FROM messages b
        WHERE b.session_id = m.session_id AND b.seq < m.seq AND b.kind = 'prompt' ORDER BY b.seq DESC LIMIT 1), (
        SELECT max(b.seq) FROM messages b
        WHERE b.session_id = m.session_id AND b.seq <= m.seq AND b.kind = 'prompt') AS first, (
        SELECT min(b.seq) FROM messages b
        WHERE b.session_id = m.session_id AND b.seq > m.seq AND b.kind = 'prompt') AS next
    FROM json_each(?1) AS asked JOIN evidence e ON e.fact_id = asked.value JOIN messages m ON m.id = e.message_id
    ORDER BY e.fact_id, e.id
"""  # noqa: S608 - constant numbers
_CHANGED: Final = """
    SELECT DISTINCT f.path FROM messages n JOIN tool_calls t ON t.message_id = n.id
    JOIN file_changes f ON f.tool_call_id = t.id
    WHERE n.session_id = ?1 AND n.seq >= ?2 AND (?3 IS NULL OR n.seq < ?3) ORDER BY f.id LIMIT ?4
"""
_FACTS_AT: Final = """
    SELECT DISTINCT f.id FROM json_each(?1) AS asked JOIN messages m ON m.id = asked.value
    JOIN messages n ON n.session_id = m.session_id AND n.seq BETWEEN m.seq - ?2 AND m.seq + ?2
    JOIN evidence e ON e.message_id = n.id JOIN facts f ON f.id = e.fact_id
    WHERE f.status = 'current' AND (f.project_id IS ?3 OR f.project_id IS NULL) LIMIT ?4
"""
_BEFORE: Final = f"""
    SELECT m.id, ifnull((
        SELECT substr(b.text, 1, {_CHARS}) FROM messages b
        WHERE b.session_id = m.session_id AND b.seq < m.seq AND b.kind = 'prompt' ORDER BY b.seq DESC LIMIT 1), '')
    FROM json_each(?1) AS asked JOIN messages m ON m.id = asked.value
"""  # noqa: S608 - constant numbers
_REPLIES: Final = """
    SELECT m.id, n.id FROM json_each(?1) AS asked JOIN messages m ON m.id = asked.value AND m.kind = 'prompt'
    JOIN messages n ON n.session_id = m.session_id AND n.seq > m.seq AND n.kind = 'reply' AND n.text != ''
        AND NOT n.abandoned AND n.seq < ifnull((
            SELECT min(b.seq) FROM messages b
            WHERE b.session_id = m.session_id AND b.seq > m.seq AND b.kind = 'prompt'), n.seq + 1)
    ORDER BY m.id, n.seq DESC LIMIT ?2
"""
_MOST_REPLIES: Final = 40
_REACH: Final = 6
"""How many places from a message a statement may stand that belongs to it; calls and results take places, too."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a fact was said among: the words, and paths of files that were changed in the same exchange."""

    text: str
    files: tuple[str, ...]


def of_facts(conn: sqlite3.Connection, facts: Iterable[int]) -> dict[int, Surroundings]:
    """Return, by row id of a fact, the messages it was said in with what they answer, each cut to its beginning.

    A reply answers the prompt before it; a prompt that is no question itself may settle the question before it.
    """
    texts: dict[int, dict[str, None]] = {}
    files: dict[int, dict[str, None]] = {}
    known: dict[tuple[int, int], list[str]] = {}
    rows = conn.execute(_OF_FACTS, (orjson.dumps(list(facts)).decode(),)).fetchall()
    for fact, session, role, text, before, first, following in rows:
        said = texts.setdefault(fact, {})
        if before and (role == "assistant" or (_asks(before) and not _asks(text))):
            said[before] = None
        said[text] = None
        if first is not None:
            if (session, first) not in known:
                changed = conn.execute(_CHANGED, (session, first, following, _FILES))
                known[session, first] = [path for (path,) in changed]
            files.setdefault(fact, {}).update(dict.fromkeys(known[session, first]))
    return {fact: Surroundings("\n".join(said), tuple(files.get(fact, ()))) for fact, said in texts.items()}


def before(conn: sqlite3.Connection, messages: Iterable[int]) -> dict[int, str]:
    """Return, by row id of a message, the prompt before it in its session, cut to its beginning."""
    return dict(conn.execute(_BEFORE, (orjson.dumps(list(messages)).decode(),)))


def replies(conn: sqlite3.Connection, messages: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return, by row id of a prompt, those of the replies up to the next prompt; other messages have none."""
    found: dict[int, list[int]] = {}
    for prompt, reply in conn.execute(_REPLIES, (orjson.dumps(list(messages)).decode(), _MOST_REPLIES)):
        found.setdefault(prompt, []).append(reply)
    return {prompt: tuple(rows) for prompt, rows in found.items()}


def facts_at(
    conn: sqlite3.Connection, messages: Iterable[int], project_id: int | None, limit: int = 40
) -> tuple[int, ...]:
    """Return row ids of current facts that were said in these messages or close to them."""
    listed = orjson.dumps(list(messages)).decode()
    return tuple(fact for (fact,) in conn.execute(_FACTS_AT, (listed, _REACH, project_id, limit)))


def _asks(text: str) -> bool:
    return "?" in text or "？" in text
