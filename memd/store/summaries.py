"""Summaries: a session in short, what happened in it, and what it left open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from memd.errors import NotFound
from memd.model import CommandRun, Distilled, ErrorSeen, Events, PackageChange, Session, Summary
from memd.store import sessions

_SAVE: Final = """
    INSERT INTO session_summaries (session_id, title, text, open_ends, revision, at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET title = excluded.title, text = excluded.text, open_ends = excluded.open_ends,
        revision = excluded.revision, at = excluded.at
"""
_ERASED_SINCE: Final = "SELECT 1 FROM sessions WHERE id = ? AND erased_revision > ?"
_GET: Final = "SELECT title, text, open_ends FROM session_summaries WHERE session_id = ?"
_LATEST: Final = """
    SELECT y.session_id, y.title, y.text, y.open_ends FROM sessions s JOIN session_summaries y ON y.session_id = s.id
    WHERE s.project_id = ?1 AND s.kind != 'subagent' AND (y.text != '' OR y.open_ends != '[]')
        AND (?3 IS NULL OR s.last_at <= ?3)
    ORDER BY s.last_at DESC, s.native_id LIMIT ?2
"""
_FORGET_EVENTS: Final = "DELETE FROM session_events WHERE session_id = ?"
_ADD_EVENT: Final = """
    INSERT OR IGNORE INTO session_events (session_id, kind, text, ok, detail) VALUES (?, ?, ?, ?, ?)
"""
_FILES: Final = "SELECT path FROM file_changes WHERE session_id = ? GROUP BY path ORDER BY min(id)"
_EVENTS: Final = "SELECT kind, text, ok, detail FROM session_events WHERE session_id = ? ORDER BY id"


@dataclass(frozen=True, slots=True)
class Summarised:
    """A session with its summary."""

    session: Session
    summary: Summary


def save(conn: sqlite3.Connection, session_id: int, distilled: Distilled, revision: int, now_ms: int) -> None:
    """Keep what distillation made of a session, in place of what was kept before; its title too, if it has none.

    `revision` is that of the session that was read. Facts are `memd.store.facts.apply`'s part. Raises NotFound when
    something of the session was deleted since: what was made of it must not come back.
    """
    if conn.execute(_ERASED_SINCE, (session_id, revision)).fetchone() is not None:
        raise NotFound("session as it was at revision", str(revision))
    summary = distilled.summary
    open_ends = orjson.dumps(summary.open_ends).decode()
    conn.execute(_SAVE, (session_id, summary.title, summary.text, open_ends, revision, now_ms))
    conn.execute(_FORGET_EVENTS, (session_id,))
    conn.executemany(_ADD_EVENT, [(session_id, *row) for row in _rows(distilled.events)])
    if summary.title:
        sessions.set_title(conn, session_id, summary.title)


def get(conn: sqlite3.Connection, session_id: int) -> Summary | None:
    """Return a session's summary, None while it was not distilled."""
    row = conn.execute(_GET, (session_id,)).fetchone()
    return None if row is None else _summary(*row)


def events(conn: sqlite3.Connection, session_id: int) -> Events:
    """Return what happened in a session. The files are those its tool calls changed, whether distilled or not."""
    rows = conn.execute(_EVENTS, (session_id,)).fetchall()
    return Events(
        files_changed=tuple(path for (path,) in conn.execute(_FILES, (session_id,))),
        commands=tuple(CommandRun(text, _flag(ok)) for kind, text, ok, _ in rows if kind == "command"),
        commits=tuple(text for kind, text, _, _ in rows if kind == "commit"),
        errors=tuple(ErrorSeen(text, bool(ok), detail) for kind, text, ok, detail in rows if kind == "error"),
        packages=tuple(PackageChange(text, detail) for kind, text, _, detail in rows if kind == "package"),
        urls=tuple(text for kind, text, _, _ in rows if kind == "url"),
    )


def latest(
    conn: sqlite3.Connection, project_id: int, limit: int = 10, until_ms: int | None = None
) -> tuple[Summarised, ...]:
    """Return a project's sessions in which something happened and that have a summary, the newest message first.

    Agents' sessions are left out, and with `until_ms` those that went on after that time (UTC milliseconds).
    """
    rows = conn.execute(_LATEST, (project_id, limit, until_ms)).fetchall()
    known = sessions.by_ids(conn, [row[0] for row in rows])
    return tuple(Summarised(known[session], _summary(*rest)) for session, *rest in rows)


def _rows(events: Events) -> Iterator[tuple[str, str, bool | None, str | None]]:
    for run in events.commands:
        yield "command", run.command, run.ok, None
    for commit in events.commits:
        yield "commit", commit, None, None
    for error in events.errors:
        yield "error", error.text, error.fixed, error.fix
    for package in events.packages:
        yield "package", package.name, None, package.action
    for url in events.urls:
        yield "url", url, None, None


def _summary(title: str, text: str, open_ends: str) -> Summary:
    return Summary(title, text, tuple(orjson.loads(open_ends)))


def _flag(stored: int | None) -> bool | None:
    return None if stored is None else bool(stored)
