"""What holds everywhere and what one project has of its own: which ends which, whatever is read first."""

from __future__ import annotations

import itertools
import random
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.model import Candidate, Project
from memd.store import edges, facts, projects
from memd.store.edges import EdgeFilter
from memd.store.facts import FactFilter
from tests.unit.store.rows import NOW, database
from tests.unit.store.test_judged import candidate, known, listed, says, session, texts

HERE = "use npm for the packages"
EVERYWHERE = "From now on use pnpm for the packages in all my projects"
TASTE = "I like pnpm for the packages in all my projects"
SLOT = "choice:packages"


@pytest.fixture
def project(conn: sqlite3.Connection) -> Project:
    return projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)


def everywhere(text: str, at: int, slot: str | None = SLOT) -> Candidate:
    return replace(candidate(text, at, slot=slot), everywhere=True)


def of_everywhere(conn: sqlite3.Connection) -> list[str]:
    return [fact.body for fact in facts.known(conn, None)]


def quay(conn: sqlite3.Connection) -> Project:
    return projects.resolve(conn, "/home/ada/quay", [], "quay", NOW)


def own(conn: sqlite3.Connection, project: Project) -> list[str]:
    return [fact.body for fact in facts.list_facts(conn, FactFilter(project.id, everywhere=False), -1)]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_change_from_now_on_in_all_projects_ends_what_each_of_them_had(
    conn: sqlite3.Connection, project: Project, order: tuple[int, ...]
) -> None:
    other = quay(conn)
    said = [
        (project, candidate(HERE, 1000, slot=SLOT)),
        (other, candidate("use yarn for the packages", 1500, slot=SLOT)),
        (other, everywhere(EVERYWHERE, 2000)),
    ]
    for place in order:
        says(conn, session(conn, said[place][0], f"s{place}"), said[place][1])
    assert (own(conn, project), own(conn, other), of_everywhere(conn)) == ([], [], [EVERYWHERE])
    (old,) = facts.list_facts(conn, FactFilter(project.id, status="superseded"), -1)
    (new,) = facts.known(conn, None)
    assert (old.superseded_by, old.valid_to) == (new.uid, 2000)
    assert "in all projects" in facts.history(conn, old.id)[-1].reason
    then = FactFilter(project.id, everywhere=False, as_of=1500)
    assert [fact.body for fact in facts.list_facts(conn, then)] == [HERE]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Postgres holds the tide table", "从现在起所有项目都不再用 Postgres"),
        ("keep the tide keys in redis", "We no longer use redis, in any of our repos"),
        ("use tabs in Python files", "From now on never use tabs in Python files, in any repo"),
    ],
)
def test_what_is_given_up_in_all_projects_is_given_up_in_each(
    conn: sqlite3.Connection, project: Project, before: str, after: str
) -> None:
    says(conn, session(conn, project, "a"), candidate(before, 1000))
    says(conn, session(conn, quay(conn), "b"), everywhere(after, 2000, slot=None))
    assert own(conn, project) == []


def test_a_taste_that_holds_everywhere_leaves_what_a_project_has_of_its_own(
    conn: sqlite3.Connection, project: Project
) -> None:
    says(conn, session(conn, project, "a"), candidate(HERE, 1000, slot=SLOT))
    says(conn, session(conn, quay(conn), "b"), everywhere(TASTE, 2000))
    assert (own(conn, project), of_everywhere(conn), listed(conn)) == ([HERE], [TASTE], [])


@pytest.mark.parametrize("exception", [HERE, "drop pnpm here, use npm for the packages", "never use pnpm in this repo"])
@pytest.mark.parametrize("law", [TASTE, EVERYWHERE])
def test_an_exception_of_a_project_stands_beside_what_holds_everywhere(
    conn: sqlite3.Connection, project: Project, law: str, exception: str
) -> None:
    says(conn, session(conn, quay(conn), "a"), everywhere(law, 1000))
    says(conn, session(conn, project, "b"), candidate(exception, 2000, slot=SLOT))
    assert (own(conn, project), of_everywhere(conn), listed(conn)) == ([exception], [law], [])


def test_what_a_project_had_holds_again_when_the_change_is_taken_back(
    conn: sqlite3.Connection, project: Project
) -> None:
    says(conn, session(conn, project, "a"), candidate(HERE, 1000, slot=SLOT))
    said_in = session(conn, quay(conn), "b")
    says(conn, said_in, everywhere(EVERYWHERE, 2000))
    says(conn, said_in)
    assert (own(conn, project), of_everywhere(conn)) == ([HERE], [])


def test_no_other_project_is_told_what_the_change_ended(conn: sqlite3.Connection, project: Project) -> None:
    other = quay(conn)
    says(conn, session(conn, project, "a"), candidate(HERE, 1000, slot=SLOT))
    says(conn, session(conn, other, "b"), everywhere(EVERYWHERE, 2000))
    found, _ = edges.list_edges(conn, EdgeFilter(rel="supersedes", project_id=project.id), 9)
    assert len(found) == 1
    assert edges.list_edges(conn, EdgeFilter(rel="supersedes", project_id=other.id), 9) == ((), 0)
    assert HERE not in texts(conn, other, None)


WORDS = (
    "From now on use never pnpm npm drop redis tabs keys packages no longer instead of postgres 以后 不要 缓存".split()
)


@st.composite
def said(draw: st.DrawFn) -> list[tuple[int, Candidate]]:
    """What sessions of two projects say, some of it of all projects."""
    told = []
    for place in range(draw(st.integers(1, 8))):
        text = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=6)))
        slot = draw(st.sampled_from((None, SLOT)))
        one = candidate(text, draw(st.integers(0, 30)) * 100 + place, quote=str(place), slot=slot)
        told.append((draw(st.integers(0, 1)), replace(one, everywhere=draw(st.booleans()))))
    return told


def read(told: list[tuple[int, Candidate]], order: list[int]) -> tuple[object, ...]:
    with closing(database()) as conn:
        places = [projects.resolve(conn, f"/home/ada/{name}", [], name, NOW) for name in ("harbor", "quay")]
        ids = [session(conn, places[where], f"s{number}") for number, (where, _) in enumerate(told)]
        for number in order:
            says(conn, ids[number], told[number][1])
        return known(conn), listed(conn), *(own(conn, place) for place in places)


@settings(max_examples=60, deadline=None)
@given(said(), st.randoms(use_true_random=False))
def test_the_order_of_reading_changes_nothing_across_projects(
    told: list[tuple[int, Candidate]], chance: random.Random
) -> None:
    order = list(range(len(told)))
    mixed = chance.sample(order, len(order))
    first, second = read(told, order), read(told, mixed)
    assert first[:2] == second[:2]
    assert list(map(sorted, first[2:])) == list(map(sorted, second[2:]))  # type: ignore[arg-type]
