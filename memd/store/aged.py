"""Aged: for how long facts were known to hold until what they name was changed, and by how many sessions it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import orjson

_OF: Final = """
    SELECT f.id, y.name, y.at - max(f.valid_from, ifnull(f.verified_at, 0)), (
        SELECT count(DISTINCT c.session_id) FROM file_changes c
        WHERE c.path = y.name AND c.op != 'create' AND c.at > max(f.valid_from, ifnull(f.verified_at, 0)))
    FROM json_each(?) AS asked JOIN facts f ON f.id = asked.value JOIN stale_facts y ON y.fact_id = f.id
    ORDER BY f.id, y.at DESC, y.name
"""


@dataclass(frozen=True, slots=True)
class Aged:
    """A file or symbol that a fact names: how long after the fact was learnt or checked it was changed last, and how
    many sessions changed it since (0 for what is no file).
    """

    name: str
    lag_ms: int
    sessions: int


def of(conn: sqlite3.Connection, facts: Iterable[int]) -> dict[int, tuple[Aged, ...]]:
    """Return what was changed that facts name, the latest first, by row id; nothing for most facts."""
    found: dict[int, list[Aged]] = {}
    for fact, *row in conn.execute(_OF, (orjson.dumps(list(facts)).decode(),)):
        found.setdefault(fact, []).append(Aged(*row))
    return {fact: tuple(rows) for fact, rows in found.items()}
