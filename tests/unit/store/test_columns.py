"""Columns of whole numbers come in one step, equally long and in one order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from memd.store import columns


@pytest.fixture
def shelf() -> Iterator[sqlite3.Connection]:
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE VIRTUAL TABLE texts USING fts5 (body)")
    conn.executemany("INSERT INTO texts VALUES (?)", [("the lamp",), ("the the lamp oil",), ("oil",), ("sand",)])
    yield conn
    conn.close()


def test_each_column_holds_a_number_for_each_row(shelf: sqlite3.Connection) -> None:
    select = "SELECT rowid AS row, rowid * 10 AS ten FROM texts WHERE texts MATCH ?1 ORDER BY rowid DESC LIMIT ?2"

    assert columns.read(shelf, columns.in_one(select, "row", "ten"), ("oil OR lamp", 2)) == ([3, 2], [30, 20])


def test_no_row_gives_empty_columns(shelf: sqlite3.Connection) -> None:
    statement = columns.in_one("SELECT rowid AS row, 1 AS one FROM texts WHERE texts MATCH ?", "row", "one")

    assert columns.read(shelf, statement, ("nothing",)) == ([], [])


def test_scores_are_those_of_bm25_also_where_these_are_next_to_nothing(shelf: sqlite3.Connection) -> None:
    select = f"SELECT rowid AS row, {columns.scored('bm25(texts)')} FROM texts WHERE texts MATCH ?1 LIMIT -1"
    said = dict(shelf.execute("SELECT rowid, -bm25(texts) FROM texts WHERE texts MATCH 'lamp'"))

    rows, scores = columns.read(shelf, columns.in_one(select, "row", "score"), ("lamp",))

    assert min(said.values()) < 1e-5
    assert [score / columns.SCALE for score in scores] == pytest.approx([said[row] for row in rows], rel=1e-6)
