"""What a question names leads over relations to facts that share no word with it, and never past what does."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from memd.operations.search import SearchParams, search_all
from memd.recall import linking
from memd.store import edges, entities, facts
from memd.store.chosen import ChosenFacts
from memd.store.edges import NewEdge
from memd.store.facts import Connection, NewFact
from tests.unit.operations.conftest import NOW, Harbor
from tests.unit.store import rows

TOLD = (
    ("Tide Feed", "configures", "Lock Display", "The lock display shows what the tide feed sends"),
    ("Lock Display", "depends_on", "Pilot Board", "Pilots plan their shifts on the pilot board"),
    ("Pilot Board", "depends_on", "Crane Rota", "The rota of the cranes follows from the shifts"),
)
EVERYWHERE = ChosenFacts(None, all_projects=True)


def _relate(conn: Connection) -> list[int]:
    """Tell of three relations, one after the other, each by a fact of its own; return the facts."""
    told = []
    for name, relation, other, text in TOLD:
        fact = facts.add(conn, NewFact("discovery", text, text, "distill", NOW), NOW)
        ends = [f"entity:{entities.add(conn, one, 'concept', None, 'distill', NOW)[0].uid}" for one in (name, other)]
        edges.link(conn, NewEdge(ends[0], relation, ends[1], "distill", fact_id=fact.id), NOW)
        told.append(fact.id)
    return told


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    with closing(rows.database()) as conn:
        yield conn


def test_a_fact_two_relations_away_is_reached_with_the_way_to_it(conn: sqlite3.Connection) -> None:
    first, second, _ = _relate(conn)

    links = linking.follow(conn, "what breaks when the tide feed is down?", EVERYWHERE, cap_s=10)

    assert [link.fact for link in links.links] == [first, second]
    assert links.links[1].way == ("Tide Feed", "configures", "Lock Display", "depends_on", "Pilot Board")
    assert links.links[0].closeness > links.links[1].closeness
    assert links.named
    assert not links.cut


def test_a_question_may_call_a_thing_by_another_of_its_names(conn: sqlite3.Connection) -> None:
    first, second, _ = _relate(conn)
    feed = entities.find(conn, "Tide Feed", None)
    assert feed is not None
    entities.add_alias(conn, feed, "Ebb Wire")

    links = linking.follow(conn, "what breaks when the ebb wire is down?", EVERYWHERE, cap_s=10)

    assert [link.fact for link in links.links] == [first, second]
    assert links.links[0].way[0] == "Tide Feed"


def test_relations_are_followed_against_their_direction_too(conn: sqlite3.Connection) -> None:
    told = _relate(conn)

    links = linking.follow(conn, "Crane Rota", EVERYWHERE, cap_s=10)

    assert links.links[0].fact == told[2]
    assert links.links[0].way == ("Crane Rota", "<depends_on", "Pilot Board")


def test_words_that_stand_in_every_project_name_nothing(conn: sqlite3.Connection) -> None:
    fact = facts.add(conn, NewFact("discovery", "x", "x", "distill", NOW), NOW)
    ends = [f"entity:{entities.add(conn, one, 'concept', None, 'distill', NOW)[0].uid}" for one in ("file", "change")]
    edges.link(conn, NewEdge(ends[0], "uses", ends[1], "distill", fact_id=fact.id), NOW)

    assert linking.follow(conn, "which file did you change?", EVERYWHERE, cap_s=10) == linking.Links()


@pytest.mark.parametrize(("question", "name"), [("潮汐表在哪里用到？", "潮汐表"), ("用 TideFeed 的是谁", "tidefeed")])
def test_names_in_chinese_questions_are_seen(question: str, name: str) -> None:
    assert name in linking.names_in(question)


async def test_a_search_gives_it_below_what_holds_the_words_and_names_the_lane(harbor: Harbor) -> None:
    await harbor.memory.writer.run(_relate)

    found = await search_all.function(harbor.memory, SearchParams("Tide Feed", limit=20))

    by_text = {hit.text: hit for hit in found.hits}
    exact, linked = by_text[TOLD[0][3]], by_text[TOLD[1][3]]
    assert "graph" in found.lanes
    assert linked.lanes == ("graph",)
    assert linked.path == ("Tide Feed", "configures", "Lock Display", "depends_on", "Pilot Board")
    assert exact.path == ()
    assert linked.score < exact.score


async def test_what_names_nothing_is_answered_without_the_lane(harbor: Harbor) -> None:
    found = await search_all.function(harbor.memory, SearchParams("evening"))

    assert "graph" not in found.lanes


async def test_where_time_runs_out_that_is_said_and_the_answer_comes(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await harbor.memory.writer.run(_relate)
    monkeypatch.setattr("memd.store.linked._INTERVAL", 1)
    monkeypatch.setattr("memd.operations.search.follow", lambda *asked: linking.follow(*asked, cap_s=0.0))

    found = await search_all.function(harbor.memory, SearchParams("Tide Feed"))

    assert "cut off after 20 ms" in found.notes["graph"]
    assert found.hits[0].text == TOLD[0][3]
