"""Erasing: how facts leave the store for good, and what is kept of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final, Literal

from memd.model import Fact
from memd.store import edges, entities, fact_changes, fact_rows

_DELETE: Final = "DELETE FROM facts WHERE id = ?"
_BLANK_HISTORY: Final = "UPDATE fact_history SET old_title = NULL, old_body = NULL WHERE fact_uid = ?"
_FORGET: Final = "INSERT OR IGNORE INTO forgotten (digest, project_id, fact_uid, at) VALUES (?, ?, ?, ?)"
_REMEMBER: Final = "DELETE FROM forgotten WHERE digest = ? AND project_id IS ?"
_ERASED: Final = "SELECT 1 FROM fact_history WHERE fact_uid = ? AND action IN ('FORGET', 'PURGE') LIMIT 1"
_REST_OF: Final = "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE project_id IS ? LIMIT ?)"
_CLEAR: Final = {
    "relations": _REST_OF.format(table="edges"),
    "entities": _REST_OF.format(table="entities"),
    "prompts": _REST_OF.format(table="prompts"),
}
REST: Final = tuple(_CLEAR)
"""What was learnt in a scope besides facts."""
_IN_SCOPE: Final = "SELECT id FROM facts WHERE project_id IS ? ORDER BY id"


def erase(
    conn: sqlite3.Connection,
    fact: Fact,
    digests: Iterable[str],
    now_ms: int,
    action: Literal["FORGET", "PURGE"],
    reason: str,
) -> None:
    """Delete a fact; `digests` are those of the texts that are never to be learnt again.

    FORGET leaves a line that something was, and none of its words anywhere; PURGE keeps them in its history. Entities
    that were known by it alone go with it.
    """
    project = None if fact.project is None else fact.project.id
    conn.executemany(_FORGET, [(digest, project, fact.uid, now_ms) for digest in digests])
    fact_changes.note(conn, fact.id, now_ms, action, reason, old=fact)
    fact_rows.unindex(conn, fact)
    named = edges.named_by(conn, fact.id, fact.uid)
    conn.execute(_DELETE, (fact.id,))
    entities.drop_left_alone(conn, named)
    if action == "FORGET":
        conn.execute(_BLANK_HISTORY, (fact.uid,))


def remember_again(conn: sqlite3.Connection, digest: str, project_id: int | None) -> None:
    """Let a text be learnt again, because somebody said it to memd."""
    conn.execute(_REMEMBER, (digest, project_id))


def erased(conn: sqlite3.Connection, uid: str) -> bool:
    """Return whether a fact of this uid was there and somebody had it deleted."""
    return conn.execute(_ERASED, (uid,)).fetchone() is not None


def in_scope(conn: sqlite3.Connection, project_id: int | None) -> tuple[int, ...]:
    """Return the row ids of all facts of a project, or of those that hold everywhere."""
    return tuple(fact for (fact,) in conn.execute(_IN_SCOPE, (project_id,)))


def clear_rest(conn: sqlite3.Connection, what: str, project_id: int | None, most: int) -> int:
    """Delete at most so many of one of the `REST` of a scope; return how many were."""
    return conn.execute(_CLEAR[what], (project_id, most)).rowcount
