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
        WHERE b.session_id = m.session_id AND b.seq > m.seq AND b.kind = 'prompt') AS next, k.kind = 'bugfix' AS mended
    FROM json_each(?1) AS asked JOIN evidence e ON e.fact_id = asked.value JOIN messages m ON m.id = e.message_id
    JOIN facts k ON k.id = e.fact_id
    ORDER BY e.fact_id, e.id
"""  # noqa: S608 - constant numbers
_CHANGED: Final = """
    SELECT DISTINCT f.path FROM messages n JOIN tool_calls t ON t.message_id = n.id
    JOIN file_changes f ON f.tool_call_id = t.id
    WHERE n.session_id = ?1 AND n.seq >= ?2 AND (?3 IS NULL OR n.seq < ?3) ORDER BY f.id LIMIT ?4
"""
_CALLS: Final = """
    SELECT CASE WHEN t.kind = 'shell' THEN substr(t.input, 1, ?4) END,
        CASE WHEN t.exit_code IS NULL THEN t.ok ELSE t.exit_code = 0 END, f.path
    FROM messages n JOIN tool_calls t ON t.message_id = n.id LEFT JOIN file_changes f ON f.tool_call_id = t.id
    WHERE n.session_id = ?1 AND n.seq >= ?2 AND (?3 IS NULL OR n.seq < ?3) ORDER BY n.seq, t.id, f.id LIMIT ?5
"""
_MOST_CALLS: Final = 1000
_INPUT: Final = 400
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
_PROMPT_OF: Final = """
    SELECT asked.value, (
        SELECT b.id FROM messages b
        WHERE b.session_id = m.session_id AND b.seq <= m.seq AND b.kind = 'prompt' AND NOT b.abandoned
        ORDER BY b.seq DESC LIMIT 1)
    FROM json_each(?1) AS asked JOIN messages m ON m.id = asked.value
"""
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
    """What a fact was said among: the words, and paths of files that were changed in the same exchange.

    Of a bugfix only those that were changed between a command's failure and its success, where that is known.
    """

    text: str
    files: tuple[str, ...]


def of_facts(conn: sqlite3.Connection, facts: Iterable[int]) -> dict[int, Surroundings]:
    """Return, by row id of a fact, the messages it was said in with what they answer, each cut to its beginning.

    A reply answers the prompt before it; a prompt that is no question itself may settle the question before it.
    """
    texts: dict[int, dict[str, None]] = {}
    files: dict[int, dict[str, None]] = {}
    known: dict[tuple[int, int, bool], list[str]] = {}
    rows = conn.execute(_OF_FACTS, (orjson.dumps(list(facts)).decode(),)).fetchall()
    for fact, session, role, text, before, first, following, mended in rows:
        said = texts.setdefault(fact, {})
        if before and (role == "assistant" or (_asks(before) and not _asks(text))):
            said[before] = None
        said[text] = None
        if first is not None:
            place = (session, first, bool(mended))
            if place not in known:
                known[place] = (_mended(conn, session, first, following) if mended else []) or [
                    path for (path,) in conn.execute(_CHANGED, (session, first, following, _FILES))
                ]
            files.setdefault(fact, {}).update(dict.fromkeys(known[place]))
    return {fact: Surroundings("\n".join(said), tuple(files.get(fact, ()))) for fact, said in texts.items()}


def _mended(conn: sqlite3.Connection, session: int, first: int, following: int | None) -> list[str]:
    """Return the files that were changed between the failure of a command and its success in an exchange.

    Where no command that failed was run again as it was: those after the last failure.
    """
    calls = conn.execute(_CALLS, (session, first, following, _INPUT, _MOST_CALLS)).fetchall()
    failed, windows = dict[str, int](), list[tuple[int, int]]()  # by command, its first failure that did not pass yet
    for at, (command, ok, _) in enumerate(calls):
        if command and ok == 0:
            failed.setdefault(command, at)
        elif command and ok == 1 and command in failed:
            windows.append((failed.pop(command), at))
    last = max((at for at, (command, ok, _) in enumerate(calls) if command and ok == 0), default=None)
    within = [
        path
        for at, (_, ok, path) in enumerate(calls)
        if path and ok != 0 and any(begin < at < end for begin, end in windows)
    ]
    if not within and last is not None:
        within = [path for _, ok, path in calls[last:] if path and ok != 0]
    return list(dict.fromkeys(within))[:_FILES]


def before(conn: sqlite3.Connection, messages: Iterable[int]) -> dict[int, str]:
    """Return, by row id of a message, the prompt before it in its session, cut to its beginning."""
    return dict(conn.execute(_BEFORE, (orjson.dumps(list(messages)).decode(),)))


def prompts_of(conn: sqlite3.Connection, messages: Iterable[int]) -> dict[int, int]:
    """Return, by row id of a message, that of the prompt in whose exchange it stands, which may be itself."""
    rows = conn.execute(_PROMPT_OF, (orjson.dumps(list(messages)).decode(),))
    return {message: prompt for message, prompt in rows if prompt is not None}


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
