from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.inject.choosing import Choice, Wanted, choose
from memd.model import Evidence, Project
from memd.store import facts, projects, sessions
from memd.store.connection import connect_writer
from memd.store.facts import NewFact
from memd.store.injections import Given
from memd.store.migrate import migrate
from tests.unit.store import rows

NOW = 1_795_946_400_000
BODIES = (
    "Run the tests with `make unit`, never with plain pytest",
    "The idempotency key of a payout is stored in ledger.payout_keys",
    "前端统一使用 pnpm 安装依赖，不要用 npm",
    "The staging cluster runs out of memory when fixtures are loaded in parallel",
)


@pytest.fixture(scope="module")
def harbor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[sqlite3.Connection, Project]]:
    folder: Path = tmp_path_factory.mktemp("choosing")
    migrate(folder / "memd.db", folder / "backups", NOW)
    with closing(connect_writer(folder / "memd.db")) as conn:
        project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
        for body in BODIES:
            facts.add(conn, NewFact("convention", body, body, "user", NOW, project.id), NOW)
        yield conn, project


def _choose(harbor: tuple[sqlite3.Connection, Project], prompt: str, *, most: int = 4, hurried: bool = False) -> Choice:
    conn, project = harbor
    nothing = Given(frozenset(), frozenset())
    return choose(conn, Wanted(prompt, "codex", "s", project, nothing, most), hurried=lambda: hurried)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from(
            ['"', "*", "AND", "NEAR(", "a.py", "`x_y`", "`____`", "测试", "pay", "out", "(", ")", "-", "\0"]
        )
    ).map(" ".join)
)
def test_any_prompt_is_answered(harbor: tuple[sqlite3.Connection, Project], prompt: str) -> None:
    assert len(_choose(harbor, prompt).facts) <= 4


@pytest.mark.parametrize("prompt", ["`____`", "what is `____` for?", "`.`", "____", '`__`.`__` ""'])
def test_names_that_are_all_marks_are_looked_for_nowhere(
    harbor: tuple[sqlite3.Connection, Project], prompt: str
) -> None:
    assert len(_choose(harbor, prompt).facts) <= 4


@pytest.mark.parametrize(
    ("prompt", "place"),
    [
        ("run the test suite", 0), ("where are payout_keys kept?", 1), ("帮我安装前端的依赖", 2),
        ("loading the fixtures in parallel kills staging", 3),
    ],
)  # fmt: skip
def test_the_fact_that_is_wanted_comes_first_also_when_there_is_no_time_for_more(
    harbor: tuple[sqlite3.Connection, Project], prompt: str, place: int
) -> None:
    for hurried in (False, True):
        (first, *_) = _choose(harbor, prompt, hurried=hurried).facts
        assert first[0].body == BODIES[place]


def test_a_prompt_of_many_words_is_about_what_it_names(harbor: tuple[sqlite3.Connection, Project]) -> None:
    many = " ".join(f"{one}{other}ongish" for one in "bcdfghklmn" for other in "aeiou")
    (first, *_) = _choose(harbor, f"{many} where is the idempotency key of a payout, in payout_keys?").facts
    assert first[0].body == BODIES[1]


def test_no_place_is_left_where_none_is_allowed(harbor: tuple[sqlite3.Connection, Project]) -> None:
    assert _choose(harbor, "run the test suite", most=0).facts == ()


def test_a_file_that_is_all_a_prompt_says_brings_nothing_of_the_files_beside_it(
    harbor: tuple[sqlite3.Connection, Project],
) -> None:
    conn, project = harbor
    for name in ("mast", "keel"):
        body = f"The cause is in `boats/hull/{name}.py`: the loop stops one plank early"
        facts.add(conn, NewFact("bugfix", body, body, "user", NOW, project.id), NOW)

    assert ["keel.py" in fact.body for fact, _ in _choose(harbor, "boats/hull/keel.py").facts] == [True]
    assert len(_choose(harbor, "the loop in boats/hull/keel.py and mast.py stops one plank early").facts) == 2


@pytest.fixture
def quay() -> Iterator[tuple[sqlite3.Connection, Project, int]]:
    """A project in which somebody asked for charts, and settled it with the next thing he said."""
    with closing(rows.database()) as conn:
        project = projects.resolve(conn, "/home/ada/quay", [], "quay", NOW)
        asked = rows.prompt("s", "a", 1, "Which nautical charts? Seamark wants money from 50k loads on")
        reply = rows.part("s", "b", 2, "There are free ones, rendered by ourselves.")
        settled = rows.prompt("s", "c", 3, "OpenSeaMap on our own bucket then")
        rows.store(conn, "s", [asked, reply, settled])
        session = sessions.by_native(conn, rows.HOST, "s")
        assert session is not None
        sessions.set_project(conn, session.id, project.id)
        (row,) = conn.execute("SELECT id FROM messages WHERE key = 'c'").fetchone()
        said = settled.text
        proof = Evidence(row, session.id, said, NOW)
        fact = facts.add(conn, NewFact("decision", said, said, "distill", NOW, project.id, evidence=(proof,)), NOW)
        yield conn, project, fact.id


PROMPT = "the nautical charts of Seamark do not load"


def test_where_a_question_fits_what_was_settled_there_is_said_instead(
    quay: tuple[sqlite3.Connection, Project, int],
) -> None:
    conn, project, fact = quay

    found = choose(conn, Wanted(PROMPT, "codex", "t", project, Given(frozenset(), frozenset()), 4))

    assert [one.id for one, _ in found.facts] == [fact]
    assert found.passages == ()


def test_how_something_came_up_is_not_said_to_who_knows_what_was_settled(
    quay: tuple[sqlite3.Connection, Project, int],
) -> None:
    conn, project, fact = quay

    found = choose(conn, Wanted(PROMPT, "codex", "t", project, Given(frozenset({fact}), frozenset()), 4))

    assert (found.facts, found.passages) == ((), ())


def test_what_can_be_counted_in_a_file_needs_no_history_of_it(harbor: tuple[sqlite3.Connection, Project]) -> None:
    assert _choose(harbor, "how many lines does pay.py have?").histories == ()
