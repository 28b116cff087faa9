from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.inject.choosing import Choice, Wanted, choose
from memd.model import Project
from memd.store import facts, projects
from memd.store.connection import connect_writer
from memd.store.facts import NewFact
from memd.store.injections import Given
from memd.store.migrate import migrate

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
