"""Vectors: what messages mean, kept beside them; derived, so that whatever is missing is worked out again.

A message may have one of each of several models; each model knows by itself how far it has come.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

_CHARS: Final = 4_000
_TEXT: Final = f"substr(m.text, 1, {_CHARS})"
_WORTH: Final = (
    "(m.role = 'user' AND m.kind IN ('prompt', 'summary') AND length(m.text) >= 8"
    " OR m.role = 'assistant' AND length(m.text) BETWEEN 40 AND 400)"
)
_NEXT: Final = f"""
    SELECT m.id, m.session_id, m.at, m.role = 'assistant', {_TEXT}, {_WORTH} FROM messages m
    WHERE m.id > ? ORDER BY m.id LIMIT ?
"""  # noqa: S608 - constants
_DUE: Final = f"""
    SELECT m.id, m.session_id, m.at, m.role = 'assistant', {_TEXT}
    FROM vectors_due v JOIN messages m ON m.id = v.message_id
    WHERE v.model = ? AND {_WORTH} AND m.id <= ? ORDER BY m.id LIMIT ?
"""  # noqa: S608 - constants
_TIDY: Final = f"""
    DELETE FROM vectors_due WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id AND {_WORTH})
"""  # noqa: S608 - constants
_ADD: Final = f"""
    INSERT OR REPLACE INTO vectors (message_id, session_id, at, reply, model, signs, code)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
    WHERE EXISTS (SELECT 1 FROM messages m WHERE m.id = ?1 AND m.session_id = ?2 AND {_TEXT} = ?8)
"""  # noqa: S608 - constants
_DONE: Final = f"""
    DELETE FROM vectors_due WHERE message_id = ?1 AND model = ?2
    AND EXISTS (SELECT 1 FROM messages m WHERE m.id = ?1 AND m.session_id = ?3 AND {_TEXT} = ?4)
"""  # noqa: S608 - constants
_REACHED: Final = "SELECT reached FROM vector_models WHERE model = ?"
_REACH: Final = """
    INSERT INTO vector_models (model, reached) VALUES (?, ?)
    ON CONFLICT (model) DO UPDATE SET reached = excluded.reached
"""
_NEWEST: Final = "SELECT ifnull(max(id), 0) FROM messages"
# Handed over row by row they would take twice as long.
_NEWER: Final = """
    SELECT group_concat(id), group_concat(session_id), group_concat(at), group_concat(reply),
        group_concat(hex(signs), '')
    FROM (SELECT id, session_id, ifnull(at, 0) AS at, reply, signs FROM vectors
        WHERE id > ? AND model = ? ORDER BY id LIMIT ?)
"""
_AT_ONCE: Final = 20_000
# A vector goes with its message and whenever that becomes another session's.
_CODES: Final = """
    SELECT v.message_id, v.session_id, v.code FROM json_each(?) AS asked JOIN vectors v ON v.id = asked.value
"""
_OTHERS: Final = "model NOT IN (SELECT value FROM json_each(?))"
_FORGET_MODELS: Final = f"DELETE FROM vector_models WHERE {_OTHERS}"  # noqa: S608 - constants
_FORGET_DUE: Final = f"DELETE FROM vectors_due WHERE {_OTHERS}"  # noqa: S608 - constants
_FORGET_SOME: Final = f"""
    DELETE FROM vectors WHERE id IN (SELECT id FROM vectors WHERE {_OTHERS} LIMIT ?)
"""  # noqa: S608 - constants
_COUNTS: Final = "SELECT model, count(*) FROM vectors GROUP BY model ORDER BY model"
_COUNT: Final = "SELECT count(*) FROM vectors WHERE model = ?"


@dataclass(frozen=True, slots=True)
class Due:
    """A message that is to have a vector."""

    message: int
    session: int
    at: int | None
    reply: bool
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """The messages to be worked on next; when they are done, all up to `reached` have their vectors."""

    due: tuple[Due, ...]
    reached: int


@dataclass(frozen=True, slots=True)
class Vector:
    """A vector of a message: a bit a dimension, and a signed byte a dimension."""

    of: Due
    signs: bytes
    code: bytes


def next_step(conn: sqlite3.Connection, model: str, most: int) -> Step | None:
    """Return what to work on next under this model, None when all is done.

    What was asked and short replies have vectors; long replies say a bit of everything, and their mean means little.
    """
    reached = _reached(conn, model)
    due = [Due(*row) for row in conn.execute(_DUE, (model, reached, most))]
    if due:
        return Step(tuple(due), reached)
    rows = conn.execute(_NEXT, (reached, most)).fetchall()
    if not rows:
        return None
    return Step(tuple(Due(*row[:5]) for row in rows if row[5]), rows[-1][0])


def add(conn: sqlite3.Connection, model: str, step: Step, vectors: Iterable[Vector]) -> None:
    """Note a step's vectors and how far the store has them; a message that was changed meanwhile stays due."""
    conn.executemany(
        _ADD,
        [
            (of.message, of.session, of.at, of.reply, model, one.signs, one.code, of.text)
            for one in vectors
            for of in (one.of,)
        ],
    )
    conn.executemany(_DONE, [(due.message, model, due.session, due.text) for due in step.due])
    conn.execute(_REACH, (model, step.reached))


def share_done(conn: sqlite3.Connection, model: str) -> float:
    """Return how far a model has come, 0 to 1."""
    newest = int(conn.execute(_NEWEST).fetchone()[0])
    return _reached(conn, model) / newest if newest else 1.0


def tidy(conn: sqlite3.Connection, models: Sequence[str], most: int = 2_000) -> bool:
    """Let go of vectors of other models, some at a time, and of what needs none; tell whether more is left."""
    kept = orjson.dumps(models).decode()
    conn.execute(_FORGET_MODELS, (kept,))
    conn.execute(_FORGET_DUE, (kept,))
    conn.execute(_TIDY)
    return conn.execute(_FORGET_SOME, (kept, most)).rowcount == most


@dataclass(frozen=True, slots=True)
class Columns:
    """Some vectors in the order of their ids, column by column: numbers with commas between them, and signs in hex."""

    ids: str
    sessions: str
    at: str
    """When the messages were said; 0: not known."""
    replies: str
    signs: str


def newer(conn: sqlite3.Connection, model: str, after: int) -> Columns | None:
    """Return the next 20,000 vectors after an id, None where there are none."""
    row = conn.execute(_NEWER, (after, model, _AT_ONCE)).fetchone()
    return None if row[0] is None else Columns(*row)


def codes(conn: sqlite3.Connection, ids: Sequence[int]) -> list[tuple[int, int, bytes]]:
    """Return message, session and code of vectors; those that are gone are left out."""
    return conn.execute(_CODES, (orjson.dumps(sorted(ids)).decode(),)).fetchall()


def begin_again(conn: sqlite3.Connection, model: str) -> None:
    """Have all vectors of a model worked out anew; each stays until the one that takes its place is there."""
    conn.execute(_REACH, (model, 0))


def how_many(conn: sqlite3.Connection, model: str) -> int:
    """Return how many messages have a vector of a model."""
    return int(conn.execute(_COUNT, (model,)).fetchone()[0])


def counts(conn: sqlite3.Connection) -> dict[str, int]:
    """Return how many messages have a vector, by model."""
    return dict(conn.execute(_COUNTS).fetchall())


def _reached(conn: sqlite3.Connection, model: str) -> int:
    row = conn.execute(_REACHED, (model,)).fetchone()
    return 0 if row is None else int(row[0])
