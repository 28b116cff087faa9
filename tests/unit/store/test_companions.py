"""Facts of one session are related, the closer ones more, each to a few."""

from __future__ import annotations

import sqlite3
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.distill.companions import MOST, ORIGIN, Said, closeness, companions
from memd.model import Project
from memd.store import edges, facts, projects
from memd.store.edges import EdgeFilter
from memd.store.facts import FactFilter
from tests.unit.store.rows import NOW
from tests.unit.store.test_judged import candidate, says, session


@pytest.fixture
def project(conn: sqlite3.Connection) -> Project:
    return projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)


def ties(conn: sqlite3.Connection) -> dict[frozenset[str], float]:
    """The pairs of facts that are related, by how they begin, with how much."""
    names = {f"fact:{fact.uid}": fact.body[:9] for fact in facts.list_facts(conn, FactFilter(status=None), -1)}
    found, _ = edges.list_edges(conn, EdgeFilter(origin=ORIGIN), 500)
    assert len({frozenset((one.src, one.dst)) for one in found}) == len(found)
    return {frozenset((names[one.src], names[one.dst])): one.strength for one in found}


TALK = (
    candidate("the pier lamp table is kept in redis", 1000),
    candidate("the pier lamp table gets new keys in March", 2000),
    candidate("crane 9 of the office is painted blue by hand", 3000),
)


def test_facts_of_one_session_that_speak_of_the_same_are_related_by_how_much(
    conn: sqlite3.Connection, project: Project
) -> None:
    says(conn, session(conn, project), *TALK)
    ((pair, weight),) = ties(conn).items()
    assert pair == {"the pier "}
    assert 0.3 < weight < 1.0


def test_what_rests_on_one_message_is_closer() -> None:
    one, apart, beside = (
        Said(number, frozenset({"pier", "lamp", word}), frozenset({message}))
        for number, word, message in ((1, "red", 7), (2, "blue", 8), (3, "blue", 7))
    )
    assert closeness(one, beside) > closeness(one, apart) > 0
    assert closeness(one, Said(4, frozenset({"crane"}), frozenset({7}))) == 0


def test_saying_the_same_again_changes_nothing_and_what_is_not_said_any_more_is_untied(
    conn: sqlite3.Connection, project: Project
) -> None:
    talk = session(conn, project)
    says(conn, talk, *TALK)
    before = ties(conn)
    says(conn, talk, *TALK, now=NOW + 1000)
    assert ties(conn) == before
    says(conn, talk, TALK[0], TALK[2], now=NOW + 2000)
    assert ties(conn) == {}


def test_a_fact_that_was_superseded_is_related_to_nothing_any_more_but_was(
    conn: sqlite3.Connection, project: Project
) -> None:
    says(conn, session(conn, project), *TALK)
    says(conn, session(conn, project, "later"), candidate("the pier lamp table: drop redis, tern holds it", 9000))
    assert ties(conn) == {}
    then, _ = edges.list_edges(conn, EdgeFilter(origin=ORIGIN, as_of=5000), 10)
    assert len(then) == 1


def test_facts_of_different_sessions_are_not_related_by_this(conn: sqlite3.Connection, project: Project) -> None:
    says(conn, session(conn, project, "a"), TALK[0])
    says(conn, session(conn, project, "b"), TALK[1])
    assert ties(conn) == {}


def test_many_facts_of_one_session_give_no_thicket(conn: sqlite3.Connection, project: Project) -> None:
    many = tuple(candidate(f"the pier lamp table {n} is kept in redis {n}", 1000 + n) for n in range(20))
    says(conn, session(conn, project), *many)
    found, total = edges.list_edges(conn, EdgeFilter(origin=ORIGIN), 500)
    assert 0 < total <= 20 * MOST / 2
    assert max(sum(node in (one.src, one.dst) for one in found) for node in {one.src for one in found}) <= MOST


@given(
    st.lists(st.tuples(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), st.frozensets(st.integers(1, 4)))),
    st.integers(1, 4),
)
def test_each_has_at_most_so_many_and_the_order_does_not_matter(
    drawn: list[tuple[frozenset[str], frozenset[int]]], most: int
) -> None:
    said = [Said(number, words, messages) for number, (words, messages) in enumerate(drawn)]
    found = companions(said, most)
    assert companions(said[::-1], most) == found
    assert all(0 < weight <= 1 for weight in found.values())
    assert all(one < other for one, other in found)
    for each in said:
        assert sum(each.fact in pair for pair in found) <= most
    if len(said) > 1 and most >= len(said):
        assert found.keys() == {
            (one.fact, other.fact) for one, other in combinations(said, 2) if closeness(one, other) >= 0.15
        }
