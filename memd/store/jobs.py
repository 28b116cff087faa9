"""Jobs: when each of the schedule's jobs ran last, and how it went."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_STARTED: Final = """
    INSERT INTO jobs (name, started_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at
"""
_FINISHED: Final = """
    INSERT INTO jobs (name, started_at, finished_at, ok_at, runs) VALUES (?1, ?2, ?3, ?3, 1)
    ON CONFLICT (name) DO UPDATE SET started_at = ?2, finished_at = ?3, ok_at = ?3, error = NULL, error_at = NULL,
        runs = runs + 1
"""
_FAILED: Final = """
    INSERT INTO jobs (name, started_at, finished_at, error, error_at, runs, failures) VALUES (?1, ?2, ?3, ?4, ?3, 1, 1)
    ON CONFLICT (name) DO UPDATE SET started_at = ?2, finished_at = ?3, error = ?4, error_at = ?3, runs = runs + 1,
        failures = failures + 1
"""
_DROP: Final = "DELETE FROM jobs WHERE name NOT IN (SELECT value FROM json_each(?))"
_FORGET: Final = "UPDATE jobs SET runs = 0, failures = 0 WHERE error IS NULL AND (runs > 0 OR failures > 0)"
_ALL: Final = "SELECT name, started_at, finished_at, ok_at, error, error_at, runs, failures FROM jobs ORDER BY name"


@dataclass(frozen=True, slots=True)
class JobLog:
    """A job's record. `error` is that of the last run, None when it went well."""

    name: str
    started_at: int | None
    finished_at: int | None
    ok_at: int | None
    error: str | None
    error_at: int | None
    runs: int
    failures: int


def started(conn: sqlite3.Connection, name: str, started_ms: int) -> None:
    """Note that a job began."""
    conn.execute(_STARTED, (name, started_ms))


def finished(conn: sqlite3.Connection, name: str, started_ms: int, finished_ms: int) -> None:
    """Note that a job ended well."""
    conn.execute(_FINISHED, (name, started_ms, finished_ms))


def failed(conn: sqlite3.Connection, name: str, started_ms: int, finished_ms: int, error: str) -> None:
    """Note that a job ended with an error."""
    conn.execute(_FAILED, (name, started_ms, finished_ms, error))


def forget_done(conn: sqlite3.Connection, known: Iterable[str]) -> int:
    """Forget how jobs went whose last run went well, and those that are no more; return how many records that were."""
    dropped = conn.execute(_DROP, (json.dumps(sorted(known)),)).rowcount
    return dropped + conn.execute(_FORGET).rowcount


def all_jobs(conn: sqlite3.Connection) -> tuple[JobLog, ...]:
    """Return the records of all jobs that ever ran, by name."""
    return tuple(JobLog(*row) for row in conn.execute(_ALL))
