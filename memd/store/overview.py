"""Overview: a project in figures, and the files its work turns around."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from memd.store.validity import edge_then, held

_COUNTS: Final = """
    SELECT (SELECT count(*) FROM sessions WHERE project_id = ?1 AND kind != 'subagent' AND messages > 0),
        (SELECT count(*) FROM facts WHERE project_id = ?1 AND status = 'current'),
        (SELECT max(last_at) FROM sessions WHERE project_id = ?1),
        (SELECT count(DISTINCT y.fact_id) FROM stale_facts y JOIN facts f ON f.id = y.fact_id
         WHERE f.project_id = ?1 AND f.status = 'current'),
        (SELECT count(*) FROM search_gaps WHERE project_id = ?1 AND closed_at IS NULL)
"""
_HELD: Final = f"f.project_id = ?1 AND {held('f', '?2')}"
_COUNTS_THEN: Final = f"""
    SELECT (SELECT count(*) FROM sessions WHERE project_id = ?1 AND kind != 'subagent' AND messages > 0
            AND started_at <= ?2),
        (SELECT count(*) FROM facts f WHERE {_HELD}),
        (SELECT max(m.at) FROM sessions s JOIN messages m ON m.session_id = s.id
         WHERE s.project_id = ?1 AND s.started_at <= ?2 AND m.at <= ?2),
        (SELECT count(DISTINCT y.fact_id) FROM stale_facts y JOIN facts f ON f.id = y.fact_id
         WHERE y.at <= ?2 AND {_HELD}),
        (SELECT count(*) FROM search_gaps
         WHERE project_id = ?1 AND first_at <= ?2 AND (closed_at IS NULL OR closed_at > ?2))
"""  # noqa: S608 - constant parts
_FILES: Final = """
    SELECT f.path, count(DISTINCT f.session_id) AS sessions FROM (
        SELECT id FROM sessions WHERE project_id = ?1 AND (?3 IS NULL OR started_at <= ?3)
        ORDER BY last_at DESC LIMIT 50) s
    JOIN file_changes f ON f.session_id = s.id WHERE ?3 IS NULL OR f.at <= ?3
    GROUP BY f.path ORDER BY sessions DESC, max(f.id) DESC LIMIT ?2
"""
_ENDS: Final = f"""
    SELECT {{end}} AS node FROM edges WHERE project_id = ?1 AND {{end}} LIKE 'entity:%' AND {edge_then("", "?2")}
"""  # noqa: S608 - constant text
_CONCEPTS: Final = f"""
    SELECT e.name FROM ({_ENDS.format(end="src")} UNION ALL {_ENDS.format(end="dst")}) x
    JOIN entities e ON e.uid = substr(x.node, 8)
    GROUP BY e.id HAVING count(*) > 1 ORDER BY count(*) DESC, e.id LIMIT ?3
"""  # noqa: S608 - constant parts


@dataclass(frozen=True, slots=True)
class Overview:
    """A project's sessions and current facts, those that name something that was changed since, its last message, and
    how many questions found nothing.
    """

    sessions: int
    facts: int
    last_at: int | None
    stale: int
    gaps: int = 0


def of_project(conn: sqlite3.Connection, project_id: int, at_ms: int | None = None) -> Overview:
    """Return a project in figures, of now or of a time."""
    asked = (_COUNTS, (project_id,)) if at_ms is None else (_COUNTS_THEN, (project_id, at_ms))
    return Overview(*conn.execute(*asked).fetchone())


def concepts(conn: sqlite3.Connection, project_id: int, limit: int, at_ms: int | None = None) -> tuple[str, ...]:
    """Return the names of the things that most relations of a project are about (two at least), of now or of a time."""
    return tuple(name for (name,) in conn.execute(_CONCEPTS, (project_id, at_ms, limit)))


def busiest_files(
    conn: sqlite3.Connection, project_id: int, limit: int = 5, at_ms: int | None = None
) -> tuple[tuple[str, int], ...]:
    """Return the files that most of a project's latest 50 sessions had changed by a time, with in how many."""
    return tuple(conn.execute(_FILES, (project_id, limit, at_ms)))
