"""Where a project's rows lie is known as far as that helps, and never leaves one of them out."""

from __future__ import annotations

import sqlite3

import pytest

from memd.adapter import MessagePart
from memd.recall import question
from memd.recall.recall import by_words
from memd.store import postings, projects, sessions, spans
from memd.store.chosen import Chosen
from tests.unit.store.rows import HOST, NOW, part, store, use

TABLES = ("messages", "tool_calls")


def spoken(conn: sqlite3.Connection, session: str, project: str, first: int, count: int) -> int:
    """Store messages of a session, each with a call, in a project; return its id."""
    rows: list[MessagePart] = []
    for n in range(first, first + count):
        calls = (use(f"{session}{n}", f"make tide{n}"),)
        rows.append(part(session, f"{session}-{n}", n, f"the harbour light number {n} is lit", calls=calls))
    store(conn, session, rows)
    known = sessions.by_native(conn, HOST, session)
    assert known is not None
    found = projects.resolve(conn, f"/home/ada/{project}", [], project, NOW).id
    sessions.set_project(conn, known.id, found)
    return found


@pytest.mark.parametrize("table", TABLES)
def test_what_lies_together_has_its_span(conn: sqlite3.Connection, table: spans.Table) -> None:
    spoken(conn, "a", "quay", 1, 8)
    harbour = spoken(conn, "b", "harbour", 1, 3)
    spoken(conn, "b", "harbour", 4, 1)
    spoken(conn, "c", "quay", 1, 8)
    own = rows_of(conn, table, harbour)

    assert spans.of_project(conn, table, harbour, 4) == (min(own), max(own))


@pytest.mark.parametrize("table", TABLES)
def test_what_lies_far_apart_may_be_anywhere(conn: sqlite3.Connection, table: spans.Table) -> None:
    harbour = spoken(conn, "a", "harbour", 1, 2)
    spoken(conn, "b", "quay", 1, 6)
    spoken(conn, "c", "harbour", 1, 2)

    assert spans.of_project(conn, table, harbour, 4) == spans.between(conn, table, None, None, 0)


@pytest.mark.parametrize("table", TABLES)
def test_nothing_lies_nowhere(conn: sqlite3.Connection, table: spans.Table) -> None:
    spoken(conn, "a", "harbour", 1, 2)
    first, last = spans.of_project(conn, table, 99, 0)

    assert first > last
    assert spans.of_session(conn, table, 99) == (first, last)


def test_the_rows_of_a_project_are_the_same_whether_it_is_listed_or_each_is_asked(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "_COMMON", 3)
    monkeypatch.setattr(postings, "_NEWEST", 7)
    harbour = spoken(conn, "a", "harbour", 1, 6)
    spoken(conn, "b", "quay", 1, 9)
    spoken(conn, "c", "harbour", 7, 5)
    asked = question.read("harbour light number lit", NOW)
    found = []
    for dear in (1e9, 0.0):
        monkeypatch.setattr(postings, "_ASKING", dear)
        found.append(by_words(conn, asked, Chosen(project_id=harbour)))

    assert found[0] == found[1]
    assert set(found[0].messages) == set(rows_of(conn, "messages", harbour)[-7:])


@pytest.mark.parametrize("table", TABLES)
def test_the_rows_of_a_small_project_are_listed_and_those_found_of_a_large_one_are_asked(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, table: spans.Table
) -> None:
    harbour = spoken(conn, "a", "harbour", 1, 3)
    everywhere = spans.between(conn, table, None, None, 0)

    assert spans.to_search(conn, table, None, harbour)[2:] == (harbour, None)
    monkeypatch.setattr(spans, "_LISTED", 2)
    assert spans.to_search(conn, table, None, harbour)[2:] == (None, harbour)
    assert spans.to_search(conn, table, None, None) == (*everywhere, None, None)


def rows_of(conn: sqlite3.Connection, table: str, project: int) -> list[int]:
    query = f"SELECT t.id FROM {table} t JOIN sessions s ON s.id = t.session_id WHERE s.project_id = ? ORDER BY t.id"
    return [row for (row,) in conn.execute(query, (project,))]
