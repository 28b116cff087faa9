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
