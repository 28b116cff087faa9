"""Overview: a project in figures, and the files its work turns around."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

_COUNTS: Final = """
    SELECT (SELECT count(*) FROM sessions WHERE project_id = ?1 AND kind != 'subagent' AND messages > 0),
        (SELECT count(*) FROM facts WHERE project_id = ?1 AND status = 'current'),
        (SELECT max(last_at) FROM sessions WHERE project_id = ?1),
        (SELECT count(DISTINCT y.fact_id) FROM stale_facts y JOIN facts f ON f.id = y.fact_id
         WHERE f.project_id = ?1 AND f.status = 'current')
"""
_FILES: Final = """
    SELECT f.path, count(DISTINCT f.session_id) AS sessions FROM (
        SELECT id FROM sessions WHERE project_id = ?1 ORDER BY last_at DESC LIMIT 50) s
    JOIN file_changes f ON f.session_id = s.id GROUP BY f.path ORDER BY sessions DESC, max(f.id) DESC LIMIT ?2
"""


@dataclass(frozen=True, slots=True)
class Overview:
    """A project's sessions and current facts, those that name something that was changed since, its last message."""

    sessions: int
    facts: int
    last_at: int | None
    stale: int


def of_project(conn: sqlite3.Connection, project_id: int) -> Overview:
    """Return a project in figures."""
    sessions, facts, last_at, stale = conn.execute(_COUNTS, (project_id,)).fetchone()
    return Overview(sessions, facts, last_at, stale)


def busiest_files(conn: sqlite3.Connection, project_id: int, limit: int = 5) -> tuple[tuple[str, int], ...]:
    """Return the files that most of a project's latest 50 sessions changed, with in how many."""
    return tuple(conn.execute(_FILES, (project_id, limit)))
