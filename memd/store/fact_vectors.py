"""Fact vectors: what facts mean, kept beside them; derived, so that whatever is missing is worked out again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from memd.store.chosen import FACTS_CHOSEN, ChosenFacts

_DUE: Final = """
    SELECT f.id, f.project_id, f.title, f.body, ifnull((
        SELECT group_concat(r.text, char(10)) FROM fact_parts r WHERE r.fact_id = f.id), '')
    FROM facts f WHERE NOT EXISTS (SELECT 1 FROM fact_vectors v WHERE v.fact_id = f.id AND v.model = ?) LIMIT ?
"""
_ADD: Final = """
    INSERT OR REPLACE INTO fact_vectors (fact_id, project_id, model, signs, code)
    SELECT id, project_id, ?5, ?6, ?7 FROM facts WHERE id = ?1 AND project_id IS ?2 AND title = ?3 AND body = ?4
"""
_NEWER: Final = """
    SELECT id, ifnull(project_id, 0), signs FROM fact_vectors WHERE id > ? AND model = ? AND length(signs) > 0
    ORDER BY id
"""
_CODES: Final = f"""
    SELECT f.id, v.code FROM json_each(?1) AS asked JOIN fact_vectors v ON v.id = asked.value
    JOIN facts f ON f.id = v.fact_id WHERE {FACTS_CHOSEN}
"""  # noqa: S608 - constants
_TIDY: Final = """
    DELETE FROM fact_vectors WHERE id IN (
        SELECT id FROM fact_vectors WHERE model NOT IN (SELECT value FROM json_each(?)) LIMIT ?)
"""
_FORGET: Final = "DELETE FROM fact_vectors WHERE model = ?"
_COUNTS: Final = "SELECT model, count(*) FROM fact_vectors GROUP BY model ORDER BY model"


@dataclass(frozen=True, slots=True)
class DueFact:
    """A fact that is to have a vector: its row ids and its words."""

    fact: int
    project: int | None
    title: str
    body: str
    parts: str

    @property
    def text(self) -> str:
        """What stands for its meaning."""
        return f"{self.title}\n{self.body}\n{self.parts}"


def due(conn: sqlite3.Connection, model: str, most: int) -> list[DueFact]:
    """Return facts, of any status, that have no vector of a model."""
    return [DueFact(*row) for row in conn.execute(_DUE, (model, most))]


def add(conn: sqlite3.Connection, model: str, made: Iterable[tuple[DueFact, tuple[bytes, bytes]]]) -> None:
    """Keep signs and codes of facts; of one whose words are others by now none is kept."""
    rows = [(of.fact, of.project, of.title, of.body, model, signs, code) for of, (signs, code) in made]
    conn.executemany(_ADD, rows)


def newer(conn: sqlite3.Connection, model: str, after: int) -> list[tuple[int, int, bytes]]:
    """Return the vectors after an id, in order: id, project (0: everywhere), signs."""
    return conn.execute(_NEWER, (after, model)).fetchall()


def codes(conn: sqlite3.Connection, vectors: Sequence[int], chosen: ChosenFacts) -> list[tuple[int, bytes]]:
    """Return facts with their codes, by ids of vectors; without those that are gone or not chosen."""
    return conn.execute(_CODES, (orjson.dumps(vectors).decode(), *chosen.values)).fetchall()


def tidy(conn: sqlite3.Connection, models: Sequence[str], most: int = 2_000) -> bool:
    """Let go of vectors of other models, some at a time; tell whether more is left."""
    return conn.execute(_TIDY, (orjson.dumps(models).decode(), most)).rowcount == most


def begin_again(conn: sqlite3.Connection, model: str) -> None:
    """Have all vectors of a model worked out anew."""
    conn.execute(_FORGET, (model,))


def counts(conn: sqlite3.Connection) -> dict[str, int]:
    """Return how many facts have a vector, by model."""
    return dict(conn.execute(_COUNTS).fetchall())
