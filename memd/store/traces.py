"""Traces: what was asked of memd, through which door, how long it took and how it ended. No words of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Door: TypeAlias = Literal["cli", "mcp", "socket"]

_ADD: Final = "INSERT INTO traces (at, door, op, ms, bytes, params, error) VALUES (?, ?, ?, ?, ?, ?, ?)"
_FIND: Final = """
    SELECT at, door, op, ms, bytes, params, error FROM traces
    WHERE (?1 IS NULL OR op = ?1) AND (?2 IS NULL OR door = ?2) AND (?3 = 0 OR error IS NOT NULL) AND at >= ?4
    ORDER BY at DESC, id DESC LIMIT ?5
"""
_DROP: Final = """
    DELETE FROM traces WHERE id IN (
        SELECT id FROM traces WHERE at < CASE WHEN error IS NULL THEN ?1 ELSE ?2 END ORDER BY at LIMIT ?3)
"""


@dataclass(frozen=True, slots=True)
class Trace:
    """One question: when (UTC, ms), through which door, how long it took (ms) and how many bytes the answer had.

    `params` is a JSON object of what was given, without texts; `error` the code of a refusal, None where it went well.
    """

    at: int
    door: Door
    op: str
    ms: float
    bytes: int
    params: str
    error: str | None


def add(conn: sqlite3.Connection, traces: Iterable[Trace]) -> None:
    """Write traces down."""
    conn.executemany(_ADD, [(t.at, t.door, t.op, t.ms, t.bytes, t.params, t.error) for t in traces])


def find(
    conn: sqlite3.Connection, *, op: str | None, door: Door | None, failed: bool, since_ms: int, limit: int
) -> tuple[Trace, ...]:
    """Return traces, the newest first; with `failed` only those of refusals."""
    return tuple(Trace(*row) for row in conn.execute(_FIND, (op, door, failed, since_ms, limit)))


def drop_old(conn: sqlite3.Connection, *, well_before: int, failed_before: int, most: int = 2_000) -> int:
    """Delete at most so many traces: of what went well before one time, of refusals before another; return how many."""
    return conn.execute(_DROP, (well_before, failed_before, most)).rowcount
