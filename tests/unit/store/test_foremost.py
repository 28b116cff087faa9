from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from memd.store import facts, foremost, projects
from memd.store.facts import FactFilter, NewFact
from tests.unit.store.rows import NOW

KINDS = ("decision", "discovery", "note")


def test_they_are_those_that_a_listing_by_confidence_and_time_begins_with(conn: sqlite3.Connection) -> None:
    place = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW).id
    other = projects.resolve(conn, "/home/ada/lighthouse", [], "lighthouse", NOW).id

    @given(
        st.lists(
            st.tuples(
                st.sampled_from((place, other, None)), st.sampled_from(KINDS), st.sampled_from((0.3, 0.65, 0.9)),
                st.integers(1, 9),
            ),
            max_size=20,
        ),
        st.integers(1, 6),
    )  # fmt: skip
    def check(made: list[tuple[int | None, str, float, int]], limit: int) -> None:
        conn.execute("SAVEPOINT example")
        for number, (project, kind, confidence, at) in enumerate(made):
            new = NewFact(kind, f"Fact {number}", f"Fact {number}", "user", at, project, confidence=confidence)  # type: ignore[arg-type]
            facts.add(conn, new, NOW)
        chosen = FactFilter(project_id=place, kinds=("decision", "note"), sure=0.65)
        listed = facts.list_facts(conn, chosen, limit=limit)
        found = foremost.newest(conn, place, ("decision", "note"), limit, sure=0.65)
        conn.execute("ROLLBACK TO example")
        assert [fact.title for fact in found] == [fact.title for fact in listed]

    check()


def test_those_that_were_of_use_most_often_are_known(conn: sqlite3.Connection) -> None:
    place = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW).id
    cork, tin, zinc, lead = (
        facts.add(conn, NewFact("note", name, name, "user", 1, project), NOW).id
        for name, project in (("Cork", place), ("Tin", place), ("Zinc", None), ("Lead", place))
    )
    facts.mark_used(conn, (lead,), NOW)
    for used in ((cork, tin, zinc), (tin, cork), (tin,), (zinc,), (zinc,)):
        facts.mark_used(conn, used, NOW)
    assert [fact.title for fact in foremost.useful(conn, place, 5)] == ["Tin", "Cork", "Zinc"]
    assert [fact.title for fact in foremost.useful(conn, place, 1)] == ["Tin"]
    facts.retract(conn, tin, NOW, "no")
    assert [fact.title for fact in foremost.useful(conn, place, 5)] == ["Cork", "Zinc"]
    assert [fact.title for fact in foremost.useful(conn, None, 5)] == ["Zinc"]
