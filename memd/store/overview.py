"""Overview: a project in figures, and the files its work turns around."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from memd.store.validity import held

_COUNTS: Final = """
    SELECT (SELECT count(*) FROM sessions WHERE project_id = ?1 AND kind != 'subagent' AND messages > 0),
        (SELECT count(*) FROM facts WHERE project_id = ?1 AND status = 'current'),
        (SELECT max(last_at) FROM sessions WHERE project_id = ?1),
        (SELECT count(DISTINCT y.fact_id) FROM stale_facts y JOIN facts f ON f.id = y.fact_id
         WHERE f.project_id = ?1 AND f.status = 'current')
"""
_HELD: Final = f"f.project_id = ?1 AND {held('f', '?2')}"
_COUNTS_THEN: Final = f"""
    SELECT (SELECT count(*) FROM sessions WHERE project_id = ?1 AND kind != 'subagent' AND messages > 0
            AND started_at <= ?2),
        (SELECT count(*) FROM facts f WHERE {_HELD}),
        (SELECT max(m.at) FROM sessions s JOIN messages m ON m.session_id = s.id
         WHERE s.project_id = ?1 AND s.started_at <= ?2 AND m.at <= ?2),
        (SELECT count(DISTINCT y.fact_id) FROM stale_facts y JOIN facts f ON f.id = y.fact_id
         WHERE y.at <= ?2 AND {_HELD})
"""  # noqa: S608 - constant parts
_FILES: Final = """
    SELECT f.path, count(DISTINCT f.session_id) AS sessions FROM (
        SELECT id FROM sessions WHERE project_id = ?1 AND (?3 IS NULL OR started_at <= ?3)
        ORDER BY last_at DESC LIMIT 50) s
    JOIN file_changes f ON f.session_id = s.id WHERE ?3 IS NULL OR f.at <= ?3
    GROUP BY f.path ORDER BY sessions DESC, max(f.id) DESC LIMIT ?2
"""


@dataclass(frozen=True, slots=True)
class Overview:
    """A project's sessions and current facts, those that name something that was changed since, its last message."""

    sessions: int
    facts: int
    last_at: int | None
    stale: int


def of_project(conn: sqlite3.Connection, project_id: int, at_ms: int | None = None) -> Overview:
    """Return a project in figures, of now or of a time."""
    asked = (_COUNTS, (project_id,)) if at_ms is None else (_COUNTS_THEN, (project_id, at_ms))
    sessions, facts, last_at, stale = conn.execute(*asked).fetchone()
    return Overview(sessions, facts, last_at, stale)


def busiest_files(
    conn: sqlite3.Connection, project_id: int, limit: int = 5, at_ms: int | None = None
) -> tuple[tuple[str, int], ...]:
    """Return the files that most of a project's latest 50 sessions had changed by a time, with in how many."""
    return tuple(conn.execute(_FILES, (project_id, limit, at_ms)))
