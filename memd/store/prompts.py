"""Prompts that were handed to memd to keep."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from memd.store.uid import uuid7

_COLUMNS: Final = "p.uid, p.text, s.uid, j.root, p.at, p.repeats"
_JOINS: Final = "LEFT JOIN sessions s ON s.id = p.session_id LEFT JOIN projects j ON j.id = p.project_id"
_SAME: Final = """
    SELECT id FROM prompts WHERE digest = ? AND session_id IS ? AND project_id IS ? AND at > ? ORDER BY id LIMIT 1
"""
_REPEAT: Final = "UPDATE prompts SET repeats = repeats + 1 WHERE id = ?"
_INSERT: Final = """
    INSERT INTO prompts (uid, session_id, project_id, text, digest, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id
"""
_GET: Final = f"SELECT {_COLUMNS} FROM prompts p {_JOINS} WHERE p.id = ?"  # noqa: S608 - constant columns
_LIST: Final = f"""
    SELECT {_COLUMNS} FROM prompts p {_JOINS}
    WHERE (?1 IS NULL OR p.project_id = ?1) AND (?2 IS NULL OR p.session_id = ?2) AND (?5 IS NULL OR p.at <= ?5)
    ORDER BY p.at DESC, p.id DESC LIMIT ?3 OFFSET ?4
"""  # noqa: S608 - constant columns


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt; `session` is a uid, `project` a root."""

    uid: str
    text: str
    session: str | None
    project: str | None
    at: int
    repeats: int


def save(
    conn: sqlite3.Connection,
    text: str,
    digest: str,
    now_ms: int,
    window_ms: int,
    *,
    session_id: int | None,
    project_id: int | None,
) -> Prompt:
    """Keep a prompt and return it; the same one within the window is counted, and the first is returned."""
    known = conn.execute(_SAME, (digest, session_id, project_id, now_ms - window_ms)).fetchone()
    if known is not None:
        conn.execute(_REPEAT, known)
        row = known[0]
    else:
        row = conn.execute(_INSERT, (uuid7(now_ms), session_id, project_id, text, digest, now_ms)).fetchone()[0]
    return Prompt(*conn.execute(_GET, (row,)).fetchone())


def list_prompts(
    conn: sqlite3.Connection,
    project_id: int | None,
    session_id: int | None,
    limit: int,
    offset: int = 0,
    *,
    until: int | None = None,
) -> tuple[Prompt, ...]:
    """Return prompts of a project and session (None: any), those kept by a time, the newest first."""
    return tuple(Prompt(*row) for row in conn.execute(_LIST, (project_id, session_id, limit, offset, until)))
