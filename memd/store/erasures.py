"""Erasures: which deletions for good this database has carried out, and what it still holds of one that it lacks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import orjson

from memd.store import erased
from memd.store.erasure_log import EVERYWHERE, Erasure
from memd.store.parts import part_id
from memd.store.uid import uuid7

_DONE: Final = "SELECT id FROM erasures WHERE id IN (SELECT value FROM json_each(?))"
_NOTE: Final = "INSERT OR IGNORE INTO erasures (id) VALUES (?)"
_TEXTS: Final = "INSERT OR IGNORE INTO erased_texts (digest, project) VALUES (?, ?)"
_NO_TEXT: Final = "DELETE FROM erased_texts WHERE digest = ? AND project = ?"
_AMONG: Final = "SELECT digest FROM erased_texts WHERE digest IN (SELECT value FROM json_each(?)) AND project = ?"
_ROOT: Final = "SELECT root FROM projects WHERE id = ?"
_PROJECTS: Final = "SELECT id, root FROM projects"
_SESSIONS: Final = "SELECT id, host, native_id FROM sessions"
_LATER: Final = "SELECT id FROM messages WHERE session_id = ? AND ifnull(at > ?, 0)"
_OF_PROJECT: Final = """
    SELECT s.id, EXISTS (SELECT 1 FROM messages m WHERE m.session_id = s.id AND ifnull(m.at > ?2, 0)) FROM sessions s
    WHERE s.project_id = ?1
"""
_MESSAGES: Final = """
    SELECT DISTINCT m.id, s.host, s.native_id, m.key FROM json_each(?) AS asked
    JOIN message_parts p ON p.part = asked.value JOIN messages m ON m.id = p.message_id
    JOIN sessions s ON s.id = m.session_id
"""
_FACTS: Final = "SELECT id FROM facts WHERE uid IN (SELECT value FROM json_each(?)) ORDER BY id"
_UID: Final = "SELECT uid FROM facts WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
_NAMED: Final = "SELECT host, native_id FROM sessions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
_EMPTIED: Final = "SELECT host, native_id, erased_at FROM sessions WHERE erased_at IS NOT NULL"
_ROWS: Final = "SELECT id FROM erased ORDER BY id"
_FORGOTTEN: Final = "SELECT digest, project_id FROM forgotten ORDER BY digest"


@dataclass(frozen=True, slots=True)
class Found:
    """What a database holds of what was deleted, as row ids."""

    messages: tuple[int, ...]
    sessions: tuple[int, ...]
    facts: tuple[int, ...]
    project: int | None


def project_identity(conn: sqlite3.Connection, project_id: int | None) -> int:
    """Return the identity of a project, which it has in any database: that of its root."""
    if project_id is None:
        return EVERYWHERE
    return _identity_at(conn.execute(_ROOT, (project_id,)).fetchone()[0])


def session_identities(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[int, ...]:
    """Return the identities of sessions of row ids."""
    return tuple(erased.session_identity(host, native) for host, native in conn.execute(_NAMED, (_json(ids),)))


def fact_uids(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[str, ...]:
    """Return the uids of facts of row ids; those that are gone have none."""
    return tuple(uid for (uid,) in conn.execute(_UID, (_json(ids),)))


def lacking(conn: sqlite3.Connection, known: Iterable[Erasure]) -> tuple[Erasure, ...]:
    """Return those that this database has not carried out."""
    told = tuple(known)
    done = {one for (one,) in conn.execute(_DONE, (_json(erasure.id for erasure in told),))}
    return tuple(erasure for erasure in told if erasure.id not in done)


def note_done(conn: sqlite3.Connection, erasure: Erasure) -> None:
    """Note that a deletion was carried out."""
    conn.execute(_NOTE, (erasure.id,))


def bar_rows(conn: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Let none of these rows of hosts come in any more; there may be very many of them."""
    erased.add(conn, rows)


def bar(conn: sqlite3.Connection, erasure: Erasure) -> None:
    """Let nothing of the sessions and texts that were deleted come in or be learnt any more."""
    erased.add_sessions(conn, erasure.sessions, erasure.at)
    conn.executemany(_TEXTS, erasure.texts)


def found(conn: sqlite3.Connection, erasure: Erasure) -> Found:
    """Return what there still is of what was deleted.

    A message is known by itself, not by a row alone, and what was said in a session after it was deleted is new; so is
    a project in which something was said after it was deleted, but for its sessions of before.
    """
    barred, whole = set(erasure.rows), set(erasure.sessions)
    rows = conn.execute(_MESSAGES, (_json(erasure.rows),)).fetchall()
    messages = {row for row, host, native, key in rows if erased.message_identity(host, native, key) in barred}
    sessions = tuple(
        row for row, host, native in conn.execute(_SESSIONS) if erased.session_identity(host, native) in whole
    ) if whole else ()  # fmt: skip
    sessions = tuple(row for row in sessions if conn.execute(_LATER, (row, erasure.at)).fetchone() is None)
    facts = tuple(row for (row,) in conn.execute(_FACTS, (_json(erasure.facts),)))
    project = next((row for row, root in conn.execute(_PROJECTS) if _identity_at(root) == erasure.project), None)
    there = dict[int, bool](conn.execute(_OF_PROJECT, (project, erasure.at)).fetchall())
    if any(there.values()):
        sessions, project = (*sessions, *(row for row, is_later in there.items() if not is_later)), None
    return Found(tuple(sorted(messages)), sessions, facts, project)


def barred_texts(conn: sqlite3.Connection, project_id: int | None, digests: Iterable[str]) -> set[str]:
    """Return those of some digests whose texts are not to be learnt again in a project."""
    asked = (_json(digests), project_identity(conn, project_id))
    return {digest for (digest,) in conn.execute(_AMONG, asked)}


def allow_text(conn: sqlite3.Connection, digest: str, project_id: int | None) -> None:
    """Let a text be learnt again."""
    conn.execute(_NO_TEXT, (digest, project_identity(conn, project_id)))


def all_of(conn: sqlite3.Connection, now_ms: int) -> tuple[Erasure, ...]:
    """Return all that was ever deleted from this database, for a log that is not there (yet)."""
    rows = tuple(row for (row,) in conn.execute(_ROWS))
    texts = tuple((digest, project_identity(conn, project)) for digest, project in conn.execute(_FORGOTTEN).fetchall())
    told = [Erasure(uuid7(now_ms), now_ms, rows=rows, texts=texts)] if rows or texts else []
    told += [
        Erasure(uuid7(now_ms), at, sessions=(erased.session_identity(host, native),))
        for host, native, at in conn.execute(_EMPTIED)
    ]
    return tuple(told)


def _identity_at(root: str) -> int:
    return part_id("memd\0project", root)


def _json(values: Iterable[object]) -> str:
    return orjson.dumps(list(values)).decode()
