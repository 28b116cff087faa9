"""Code links: what sessions of a project went through: their errors with what mended them, and the tests they ran."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
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


@dataclass(frozen=True, slots=True)
class Happened:
    """An error or a command of a session (row id and uid): its text, how it ended, what mended it, when that was."""

    session: int
    uid: str
    text: str
    ok: bool | None
    detail: str | None
    at: int | None


def errors(conn: sqlite3.Connection, project: int) -> list[Happened]:
    """Return the errors of a project's sessions, those of the latest first; `ok`: it was mended."""
    return [_happened(row) for row in conn.execute(_ERRORS, (project,))]


def runs(conn: sqlite3.Connection, sessions: Iterable[int]) -> list[Happened]:
    """Return the commands that some sessions ran, those of the latest first; `ok`: how the last run of it ended."""
    return [_happened(row) for row in conn.execute(_RUNS, (orjson.dumps(sorted(set(sessions))).decode(),))]


def _happened(row: tuple[int, str, str, int | None, str | None, int | None]) -> Happened:
    session, uid, text, ok, detail, at = row
    return Happened(session, uid, text, None if ok is None else bool(ok), detail, at)
