"""Code links: what sessions of a project did: which files they changed and how, the errors they had with what mended
them, and the tests they ran.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

_MOST: Final = 2_000
_ERRORS: Final = f"""
    SELECT s.id, s.uid, e.text, e.ok, e.detail, s.last_at FROM sessions s
    JOIN session_events e ON e.session_id = s.id AND e.kind = 'error'
    WHERE s.project_id = ? ORDER BY s.last_at DESC, e.id LIMIT {_MOST}
"""  # noqa: S608 - constant number
_RUNS: Final = """
    SELECT s.id, s.uid, e.text, e.ok, NULL, s.last_at FROM json_each(?) AS asked JOIN sessions s ON s.id = asked.value
    JOIN session_events e ON e.session_id = s.id AND e.kind = 'command' ORDER BY s.last_at DESC, e.id
"""
_TOUCHED: Final = """
    SELECT s.id, s.uid, s.host, s.title, max(f.at), count(*) FROM file_changes f JOIN sessions s ON s.id = f.session_id
    WHERE s.project_id = ?1 AND f.path IN (SELECT value FROM json_each(?2))
    GROUP BY s.id ORDER BY max(f.at) DESC LIMIT ?3
"""
_EDITS: Final = """
    SELECT s.id, t.input FROM file_changes f
    JOIN sessions s ON s.id = f.session_id JOIN tool_calls t ON t.id = f.tool_call_id
    WHERE s.project_id = ?1 AND f.path IN (SELECT value FROM json_each(?2)) ORDER BY f.id DESC LIMIT ?3
"""


@dataclass(frozen=True, slots=True)
class TouchedBy:
    """A session that changed a file: its row id, uid, host, title, when it did so last, how often."""

    id: int
    uid: str
    host: str
    title: str | None
    at: int | None
    changes: int


@dataclass(frozen=True, slots=True)
class Happened:
    """An error or a command of a session (row id and uid): its text, how it ended, what mended it, when that was."""

    session: int
    uid: str
    text: str
    ok: bool | None
    detail: str | None
    at: int | None


def touched_by(conn: sqlite3.Connection, project: int, paths: Sequence[str], most: int) -> list[TouchedBy]:
    """Return the sessions that changed one of some files (every spelling of its path), the latest first."""
    listed = orjson.dumps(list(paths)).decode()
    return [TouchedBy(*row) for row in conn.execute(_TOUCHED, (project, listed, most))]


def edits(conn: sqlite3.Connection, project: int, paths: Sequence[str], most: int) -> list[tuple[int, str]]:
    """Return session and input of the tool calls that changed one of some files, the latest first."""
    return conn.execute(_EDITS, (project, orjson.dumps(list(paths)).decode(), most)).fetchall()


def errors(conn: sqlite3.Connection, project: int) -> list[Happened]:
    """Return the errors of a project's sessions, those of the latest first; `ok`: it was mended."""
    return [_happened(row) for row in conn.execute(_ERRORS, (project,))]


def runs(conn: sqlite3.Connection, sessions: Iterable[int]) -> list[Happened]:
    """Return the commands that some sessions ran, those of the latest first; `ok`: how the last run of it ended."""
    return [_happened(row) for row in conn.execute(_RUNS, (orjson.dumps(sorted(set(sessions))).decode(),))]


def _happened(row: tuple[int, str, str, int | None, str | None, int | None]) -> Happened:
    session, uid, text, ok, detail, at = row
    return Happened(session, uid, text, None if ok is None else bool(ok), detail, at)
