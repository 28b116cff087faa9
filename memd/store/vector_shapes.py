"""Vector shapes: vectors that cannot be compared with the others of their model are found, and made anew.

All vectors of a model have as many dimensions; one of another length (a file that was put together by hand, a model
that was exchanged under its name) would stand in the way of every search by meaning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

_SHAPES: Final = """
    SELECT model, length(code), length(signs), count(*) FROM {table} WHERE length(signs) > 0 GROUP BY 1, 2, 3
"""
_DUE: Final = """
    INSERT OR IGNORE INTO vectors_due (message_id, model)
    SELECT message_id, model FROM vectors
    WHERE model = ?1 AND length(signs) > 0 AND (length(code) != ?2 OR length(signs) != ?3)
"""
_DROP: Final = "DELETE FROM {table} WHERE model = ? AND length(signs) > 0 AND (length(code) != ? OR length(signs) != ?)"
_WORD: Final = 8
TABLES: Final = ("vectors", "fact_vectors")

Expected = Mapping[str, int]
"""Dimensions of models that are known; of others those of most of their vectors count."""


def misshapen(conn: sqlite3.Connection, expected: Expected) -> dict[str, int]:
    """Return how many vectors of messages and facts have other dimensions than their model, by model; 0 is left out."""
    found: dict[str, int] = {}
    for table in TABLES:
        for model, dimensions in _dimensions(conn, table, expected).items():
            wrong = sum(
                count
                for name, code, signs, count in conn.execute(_SHAPES.format(table=table))
                if name == model and (code, signs) != (dimensions, _signs(dimensions))
            )
            if wrong:
                found[model] = found.get(model, 0) + wrong
    return found


def let_go(conn: sqlite3.Connection, expected: Expected) -> int:
    """Remove such vectors, to be worked out anew; return how many there were."""
    gone = 0
    for table in TABLES:
        for model, dimensions in _dimensions(conn, table, expected).items():
            shape = (model, dimensions, _signs(dimensions))
            if table == "vectors":
                conn.execute(_DUE, shape)
            gone += conn.execute(_DROP.format(table=table), shape).rowcount
    return gone


def _dimensions(conn: sqlite3.Connection, table: str, expected: Expected) -> dict[str, int]:
    most: dict[str, tuple[int, int]] = {}
    for model, code, _, count in conn.execute(_SHAPES.format(table=table)):
        most[model] = max(most.get(model, (0, 0)), (count, code))
    return {model: expected.get(model, code) for model, (_, code) in most.items()}


def _signs(dimensions: int) -> int:
    """Return the bytes of so many signs, filled up to whole words of 64 bits."""
    return -(-dimensions // (8 * _WORD)) * _WORD
