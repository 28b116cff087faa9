"""When the rules of comparing change, what was compared by older ones is compared and judged anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace

import pytest

from memd.distill import recomparing, settling, stating
from memd.distill.comparing import packed, unpacked
from memd.model import Project
from memd.store import edges, facts, meta, projects
from memd.store.facts import FactFilter
from tests.unit.store.rows import NOW
from tests.unit.store.test_judged import candidate, known, says, session

DAY = 86_400_000
SAID = (
    "Use Redis for the tide cache, it is fast",
    "Use pnpm for the lamp dashboard packages",
    "Do not use Redis for the tide cache any more",
    "Never push to the pier branch directly",
    "Use Redis for the tide cache, it is fast",
    "Keep retries of the payout queue at 3",
)


@pytest.fixture
def project(conn: sqlite3.Connection) -> Project:
    return projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)


@pytest.fixture
def story(conn: sqlite3.Connection, project: Project) -> None:
    for place, text in enumerate(SAID):
        says(conn, session(conn, project, f"s{place}"), candidate(text, place * DAY))


def through(conn: sqlite3.Connection, between: Callable[[], None] = lambda: None) -> int:
    """Go through everything step by step; return how many steps it took."""
    steps = 0
    while (at := recomparing.place(conn)) is not None:
        recomparing.write(conn, recomparing.next_step(conn, at), NOW)
        between()
        steps += 1
    return steps


def by_older_rules(conn: sqlite3.Connection) -> None:
    """Let everything be as rules would have left it to which no two statements are anything."""
    for statement, text in conn.execute("SELECT id, features FROM statements").fetchall():
        old = replace(unpacked(text), words=frozenset(), order=(), undone=(), group=f"old {statement}", text="")
        conn.execute("UPDATE statements SET features = ? WHERE id = ?", (packed(old).decode(), statement))
    conn.execute("DELETE FROM statement_terms WHERE role != 'word'")
    conn.execute("DELETE FROM statement_links")
    settling.rejudge(conn, [row for (row,) in conn.execute("SELECT id FROM statements")], NOW)
    meta.put(conn, "judge_rules", "0")


@pytest.mark.usefixtures("story")
def test_what_older_rules_left_becomes_what_the_rules_of_now_make_of_it(conn: sqlite3.Connection) -> None:
    through(conn)
    right, compared = known(conn), conn.execute("SELECT * FROM statement_links ORDER BY 1, 2").fetchall()
    terms = conn.execute("SELECT * FROM statement_terms ORDER BY 1, 2, 3").fetchall()
    by_older_rules(conn)
    assert known(conn) != right
    assert through(conn) > 3
    assert known(conn) == right
    assert conn.execute("SELECT * FROM statement_links ORDER BY 1, 2").fetchall() == compared
    assert conn.execute("SELECT * FROM statement_terms ORDER BY 1, 2, 3").fetchall() == terms


@pytest.mark.usefixtures("story")
def test_where_the_rules_are_the_same_nothing_is_written(conn: sqlite3.Connection) -> None:
    through(conn)
    assert recomparing.place(conn) is None
    tables = ("facts", "fact_history", "statements", "statement_links", "statement_terms", "claims", "evidence")
    before = [conn.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]
    recomparing.begin(conn)
    assert through(conn) > 3
    assert [conn.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables] == before


@pytest.mark.usefixtures("story")
def test_what_is_said_meanwhile_is_gone_through_too(conn: sqlite3.Connection, project: Project) -> None:
    by_older_rules(conn)
    said = iter(["Use Redis for the tide cache again", "Use npm for the lamp dashboard packages", "Lamps go off at 6"])

    def talk() -> None:
        text = next(said, None)
        if text is not None:
            says(conn, session(conn, project, text), candidate(text, 100 * DAY))

    through(conn, talk)
    found = known(conn)
    recomparing.begin(conn)
    through(conn)
    assert known(conn) == found


@pytest.mark.usefixtures("story")
def test_what_a_person_folded_together_stays_so(conn: sqlite3.Connection, project: Project) -> None:
    listed = {fact.body: fact.id for fact in facts.list_facts(conn, FactFilter(project.id), -1)}
    stating.fold(conn, listed[SAID[3]], listed[SAID[5]], NOW)
    before = known(conn)
    recomparing.begin(conn)
    through(conn)
    assert known(conn) == before


@pytest.mark.usefixtures("story")
def test_relations_that_were_lost_are_derived_again_from_where_it_stopped_and_are_the_same_every_time(
    conn: sqlite3.Connection, project: Project
) -> None:
    for number in range(40):
        text = f"The lamp worker {number} uses Kelp {number} for the states"
        says(conn, session(conn, project, f"r{number}"), candidate(text, (100 + number) * DAY))

    def told() -> list[tuple[object, ...]]:
        rows = conn.execute("SELECT src, rel, dst, valid_from, valid_to, quote FROM edges WHERE origin = 'distill'")
        names = dict(conn.execute("SELECT 'entity:' || uid, name FROM entities"))
        return sorted(
            ((names.get(row[0], row[0]), row[1], names.get(row[2], row[2]), *row[3:]) for row in rows), key=str
        )

    before = told()
    assert len(before) >= 40
    edges.delete_origin(conn, "distill", None)
    assert told() != before
    recomparing.begin(conn)
    at = recomparing.place(conn)
    assert at is not None
    recomparing.write(conn, recomparing.next_step(conn, at), NOW)  # here it is stopped, and what is noted is where
    assert through(conn) > 3
    assert told() == before
    kept = conn.execute("SELECT * FROM edges ORDER BY id").fetchall()
    recomparing.begin(conn)
    through(conn)
    assert conn.execute("SELECT * FROM edges ORDER BY id").fetchall() == kept
