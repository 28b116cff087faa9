"""Times as people give them to an operation."""

from __future__ import annotations

import time as time_module
from datetime import datetime, time, timedelta

import pytest

from memd.clock import in_zone, local_now, parse_iso_ms, zone_named
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


@pytest.mark.parametrize(
    ("zone", "day"), [("Pacific/Auckland", "2026-11-29T11:00:00Z"), ("America/Lima", "2026-11-30T05:00:00Z")]
)
@pytest.mark.parametrize("whose", ["the person's", "this machine's"])
def test_a_day_begins_where_the_person_is_whether_its_date_is_given_or_its_word(
    zone: str, day: str, whose: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = zone_named(zone) if whose == "the person's" else None
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC" if whose == "the person's" else zone)
        time_module.tzset()
        with in_zone(asker):
            today = local_now().date()
            assert time_given("2026-11-30", "search") == parse_iso_ms(day)
            assert time_given("2026-11-30T09:30:00+01:00", "search") == parse_iso_ms("2026-11-30T08:30:00Z")
            assert time_given("2026-11-30T00:00:00", "search") == time_given("2026-11-30", "search")
            words = {time_given("today", "search"), time_given(local_now().date().isoformat(), "search")}
            assert len(words) == 1 or local_now().date() != today
    time_module.tzset()


def test_a_day_in_summer_is_one_of_summer_time() -> None:
    with in_zone(zone_named("Europe/Berlin")):
        assert time_given("2026-07-01", "search") == parse_iso_ms("2026-06-30T22:00:00Z")
        assert time_given("2026-12-01", "search") == parse_iso_ms("2026-11-30T23:00:00Z")


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "America", "x" * 5000, "<+03>-3", "\0"])
def test_a_zone_that_this_machine_does_not_know_is_none(name: str) -> None:
    assert zone_named(name) is None


@pytest.mark.parametrize("name", ["Europe/Berlin", ":Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin"])
def test_a_zone_is_named_as_the_environment_does(name: str) -> None:
    assert str(zone_named(name)) == "Europe/Berlin"


def test_no_time_is_none() -> None:
    assert time_given(None, "search") is None


@pytest.mark.parametrize("word", ["soon", "", "since yesterday", "yesterday or today", "2026-13-40"])
def test_what_is_no_date_is_refused_with_what_would_be(word: str) -> None:
    with pytest.raises(BadParameter, match=r"is no date \(write 2026-11-30"):
        time_given(word, "search")
