"""History: in which sessions of a project a file was changed, what a session changed and how it was summed up."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

_SESSIONS: Final = 200
"""Newest sessions of a project that are looked through."""

_OF_FILE: Final = """
    SELECT f.path, count(DISTINCT s.id), max(f.op = 'create'), max(ifnull(f.at, s.last_at)), s.title
    FROM (SELECT id, last_at, title FROM sessions
          WHERE project_id = ?1 AND NOT (host = ?3 AND native_id = ?4) ORDER BY last_at DESC LIMIT ?5) s
    JOIN file_changes f ON f.session_id = s.id
    WHERE f.path = ?2 OR substr(f.path, -length(?2) - 1) = '/' || ?2
    GROUP BY f.path ORDER BY 4 DESC LIMIT 2
"""
_CHANGED_IN: Final = "SELECT path FROM file_changes WHERE session_id = ? GROUP BY path ORDER BY max(id) DESC LIMIT ?"
_COMPACTED: Final = """
    SELECT text FROM messages WHERE session_id = ? AND kind = 'summary' AND text != '' ORDER BY seq DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class FileHistory:
    """What is known of a file: in how many sessions it was changed, if one made it, and which changed it last, when."""

    path: str
    sessions: int
    created: bool
    last_at: int | None
    title: str | None


def of_file(
    conn: sqlite3.Connection, project_id: int, name: str, *, besides: tuple[str, str] = ("", "")
) -> FileHistory | None:
    """Return the history of the file that a name or the end of a path means in a project, None when it has none.

    A name that means several files has none either. `besides` is the session (host, native id) that asks.
    """
    rows = conn.execute(_OF_FILE, (project_id, name.removeprefix("./"), *besides, _SESSIONS)).fetchall()
    if len(rows) != 1:
        return None
    path, sessions, created, last_at, title = rows[0]
    return FileHistory(path, sessions, bool(created), last_at, title)


def changed_in(conn: sqlite3.Connection, session_id: int, limit: int = 30) -> tuple[str, ...]:
    """Return the files that a session changed, the one it changed last first."""
    return tuple(path for (path,) in conn.execute(_CHANGED_IN, (session_id, limit)))


def compaction_of(conn: sqlite3.Connection, session_id: int) -> str:
    """Return the host's summary of a session that was compacted, the newest; "" where none was seen."""
    row = conn.execute(_COMPACTED, (session_id,)).fetchone()
    return "" if row is None else str(row[0])
