"""Times as people give them to an operation."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import pytest

from memd.clock import parse_iso_ms
from memd.errors import BadParameter
from memd.operations.fact_params import time_given


def beginning(days_ago: int) -> int:
    """When a day began where this machine is, in milliseconds."""
    day = datetime.now().astimezone().date() - timedelta(days=days_ago)
    return int(datetime.combine(day, time.min).astimezone().timestamp() * 1000)


@pytest.mark.parametrize(
    ("word", "days_ago"),
    [("today", 0), ("yesterday", 1), ("Yesterday ", 1), ("3 days ago", 3), ("昨天", 1), ("两天前", 2)],
)
def test_a_day_in_words_is_its_beginning(word: str, days_ago: int) -> None:
    before = beginning(days_ago)
    given = time_given(word, "search")

    # Midnight may come between.
    assert before <= (given or 0) <= beginning(days_ago)


def test_a_date_is_what_it_says_and_none_is_none() -> None:
    assert time_given("2026-11-30", "search") == parse_iso_ms("2026-11-30")
    assert time_given(None, "search") is None


@pytest.mark.parametrize("word", ["soon", "", "since yesterday", "yesterday or today", "2026-13-40"])
def test_what_is_no_date_is_refused_with_what_would_be(word: str) -> None:
    with pytest.raises(BadParameter, match=r"is no date \(write 2026-11-30"):
        time_given(word, "search")
