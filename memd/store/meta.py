"""Meta: what the store notes of itself, and how much it holds."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

_GET: Final = "SELECT value FROM meta WHERE key = ?"
_SET: Final = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_FORGET: Final = "DELETE FROM meta WHERE key = ?"
_SESSIONS: Final = (
    "SELECT host, sum(messages > 0), sum(messages), max(last_at) FROM sessions GROUP BY host ORDER BY host"
)
_FACTS: Final = "SELECT count(*) FROM facts WHERE status = 'current'"
_PROJECTS: Final = "SELECT count(*) FROM projects"
_UNDISTILLED: Final = "SELECT count(*) FROM sessions WHERE revision > distilled AND state IN ('idle', 'ended')"


@dataclass(frozen=True, slots=True)
class HostCounts:
    """What the store has of one host. `newest` is the time of its newest message."""

    host: str
    sessions: int
    messages: int
    newest: int | None


@dataclass(frozen=True, slots=True)
class Counts:
    """How much the store holds."""

    sessions: int
    messages: int
    facts: int
    """Current ones."""
    projects: int
    undistilled: int
    """Idle and ended sessions that changed since they were distilled."""
    hosts: tuple[HostCounts, ...]


def get(conn: sqlite3.Connection, key: str) -> str | None:
    """Return a note, None when there is none."""
    row = conn.execute(_GET, (key,)).fetchone()
    return None if row is None else str(row[0])


def put(conn: sqlite3.Connection, key: str, value: str | None) -> None:
    """Keep a note; None removes it."""
    if value is None:
        conn.execute(_FORGET, (key,))
    else:
        conn.execute(_SET, (key, value))


def counts(conn: sqlite3.Connection) -> Counts:
    """Return how much the store holds; no table of messages is read for it, so it is quick at any size."""
    hosts = tuple(HostCounts(*row) for row in conn.execute(_SESSIONS))
    return Counts(
        sessions=sum(host.sessions for host in hosts),
        messages=sum(host.messages for host in hosts),
        facts=conn.execute(_FACTS).fetchone()[0],
        projects=conn.execute(_PROJECTS).fetchone()[0],
        undistilled=conn.execute(_UNDISTILLED).fetchone()[0],
        hosts=hosts,
    )
