"""Columns: many rows of whole numbers read in one step.

Python's sqlite3 lets go of the interpreter's lock around every row. Where another thread wants it too, each row then
waits for a turn, and a thousand rows cost ten times what they cost alone; put together by SQLite, they cost one turn.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

import orjson

SCALE: Final = 100_000_000_000_000
"""Scores are read as whole numbers of this part of one, which SQLite writes several times faster; those of a word that
most texts have are as small as 1e-6."""


def scored(bm25: str) -> str:
    """Return the column `score`: what a call of FTS5's bm25 says, turned round and in parts of `SCALE`."""
    return f"cast(-{bm25} * {SCALE} AS INTEGER) AS score"


def in_one(select: str, *names: str) -> str:
    """Return the statement that gives each named column of a SELECT, whole numbers that are never NULL, as one text.

    bm25 can only be asked for in a SELECT that has a LIMIT (-1: all), because SQLite makes others one with what is
    around them.
    """
    return f"SELECT {', '.join(f'group_concat({name})' for name in names)} FROM ({select})"  # noqa: S608 - constants


def best_in_one(select: str, kept: str) -> str:
    """Return the statement that gives the columns `row` and `score` of a SELECT as `in_one` does, of the best alone.

    `kept` names the parameter that says how many; the best come first, of equals the larger row. SQLite sorts them in
    a tenth of the time that it takes to hand over all others.
    """
    return in_one(f"SELECT row, score FROM ({select}) ORDER BY score DESC, row DESC LIMIT {kept}", "row", "score")  # noqa: S608 - constants


def read(conn: sqlite3.Connection, statement: str, parameters: Sequence[object]) -> tuple[list[int], ...]:
    """Return the columns that a statement of `in_one` gives, in the order of its names; all equally long."""
    found = conn.execute(statement, parameters).fetchone()
    return tuple([] if column is None else orjson.loads(f"[{column}]") for column in found)
