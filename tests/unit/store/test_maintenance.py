"""Indexes are kept compact and built anew without stopping capture."""

from __future__ import annotations

import sqlite3

import pytest

from memd.adapter import Event
from memd.store import facts, maintenance
from memd.store.facts import NewFact
from tests.unit.store.rows import NOW, found, part, result, store, use


def fill(conn: sqlite3.Connection) -> None:
    for n in range(5):
        rows: list[Event] = [
            part("s", f"a{n}", 3 * n, "tide", calls=(use(f"t{n}"),)),
            result("s", f"b{n}", 3 * n + 1, f"t{n}", "ebb"),
        ]
        store(conn, "s", rows)
        facts.add(conn, NewFact("note", f"Moon {n}", "full", "user", 1), NOW)


def damaged(conn: sqlite3.Connection) -> list[str]:
    """The indexes that are damaged in themselves, by FTS5's own check."""
    found = []
    for table in maintenance.TABLES:
        try:
            conn.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
        except sqlite3.DatabaseError:
            found.append(table)
    return found


def finish(conn: sqlite3.Connection) -> int:
    steps = 1
    while maintenance.rebuild_some(conn, rows=2):
        steps += 1
        assert steps < 40
    return steps


def test_a_fresh_store_is_up_to_date(conn: sqlite3.Connection) -> None:
    fill(conn)
    assert maintenance.stale(conn) == ()
    assert not maintenance.rebuild_some(conn)
    assert damaged(conn) == []


def test_indexes_of_another_form_are_built_anew_step_by_step(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(conn)
    monkeypatch.setattr(maintenance, "TOKENS_VERSION", 2)
    assert maintenance.stale(conn) == maintenance.TABLES
    assert finish(conn) > 9
    assert maintenance.stale(conn) == ()
    assert [found(conn, *asked) for asked in (("tide", "messages"), ("ebb", "calls"), ("moon", "facts"))] == [5, 5, 5]


def test_what_comes_while_an_index_is_built_is_in_it_once(conn: sqlite3.Connection) -> None:
    fill(conn)
    for table in maintenance.TABLES:
        maintenance.rebuild(conn, table)
    assert found(conn, "tide") == 0
    assert maintenance.rebuild_some(conn, rows=2)
    # One that is indexed again already, one that is not, and a new one.
    store(conn, "s", [part("s", "x", 20, "flood", message="a0"), part("s", "y", 21, "flood", message="a4")])
    store(conn, "s", [part("s", "z", 22, "flood tide")])
    finish(conn)
    assert (found(conn, "tide"), found(conn, "flood")) == (6, 3)
    rows = conn.execute("SELECT count(*), count(DISTINCT id) FROM messages_fts_docsize").fetchone()
    assert rows == (6, 6)
    assert damaged(conn) == []


def test_merging_comes_to_an_end(conn: sqlite3.Connection) -> None:
    fill(conn)
    steps = 0
    while maintenance.optimize(conn, pages=1):
        steps += 1
        assert steps < 100
    assert found(conn, "tide") == 5


def test_a_damaged_index_is_whole_again_once_it_was_built_anew(conn: sqlite3.Connection) -> None:
    fill(conn)
    conn.execute("DELETE FROM calls_fts_data WHERE id > 10")
    assert damaged(conn) == ["calls_fts"]
    maintenance.rebuild(conn, "calls_fts")
    finish(conn)
    assert (damaged(conn), found(conn, "ebb", "calls")) == ([], 5)
