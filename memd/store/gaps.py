"""Gaps: what was looked for and not found, until something answers it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memd.text.tokens import match_query, terms

_NOTE: Final = """
    INSERT INTO search_gaps (project_id, words, query, asked, first_at, last_at) SELECT ?1, ?2, ?3, 1, ?4, ?4
    WHERE ?1 IS NULL OR EXISTS (SELECT 1 FROM projects WHERE id = ?1) -- it may be gone since the search began
    ON CONFLICT (ifnull(project_id, 0), words) DO UPDATE SET
        query = ?3, asked = asked + 1, last_at = ?4, closed_at = NULL
"""
_LIST: Final = """
    SELECT g.query, p.root, g.asked, g.first_at, g.last_at, g.closed_at
    FROM search_gaps g LEFT JOIN projects p ON p.id = g.project_id
    WHERE (?1 IS NULL OR g.project_id = ?1) AND (?2 OR g.closed_at IS NULL)
    ORDER BY g.asked DESC, g.last_at DESC LIMIT ?3
"""
_OPEN: Final = "SELECT id, query FROM search_gaps WHERE closed_at IS NULL ORDER BY last_at DESC LIMIT ?"
_CLOSE: Final = "UPDATE search_gaps SET closed_at = ? WHERE id = ?"
_ANSWERED: Final = (
    "SELECT 1 FROM messages_fts WHERE messages_fts MATCH ? LIMIT 1",
    "SELECT 1 FROM facts_fts WHERE facts_fts MATCH ? LIMIT 1",
)
_FORGET: Final = """
    DELETE FROM search_gaps WHERE id NOT IN (SELECT id FROM search_gaps ORDER BY last_at DESC LIMIT ?)
"""

_KEPT: Final = 500
_LOOKED_AT: Final = 50


@dataclass(frozen=True, slots=True)
class Gap:
    """A query that found nothing: its last wording, where it was asked, how often, first and last, and since when
    there is something that answers it.
    """

    query: str
    project: str | None
    asked: int
    first_at: int
    last_at: int
    closed_at: int | None


def note(conn: sqlite3.Connection, query: str, project_id: int | None, now_ms: int) -> None:
    """Note a query that found nothing; `query` is redacted. Wordings with the same terms are one gap."""
    words = " ".join(sorted(terms(query)))
    if words:
        conn.execute(_NOTE, (project_id, words, query, now_ms))
        conn.execute(_FORGET, (_KEPT,))


def listed(
    conn: sqlite3.Connection, project_id: int | None = None, *, closed: bool = False, limit: int = 50
) -> tuple[Gap, ...]:
    """Return the gaps of a project or of all, those asked most first."""
    return tuple(Gap(*row) for row in conn.execute(_LIST, (project_id, closed, limit)))


def answered(conn: sqlite3.Connection) -> Sequence[int]:
    """Return the gaps that something answers by now, by row id: something that holds all their words."""
    found = []
    for gap, query in conn.execute(_OPEN, (_LOOKED_AT,)).fetchall():
        wanted = [f"({match})" for term in terms(query) if (match := match_query(term))]
        if wanted and any(conn.execute(sql, (" AND ".join(wanted),)).fetchone() for sql in _ANSWERED):
            found.append(gap)
    return found


def close(conn: sqlite3.Connection, ids: Sequence[int], now_ms: int) -> None:
    """Note that gaps are answered."""
    conn.executemany(_CLOSE, [(now_ms, gap) for gap in ids])
