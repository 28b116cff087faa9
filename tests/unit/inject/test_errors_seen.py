"""An error that was there before is known again, and what came of it is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.adapter import Event
from memd.inject.choosing import Wanted, choose
from memd.inject.errors_seen import error_lines, seen
from memd.model import Project
from memd.store import projects, sessions
from memd.store.injections import Given
from tests.unit.store import rows

ERROR = "tides.PumpFault: (454, b'4.7.0 too many strokes, slow down')"
CAUSE = "The cause is the valve: it takes 14 strokes a minute, and we sent as many as there are workers."


@pytest.fixture
def quay() -> Iterator[tuple[sqlite3.Connection, Project, int]]:
    """A project where a command printed an error, which was found out about after another thing was tried."""
    with closing(rows.database()) as conn:
        project = projects.resolve(conn, "/home/ada/quay", [], "quay", rows.NOW)
        said: list[Event] = [
            rows.prompt("s", "a", 1, "pump the basin dry"),
            rows.part("s", "b", 2, "I start the pump.", calls=(rows.use("t", "make pump"),)),
            rows.result("s", "c", 3, "t", f"3 valves open\n{ERROR}\nmake: *** [pump] 1", ok=False),
            rows.part("s", "d", 4, CAUSE),
            rows.prompt("s", "e", 5, "thanks"),
        ]
        rows.store(conn, "s", said)
        session = sessions.by_native(conn, rows.HOST, "s")
        assert session is not None
        sessions.set_project(conn, session.id, project.id)
        yield conn, project, session.id


def told(conn: sqlite3.Connection, project: Project, prompt: str, *, again: bool = False) -> list[str]:
    wanted = Wanted(prompt, "codex", "t", project, Given(frozenset(), frozenset()), 4, again)
    return [one.text for one in choose(conn, wanted).passages]


@pytest.mark.parametrize(
    "prompt",
    [
        ERROR,
        f"again:\n```\n2 valves open\n{ERROR.replace('454', '451')}\n```\nany idea?",
        f'what is this?\n\nTraceback (most recent call last):\n  File "pump.py", line 8\n{ERROR}',
    ],
)
@pytest.mark.parametrize("again", [False, True])
def test_an_error_that_was_printed_before_brings_what_came_of_it(
    quay: tuple[sqlite3.Connection, Project, int], prompt: str, again: bool
) -> None:
    assert told(*quay[:2], prompt, again=again) == [CAUSE]


@pytest.mark.parametrize(
    "prompt",
    [
        "tides.PumpFault: the basin is full of herring",
        "the pump makes too many strokes",
        "ValueError: too many values to unpack (expected 2)",
        "add error handling to the pump",
        "make: *** [pump] 1",
    ],
)
def test_another_error_brings_nothing(quay: tuple[sqlite3.Connection, Project, int], prompt: str) -> None:
    assert told(*quay[:2], prompt) == []


def test_neither_its_own_session_nor_another_project_is_told_nor_anybody_twice(
    quay: tuple[sqlite3.Connection, Project, int],
) -> None:
    conn, project, session = quay
    other = projects.resolve(conn, "/home/ada/mole", [], "mole", rows.NOW)

    (passage,) = seen(conn, ERROR, project.id, besides=None, most=2)

    assert seen(conn, ERROR, project.id, besides=session, most=2) == ()
    assert seen(conn, ERROR, other.id, besides=None, most=2) == ()
    assert seen(conn, ERROR, project.id, besides=None, most=2, known=(passage.name,)) == ()


def test_the_same_error_counts_before_one_that_differs_in_its_numbers(
    quay: tuple[sqlite3.Connection, Project, int],
) -> None:
    conn, project, _ = quay
    other = ERROR.replace("454", "999")
    later = "The cause was the hose: it was fixed with a new one."
    rows.store(conn, "u", [rows.prompt("u", "f", 6, f"help\n{other}"), rows.part("u", "g", 7, later)])
    session = sessions.by_native(conn, rows.HOST, "u")
    assert session is not None
    sessions.set_project(conn, session.id, project.id)

    assert told(conn, project, ERROR) == [CAUSE]
    assert told(conn, project, other) == [later]
    assert told(conn, project, ERROR.replace("454", "7")) == [later, CAUSE]


def test_lines_that_say_what_went_wrong_in_words_enough_are_errors() -> None:
    assert error_lines(f"hm\n  {ERROR}  \nok") == (ERROR,)
    assert error_lines("HTTP/2 403 origin not allowed") == ("HTTP/2 403 origin not allowed",)
    assert error_lines("请看：\n错误: 数据库 连接 失败") == ("错误: 数据库 连接 失败",)
    assert error_lines("failed\nexit code 1\nall is well in the harbour") == ()
    assert len(error_lines("\n".join(f"TideError: basin {word} is dry" for word in "abcdefgh"))) <= 2


@given(st.text(max_size=400))
def test_any_text_has_few_errors_of_bounded_length(text: str) -> None:
    found = error_lines(text)
    assert len(found) <= 2
    assert all(0 < len(line) <= 200 for line in found)
