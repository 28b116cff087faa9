"""Facts are found by what they mean: those that are chosen, in their present words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from memd.model import FactPart, Project
from memd.recall import embedding
from memd.recall.near import Indexes, NearRequest
from memd.store import fact_vectors, facts, projects
from memd.store.chosen import ChosenFacts
from memd.store.facts import NewFact
from tests.unit.store.rows import database

pytestmark = pytest.mark.skipif(embedding.missing() is not None, reason=f"no embedding: {embedding.missing()}")

EVERYWHERE = ChosenFacts(all_projects=True)


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    conn = database()
    yield conn
    conn.close()


@pytest.fixture
def index() -> Indexes:
    return Indexes()


def learn(conn: sqlite3.Connection, body: str, project: Project | None = None, at: int = 1) -> int:
    new = NewFact("decision", "A matter", body, "test", at, None if project is None else project.id)
    return facts.add(conn, new, at).id


def embed(conn: sqlite3.Connection) -> int:
    some = fact_vectors.due(conn, embedding.MODEL, 100)
    codes = embedding.encode([one.text for one in some])
    fact_vectors.add(conn, embedding.MODEL, list(zip(some, codes, strict=True)))
    return len(some)


def near(conn: sqlite3.Connection, index: Indexes, query: str, chosen: ChosenFacts = EVERYWHERE) -> list[int]:
    index.refresh(conn)
    found = index.search(conn, NearRequest(Path(), query, messages=False, facts=chosen))
    assert found.messages == ()
    return [fact for fact, _ in found.facts]


def test_the_nearest_fact_comes_first(conn: sqlite3.Connection, index: Indexes) -> None:
    bread = learn(conn, "Bread is baked at four in the morning")
    cars = learn(conn, "Automobiles are parked behind the warehouse")
    embed(conn)

    assert near(conn, index, "where is the vehicle lot?") == [cars, bread]
    assert near(conn, index, "when does the bakery start?") == [bread, cars]


def test_a_project_is_given_its_own_facts_and_those_that_hold_everywhere(
    conn: sqlite3.Connection, index: Indexes
) -> None:
    here, there = (projects.resolve(conn, f"/home/ada/{name}", [], name, 1) for name in ("pier", "mole"))
    own, other, all_over = (learn(conn, "The lamp burns oil", where) for where in (here, there, None))
    embed(conn)

    assert set(near(conn, index, "lamp oil", ChosenFacts(here.id))) == {own, all_over}
    assert set(near(conn, index, "lamp oil", ChosenFacts())) == {all_over}
    assert set(near(conn, index, "lamp oil")) == {own, other, all_over}


def test_kinds_and_times_are_chosen_before_anything_is_cut(conn: sqlite3.Connection, index: Indexes) -> None:
    old, new = learn(conn, "The lamp burns oil", at=10), learn(conn, "The lamp burns gas", at=20)
    facts.supersede(conn, old, new, 20, "gas is cheaper")
    embed(conn)

    assert near(conn, index, "lamp") == [new]
    assert near(conn, index, "lamp", ChosenFacts(all_projects=True, as_of=15)) == [old]
    assert near(conn, index, "lamp", ChosenFacts(all_projects=True, kinds=("config",))) == []
    conn.execute("UPDATE facts SET topic = 'lamps' WHERE id = ?", (new,))
    assert near(conn, index, "lamp", ChosenFacts(all_projects=True, topic="lamps")) == [new]
    assert near(conn, index, "lamp", ChosenFacts(all_projects=True, topic="masts")) == []


def test_a_fact_whose_words_change_is_found_by_its_new_ones(conn: sqlite3.Connection, index: Indexes) -> None:
    fact, other = learn(conn, "The lamp burns oil"), learn(conn, "The mast is made of oak")
    embed(conn)
    assert near(conn, index, "wooden timber") == [other, fact]

    conn.execute("UPDATE facts SET body = 'The deck is wooden timber' WHERE id = ?", (fact,))

    assert near(conn, index, "wooden timber") == [other]
    assert embed(conn) == 1
    assert near(conn, index, "wooden timber") == [fact, other]


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO fact_parts (fact_id, ord, name, text) VALUES (:fact, 7, 'because', 'it is cheap')",
        "DELETE FROM fact_parts WHERE fact_id = :fact",
        "UPDATE facts SET title = 'Another' WHERE id = :fact",
        "UPDATE facts SET project_id = :project WHERE id = :fact",
    ],
)
def test_whatever_changes_the_meaning_or_the_place_of_a_fact_makes_its_vector_due(
    conn: sqlite3.Connection, change: str
) -> None:
    project = projects.resolve(conn, "/home/ada/pier", [], "pier", 1)
    new = NewFact("decision", "Lamp", "It burns oil", "test", 1, parts=(FactPart("because", "gas is dear"),))
    fact = facts.add(conn, new, 1).id
    embed(conn)
    assert fact_vectors.due(conn, embedding.MODEL, 9) == []

    conn.execute(change, {"fact": fact, "project": project.id})

    assert [one.fact for one in fact_vectors.due(conn, embedding.MODEL, 9)] == [fact]


def test_a_use_of_a_fact_leaves_its_vector_as_it_is(conn: sqlite3.Connection) -> None:
    fact = learn(conn, "The lamp burns oil")
    embed(conn)
    facts.mark_used(conn, [fact], 5)

    assert fact_vectors.due(conn, embedding.MODEL, 9) == []


def test_a_fact_that_changes_while_its_vector_is_made_stays_due(conn: sqlite3.Connection) -> None:
    fact = learn(conn, "The lamp burns oil")
    some = fact_vectors.due(conn, embedding.MODEL, 9)
    conn.execute("UPDATE facts SET body = 'The lamp burns gas' WHERE id = ?", (fact,))

    fact_vectors.add(conn, embedding.MODEL, list(zip(some, embedding.encode([some[0].text]), strict=True)))

    assert [one.body for one in fact_vectors.due(conn, embedding.MODEL, 9)] == ["The lamp burns gas"]


def test_a_fact_that_is_gone_is_not_found(conn: sqlite3.Connection, index: Indexes) -> None:
    fact, other = learn(conn, "The lamp burns oil"), learn(conn, "The lamp burns gas")
    embed(conn)
    index.refresh(conn)
    conn.execute("DELETE FROM facts WHERE id = ?", (fact,))

    assert near(conn, index, "lamp") == [other]


def test_a_text_that_no_vector_can_be_made_of_is_asked_for_once(conn: sqlite3.Connection, index: Indexes) -> None:
    learn(conn, "The lamp burns oil")
    fact_vectors.add(conn, embedding.MODEL, [(one, (b"", b"")) for one in fact_vectors.due(conn, embedding.MODEL, 9)])

    assert fact_vectors.due(conn, embedding.MODEL, 9) == []
    assert near(conn, index, "lamp") == []


def test_vectors_of_a_model_that_is_no_longer_used_are_let_go(conn: sqlite3.Connection) -> None:
    learn(conn, "The lamp burns oil")
    embed(conn)

    assert not fact_vectors.tidy(conn, ("other:64",))

    assert fact_vectors.counts(conn) == {}
