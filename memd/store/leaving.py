"""Leaving: what is kept of a project, counted, and all but its messages and facts deleted, in short steps."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

import orjson

from memd.store import projects

_COUNTS: Final = {
    "sessions": "SELECT count(*) FROM sessions WHERE project_id = ? AND erased_at IS NULL",
    "messages": "SELECT count(*) FROM messages m JOIN sessions s ON s.id = m.session_id WHERE s.project_id = ?",
    "tool_calls": "SELECT count(*) FROM tool_calls t JOIN sessions s ON s.id = t.session_id WHERE s.project_id = ?",
    **{
        name: f"SELECT count(*) FROM {name} WHERE project_id = ?"  # noqa: S608 - constant names
        for name in ("facts", "entities", "blocks", "handoffs", "prompts", "code_files", "code_nodes")
    },
    "relations": "SELECT count(*) FROM edges WHERE project_id = ?",
    "code_relations": "SELECT count(*) FROM code_edges WHERE project_id = ?",
}
_SESSIONS: Final = "SELECT id FROM sessions WHERE project_id = ? ORDER BY kind = 'subagent', id"
_GOING_ON: Final = """
    SELECT DISTINCT s.native_id FROM sessions o JOIN messages m ON m.session_id = o.id
    JOIN message_copies c ON c.message_id = m.id JOIN sessions s ON s.id = c.session_id
    WHERE o.project_id = ?1 AND s.project_id IS NOT NULL AND s.project_id != ?1
        AND (s.erased_at IS NULL OR s.messages > 0)
    ORDER BY s.native_id
"""
# What somebody said here and holds everywhere, and nobody said anywhere else.
_EVERYWHERE: Final = """
    SELECT f.id FROM facts f
    WHERE f.project_id IS NULL AND f.status = 'current' AND f.origin = 'distill' AND f.id IN (
        SELECT c.fact_id FROM sessions s JOIN claims c ON c.session_id = s.id WHERE s.project_id = ?1
        UNION SELECT e.fact_id FROM sessions s JOIN evidence e ON e.session_id = s.id WHERE s.project_id = ?1)
    AND NOT EXISTS (SELECT 1 FROM claims c JOIN sessions s ON s.id = c.session_id
        WHERE c.fact_id = f.id AND s.project_id IS NOT ?1)
    AND NOT EXISTS (SELECT 1 FROM evidence e JOIN sessions s ON s.id = e.session_id
        WHERE e.fact_id = f.id AND s.project_id IS NOT ?1)
    ORDER BY f.id
"""
_CODE: Final = tuple(
    f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE project_id = ?1 LIMIT ?2)"  # noqa: S608 - constant names
    for table in ("code_edges", "code_nodes", "code_files")
)
_BLOCK_WORDS: Final = "DELETE FROM block_history WHERE block_uid IN (SELECT uid FROM blocks WHERE project_id = ?)"
_UNPLACE: Final = """
    UPDATE sessions SET cwd = NULL, project_id = NULL WHERE project_id = ?1 OR id IN (SELECT value FROM json_each(?2))
"""


def counts(conn: sqlite3.Connection, project_id: int) -> dict[str, int]:
    """Return how much there is of each kind of thing."""
    return {name: int(conn.execute(sql, (project_id,)).fetchone()[0]) for name, sql in _COUNTS.items()}


def sessions_of(conn: sqlite3.Connection, project_id: int) -> tuple[int, ...]:
    """Return the row ids of a project's sessions, those of agents last."""
    return tuple(session for (session,) in conn.execute(_SESSIONS, (project_id,)))


def everywhere_from(conn: sqlite3.Connection, project_id: int) -> tuple[int, ...]:
    """Return the row ids of the facts that hold everywhere and were learnt from this project's sessions alone."""
    return tuple(fact for (fact,) in conn.execute(_EVERYWHERE, (project_id,)))


def going_on_elsewhere(conn: sqlite3.Connection, project_id: int) -> tuple[str, ...]:
    """Return the native ids of other projects' sessions that go on from one of this project's."""
    return tuple(native for (native,) in conn.execute(_GOING_ON, (project_id,)))


def drop_code(conn: sqlite3.Connection, project_id: int, most: int) -> bool:
    """Delete at most so many rows of what is known of a project's code; tell whether there is more."""
    return any(conn.execute(statement, (project_id, most)).rowcount for statement in _CODE)


def finish(conn: sqlite3.Connection, project_id: int, sessions: Iterable[int]) -> None:
    """Delete the project itself, with its paths, blocks and handoffs; its emptied sessions forget where they were."""
    conn.execute(_BLOCK_WORDS, (project_id,))
    conn.execute(_UNPLACE, (project_id, orjson.dumps(list(sessions)).decode()))
    projects.drop(conn, project_id)
