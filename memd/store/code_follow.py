"""Code follow: which files sessions changed and which projects they work in, for the code graph to look at."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

_NEWEST: Final = "SELECT ifnull(max(id), 0) FROM file_changes"
_CHANGED: Final = """
    SELECT f.id, s.project_id, p.root, f.session_id, f.path, s.cwd FROM file_changes f
    JOIN sessions s ON s.id = f.session_id JOIN projects p ON p.id = s.project_id
    WHERE f.id > ?1 AND f.id <= ?2 AND (f.at IS NULL OR f.at >= ?3) ORDER BY f.id
"""
# Also where the session has ended: one that asks a single thing is over before anybody looks.
_WORKED_IN: Final = """
    SELECT DISTINCT p.id, p.root FROM sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.kind = 'main' AND (s.last_at >= ?1 OR s.last_at IS NULL AND s.state = 'live' AND s.seen_at >= ?1)
    ORDER BY p.id
"""
_UNREAD: Final = """
    SELECT p.id, p.root FROM sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.kind = 'main' AND s.last_at >= ?1 AND p.id NOT IN (SELECT project_id FROM code_trees)
    GROUP BY p.id ORDER BY max(s.last_at) DESC LIMIT ?2
"""


@dataclass(frozen=True, slots=True)
class Changed:
    """Files of a project that a session changed; paths as the host wrote them, relative ones lie below `cwd`."""

    project: int
    root: str
    session: int
    paths: tuple[str, ...]
    cwd: str | None


def newest(conn: sqlite3.Connection) -> int:
    """Return the mark behind the last change that is stored."""
    mark: int = conn.execute(_NEWEST).fetchone()[0]
    return mark


def changed(conn: sqlite3.Connection, after: int, upto: int, since_ms: int) -> list[Changed]:
    """Return what sessions changed between two marks, nothing that was changed before a time."""
    found: dict[tuple[int, int], tuple[str, str | None, dict[str, None]]] = {}
    for _, project, root, session, path, cwd in conn.execute(_CHANGED, (after, upto, since_ms)):
        found.setdefault((project, session), (root, cwd, {}))[2][path] = None
    return [
        Changed(project, root, session, tuple(paths), cwd) for (project, session), (root, cwd, paths) in found.items()
    ]


def worked_in(conn: sqlite3.Connection, since_ms: int) -> list[tuple[int, str]]:
    """Return row id and root of the projects in whose sessions something was said, or one began, since a time."""
    return conn.execute(_WORKED_IN, (since_ms,)).fetchall()


def unread(conn: sqlite3.Connection, since_ms: int, most: int) -> list[tuple[int, str]]:
    """Return row id and root of projects worked in since a time whose tree was never looked through, the last first."""
    return conn.execute(_UNREAD, (since_ms, most)).fetchall()
