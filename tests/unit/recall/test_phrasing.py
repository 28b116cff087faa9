"""What a question is about is told from how it is asked, and from when it means."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.recall import question
from memd.recall.phrasing import matter
from memd.text.tokens import asked_for

NOW = int(datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp() * 1000)


def about(query: str) -> str:
    return " ".join(question.read(query, NOW, UTC).matter.split())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Can you remind me what we decided about the retries?", "what we decided about the retries?"),
        ("Do you remember why the lamp failed two weeks ago", "why the lamp failed"),
        ("I mentioned a tide table in our previous conversation", "a tide table"),
        ("Any advice on moorings?", "on moorings?"),
        ("what did we change last Tuesday in the parser", "what did we change in the parser"),
        ("你还记得我们之前讨论过的潮汐表吗", "潮汐表吗"),
        ("上周三改了什么 parser", "改了什么 parser"),
    ],
)
def test_words_of_asking_and_of_time_are_left_out(query: str, expected: str) -> None:
    assert about(query) == expected


def test_the_time_is_understood_all_the_same() -> None:
    read = question.read("what did we change two weeks ago in the parser", NOW, UTC)

    assert [when.said for when in read.times] == ["two weeks ago"]
    assert read.things == (('"change"',), ('"parser"',))


@pytest.mark.parametrize(
    "query",
    ["two weeks ago", "did we discuss it?", "remind me", "you remember it?", "昨天"],
)
def test_a_question_of_nothing_else_stays_as_it_is(query: str) -> None:
    assert about(query) == query


def test_a_date_may_stand_in_a_text_and_is_looked_for_too() -> None:
    assert "2026-03-01" in about("the backup of 2026-03-01")
    assert "March 5th" in about("what happened on March 5th")


def test_what_is_quoted_stays_as_it_is() -> None:
    assert about('who said "can you remind me" first') == 'who said "can you remind me" first'


@given(st.text(max_size=200))
def test_something_is_left_of_every_question_that_asks_for_something(query: str) -> None:
    left, _ = matter(query, ())

    assert bool(asked_for(left)) == bool(asked_for(query))
