"""The foremost facts: what a wakeup asks for, read by an index instead of sorting all that a project knows."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

import orjson

from memd.model import Fact, FactKind
from memd.store.fact_rows import load

# What comments in the code say (origin `code`) is no word of the user's: it is given to who asks, and to nobody else.
# For each kind the index is walked from the newest on; few of them are unsure, so the walk is short. Rows that hold
# everywhere come from an index range of their own.
_NEWEST: Final = """
    SELECT f.id, f.confidence >= ?3, f.valid_from, f.kind FROM json_each(?2) AS asked
    JOIN facts f ON f.id IN (
        SELECT g.id FROM facts g INDEXED BY facts_newest
        WHERE g.status = 'current' AND g.project_id IS ?1 AND g.kind = asked.value AND g.confidence {sure} ?3
            AND g.origin != 'code'
        ORDER BY g.valid_from DESC, g.id DESC LIMIT ?4)
"""
_SURE: Final = _NEWEST.format(sure=">=")
_UNSURE: Final = _NEWEST.format(sure="<")
# `uses > 0` is what the index was made for; once may be a person who looked.
_USEFUL: Final = """
    SELECT f.id FROM facts f INDEXED BY facts_used
    WHERE f.status = 'current' AND f.uses > 0 AND f.uses > 1 AND f.project_id IS ?1 AND f.origin != 'code'
    ORDER BY f.uses DESC, f.last_used_at DESC, f.id LIMIT ?2
"""


def newest(
    conn: sqlite3.Connection,
    project_id: int | None,
    kinds: Sequence[FactKind],
    limit: int,
    *,
    sure: float = 0.0,
    everywhere: bool = True,
) -> tuple[Fact, ...]:
    """Return current facts of these kinds, those of at least the confidence `sure` first, then the newest first.

    `everywhere` says whether those that hold in every project are among a project's own.
    """
    listed = orjson.dumps(list(kinds)).decode()
    scopes = {project_id, None} if everywhere else {project_id}
    found: list[tuple[int, int, int, str]] = []
    for statement in (_SURE, _UNSURE):
        for scope in scopes:
            found += conn.execute(statement, (scope, listed, sure, limit)).fetchall()
        if len(found) >= limit:
            break
    found.sort(key=lambda row: (-row[1], -row[2], -row[0]))
    return load(conn, [row[0] for row in found[:limit]])


def useful(conn: sqlite3.Connection, project_id: int | None, limit: int) -> tuple[Fact, ...]:
    """Return the facts that were of use more than once, most often first: a project's own, then those of all."""
    ids = [fact for scope in (project_id, None) for (fact,) in conn.execute(_USEFUL, (scope, limit))]
    return load(conn, list(dict.fromkeys(ids))[:limit])
