"""A day begins when it did there: what is meant does not shift by the hour that clocks were changed by since."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest

from memd.clock import HERE, in_zone, parse_iso_ms, parse_local_ms, zone_named
from memd.recall import question

# Zone, the day of the question, the day that it means, and when that day began and ended there.
CHANGES = {
    "an hour back in autumn": (
        "America/Los_Angeles", "2026-11-03T20:00:00Z", "3 days ago",
        "2026-10-31T07:00:00Z", "2026-11-01T07:00:00Z",
    ),
    "the day of the change is longer": (
        "America/Los_Angeles", "2026-11-03T20:00:00Z", "2 days ago",
        "2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z",
    ),
    "an hour forward in spring": (
        "America/Los_Angeles", "2026-03-10T20:00:00Z", "3 days ago",
        "2026-03-07T08:00:00Z", "2026-03-08T08:00:00Z",
    ),
    "half an hour": (
        "Australia/Lord_Howe", "2026-04-07T02:00:00Z", "4 days ago",
        "2026-04-02T13:00:00Z", "2026-04-03T13:00:00Z",
    ),
    "never": (
        "Asia/Kathmandu", "2026-11-03T00:00:00Z", "yesterday",
        "2026-11-01T18:15:00Z", "2026-11-02T18:15:00Z",
    ),
}  # fmt: skip


WHOSE = ["of this machine", "of the person"]


@contextmanager
def where(zone: str, whose: str) -> Iterator[tzinfo | None]:
    """Be where a zone is that of this machine, or of a person who asks one in UTC; give the person's."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TZ", zone if whose == "of this machine" else "UTC")
        time.tzset()
        yield None if whose == "of this machine" else zone_named(zone)
    time.tzset()


@pytest.mark.parametrize("whose", WHOSE)
@pytest.mark.parametrize(("zone", "asked", "said", "begins", "ends"), CHANGES.values(), ids=CHANGES)
def test_a_day_is_what_it_was_there(whose: str, zone: str, asked: str, said: str, begins: str, ends: str) -> None:
    with where(zone, whose) as of_the_person:
        (meant,) = question.read(f"what broke {said}?", parse_iso_ms(asked) or 0, of_the_person).times

    assert (meant.since, meant.until + 1) == (parse_iso_ms(begins), parse_iso_ms(ends))


@pytest.mark.parametrize("whose", WHOSE)
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2026-10-31", "2026-10-31T07:00:00Z"),
        ("2026-11-02", "2026-11-02T08:00:00Z"),
        ("2026-11-01T01:30:00", "2026-11-01T08:30:00Z"),  # there are two of these; the first is meant
        ("2026-03-08T02:30:00", "2026-03-08T10:30:00Z"),  # there is none; it was 03:30
    ],
)
def test_a_time_that_is_given_is_one_of_its_day(whose: str, given: str, meant: str) -> None:
    with where("America/Los_Angeles", whose) as of_the_person, in_zone(of_the_person):
        assert parse_local_ms(given) == parse_iso_ms(meant)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
def test_each_moment_of_a_year_comes_back_from_the_time_that_a_clock_shows(zone: str) -> None:
    with where(zone, "of this machine"):
        for at in range(1_767_225_600, 1_798_761_600, 1_800):
            here = datetime.fromtimestamp(at, HERE)
            assert (here.timestamp(), here.isoformat()) == (at, datetime.fromtimestamp(at, ZoneInfo(zone)).isoformat())
