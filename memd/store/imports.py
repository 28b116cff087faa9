"""Imports: what was taken over from other memories, by the name it has there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_GET: Final = "SELECT digest, fact_uid FROM imports WHERE system = ? AND key = ?"
_PUT: Final = """
    INSERT INTO imports (system, key, digest, fact_uid, imported_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (system, key) DO UPDATE SET digest = excluded.digest, fact_uid = excluded.fact_uid,
        imported_at = excluded.imported_at
"""
_SAME: Final = "SELECT uid FROM facts WHERE title = ? AND body = ? AND project_id IS ? AND status = ? LIMIT 1"
_SESSION: Final = "SELECT uid, messages FROM sessions WHERE host = ? AND native_id = ?"


@dataclass(frozen=True, slots=True)
class Taken:
    """What is known of a thing that was taken over: the digest of its text, and the fact it became."""

    digest: str
    fact: str | None


def get(conn: sqlite3.Connection, system: str, key: str) -> Taken | None:
    """Return what was taken over under that name; None when nothing was."""
    row = conn.execute(_GET, (system, key)).fetchone()
    return None if row is None else Taken(*row)


def put(conn: sqlite3.Connection, system: str, key: str, taken: Taken, now_ms: int) -> None:
    """Note that a thing was taken over."""
    conn.execute(_PUT, (system, key, taken.digest, taken.fact, now_ms))


def same_fact(conn: sqlite3.Connection, title: str, body: str, project_id: int | None, status: str) -> str | None:
    """Return the uid of a fact that says just that; None when none does."""
    row = conn.execute(_SAME, (title, body, project_id, status)).fetchone()
    return None if row is None else str(row[0])


def sessions_named(conn: sqlite3.Connection, host: str, native_ids: Iterable[str]) -> dict[str, int]:
    """Return the uids of those sessions that are stored, with how many messages each has."""
    found = {}
    for native_id in native_ids:
        row = conn.execute(_SESSION, (host, native_id)).fetchone()
        if row is not None:
            found[str(row[0])] = int(row[1])
    return found
