"""Drafts cut to candidates: how a fact is titled."""

from __future__ import annotations

import pytest

from memd.distill.draft import Draft, candidate
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

TITLES = {
    "ok, no unwrap outside tests": "no unwrap outside tests",
    "no new deps, redis is already there": "no new deps, redis is already there",
    "no, use tabs in the Makefile": "use tabs in the Makefile",
    "no. always use tabs": "always use tabs",
    "right-aligned columns in every table": "right-aligned columns in every table",
    "so please always run the linter": "always run the linter",
    "well-known ports are never hard coded": "well-known ports are never hard coded",
    "好的，以后都用 pnpm": "以后都用 pnpm",
}


@pytest.mark.parametrize(("said", "title"), TITLES.items())
def test_a_title_drops_the_words_that_only_open_a_sentence(said: str, title: str) -> None:
    transcript = Talk().user(said).transcript()
    statement = Thread(transcript).statements[-1]

    assert candidate(Draft("convention", statement, 0.6), transcript.session).title == title


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("btw please stop adding docstrings", "please stop adding docstrings"),
        ("also: never touch the lamps", "never touch the lamps"),
        ("so from now on run the linter", "from now on run the linter"),
        ("and always use tabs", "always use tabs"),
        ("also the lamps are red", "the lamps are red"),
        ("so that the lamps stay red, paint them", "so that the lamps stay red, paint them"),
        ("no, use tabs in the Makefile", "no, use tabs in the Makefile"),
    ],
)
def test_a_body_drops_only_chatter_of_which_nothing_is_lost(said: str, body: str) -> None:
    transcript = Talk().user(said).transcript()
    statement = Thread(transcript).statements[-1]

    assert candidate(Draft("convention", statement, 0.6), transcript.session).body == body


@pytest.mark.parametrize(
    ("said", "anchor", "title"),
    [
        ("no, not blue. use the colour of the harbour", 0, "not blue. use the colour of the harbour"),
        (
            "not there. " + "The lamps are " + "bright and " * 6 + "red",
            0,
            "The lamps are bright and bright and bright and",
        ),
        ("The chart of the pier is huge. It must be signed by the office.", 1, "The chart of the pier is huge."),
        ("ok, the mirror is on the pier. use it to compare the tides.", 1, "the mirror is on the pier."),
        ("use pnpm, not npm. npm breaks the lockfile", 0, "use pnpm, not npm."),
        ("It must be signed by the office.", 0, "It must be signed by the office."),
        ("不是蓝色。用港口的颜色", 0, "不是蓝色。 用港口的颜色"),
    ],
)
def test_a_title_that_is_torn_from_its_sense_takes_what_gives_it_one(said: str, anchor: int, title: str) -> None:
    transcript = Talk().user(said).transcript()
    statements = Thread(transcript).statements
    draft = Draft(
        "decision", statements[anchor], 0.6, tuple(one for one in statements if one is not statements[anchor])
    )

    assert candidate(draft, transcript.session).title.removesuffix("…").startswith(title)
