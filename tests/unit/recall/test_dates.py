"""Days that questions mean, told from a Monday."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.recall.dates import nearness, resolve

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
DAY_MS = 86_400_000


def days(question: str) -> list[tuple[date, date]]:
    return [
        (datetime.fromtimestamp(when.since / 1000, UTC).date(), datetime.fromtimestamp(when.until / 1000, UTC).date())
        for when in resolve(question, NOW)
    ]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("why did we drop Redis two weeks ago?", date(2026, 11, 16), date(2026, 11, 16)),
        ("两周前为什么不用 Redis？", date(2026, 11, 16), date(2026, 11, 16)),
        ("the crash 10 days ago", date(2026, 11, 20), date(2026, 11, 20)),
        ("十天前的错误", date(2026, 11, 20), date(2026, 11, 20)),
        ("十二天前", date(2026, 11, 18), date(2026, 11, 18)),
        ("What broke yesterday?", date(2026, 11, 29), date(2026, 11, 29)),
        ("昨天改了什么", date(2026, 11, 29), date(2026, 11, 29)),
        ("前天的部署", date(2026, 11, 28), date(2026, 11, 28)),
        ("the decision of last Tuesday", date(2026, 11, 24), date(2026, 11, 24)),
        ("what did I say last Monday", date(2026, 11, 23), date(2026, 11, 23)),
        ("上周三说的配置", date(2026, 11, 25), date(2026, 11, 25)),
        ("last week's refactoring", date(2026, 11, 23), date(2026, 11, 29)),
        ("上周的会议", date(2026, 11, 23), date(2026, 11, 29)),
        ("last weekend", date(2026, 11, 28), date(2026, 11, 29)),
        ("last month", date(2026, 10, 1), date(2026, 10, 31)),
        ("上个月", date(2026, 10, 1), date(2026, 10, 31)),
        ("the release in March", date(2026, 3, 1), date(2026, 3, 31)),
        ("in December", date(2025, 12, 1), date(2025, 12, 31)),
        ("since 2026-03-05", date(2026, 3, 5), date(2026, 3, 5)),
        ("2026年3月5日的决定", date(2026, 3, 5), date(2026, 3, 5)),
        ("March 5th", date(2026, 3, 5), date(2026, 3, 5)),
        ("on 5 December", date(2025, 12, 5), date(2025, 12, 5)),
    ],
)
def test_a_question_means_days(question: str, first: date, last: date) -> None:
    assert days(question) == [(first, last)]


@pytest.mark.parametrize(
    "question",
    [
        "how do I run the tests?",
        "in 3 days",
        "version 2.11.30",
        "on Saturday mornings",
        "February 30",
        "怎么运行测试",
        "",
    ],
)
def test_most_questions_mean_no_day(question: str) -> None:
    assert resolve(question, NOW) == ()


def test_days_are_those_of_the_asker() -> None:
    tokyo = timezone(timedelta(hours=9))

    (when,) = resolve("yesterday", datetime(2026, 11, 30, 0, 30, tzinfo=tokyo))

    assert datetime.fromtimestamp(when.since / 1000, tokyo) == datetime(2026, 11, 29, tzinfo=tokyo)


def test_nearness_falls_off_around_the_day_and_is_nothing_without_a_time() -> None:
    times = resolve("two weeks ago", NOW)
    at = [times[0].since + n * DAY_MS for n in (0, 2, 5, 30)]

    near = [nearness(one, times) for one in at]

    assert near[0] == 1.0
    assert near == sorted(near, reverse=True)
    assert near[-1] < 0.001
    assert nearness(None, times) == nearness(at[0], ()) == 0.0


@given(st.text(max_size=200), st.integers(0, 40_000))
def test_no_question_is_an_error(question: str, days_on: int) -> None:
    for when in resolve(question, datetime(1990, 1, 1, tzinfo=UTC) + timedelta(days=days_on)):
        assert when.since <= when.until


@given(st.integers(0, 999), st.sampled_from(["days", "weeks", "months", "years"]))
def test_no_number_of_units_is_an_error(number: int, unit: str) -> None:
    assert len(resolve(f"{number} {unit} ago", NOW)) <= 1


@pytest.mark.parametrize("said", ["上周三", "yesterday ", "2 weeks ago "])
def test_of_a_text_full_of_times_some_stand_for_all(said: str) -> None:
    assert days(said * 2_000) == days(said) * 20
