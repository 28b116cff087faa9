from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memd.doors.cli.wording import ago, counted, doubtful, home_short, local, project_name, short, size, span
from memd.operations.answers import DoubtAnswer

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3600, "1 h"), (11_520, "3 h 12 min"), (90_000, "1 d 1 h")],
    ids=str,
)
def test_a_span_is_told_by_its_two_largest_units(seconds: int, said: str) -> None:
    assert span(seconds) == said


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-11-30T12:00:00.000Z", "just now"),
        ("2026-11-30T11:57:30.000Z", "2 min ago"),
        ("2026-11-28T11:00:00.000Z", "2 d ago"),
        ("2026-11-30T12:05:00.000Z", "just now"),
        (None, "never"),
    ],
    ids=str,
)
def test_how_long_ago_something_was(at: str | None, said: str) -> None:
    assert ago(at, NOON) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (41_000_000, "41 MB"), (3_400_000_000, "3.4 GB")],
    ids=str,
)
def test_sizes(count: int, said: str) -> None:
    assert size(count) == said


def test_one_and_many() -> None:
    assert counted(1, "session") == "1 session"
    assert counted(1204, "session") == "1,204 sessions"
    assert counted(2, "entry", "entries") == "2 entries"


def test_the_home_folder_is_a_tilde() -> None:
    env = {"HOME": "/home/ada"}

    assert home_short("/home/ada/shop", env) == "~/shop"
    assert home_short("/home/adam/shop", env) == "/home/adam/shop"
    assert home_short("/srv/shop", {"HOME": "/"}) == "/srv/shop"


def test_a_project_is_called_by_its_folder() -> None:
    assert project_name("/home/ada/shop") == "shop"
    assert project_name("/") == "/"
    assert project_name(None) == "-"


def test_an_id_is_shown_by_its_end_which_is_random() -> None:
    assert short("01987654-aaaa-7bbb-8ccc-0123456789ab") == "23456789ab"


def test_an_unknown_time_is_a_question_mark() -> None:
    assert local(None) == "?"
    assert len(local("2026-11-30T12:00:00.000Z")) == len("2026-11-30 12:00")


def test_a_doubt_says_what_became_of_what_and_who_did_it() -> None:
    at = "2026-11-30T12:00:00.000Z"
    doubt = DoubtAnswer("read_tide", "removed", "taken out of tides.py", at, "01987654-aaaa-7bbb-8ccc-0123456789ab")
    assert doubtful(doubt) == f"read_tide was removed {local(at)} in session 23456789ab (taken out of tides.py)"
