"""Dates: the days a question means ("two weeks ago", "last Tuesday", 上周三), told from when it was asked.

A question seldom means a day exactly: "two weeks ago" is thirteen or sixteen days. So a mention becomes a span of days
and a tolerance, and `nearness` falls off outside the span like a bell of that width.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

_DAY_MS: Final = 86_400_000
_POINT: Final = 1.0
_RANGE: Final = 0.35
"""Weight of a mention that is a stretch of time: many things happened in it."""


_MOST: Final = 20
"""Times of a question at most; each is looked for and weighed by itself."""


@dataclass(frozen=True, slots=True)
class When:
    """A time that a question means: from `since` to `until` (UTC milliseconds), give or take `tolerance_days`."""

    since: int
    until: int
    tolerance_days: float
    weight: float
    said: str


@dataclass(frozen=True, slots=True)
class _Days:
    """The first and last day of a mention."""

    first: date
    last: date
    tolerance: float
    weight: float


_Resolve = Callable[[re.Match[str], date], _Days | None]


def resolve(question: str, now: datetime) -> tuple[When, ...]:
    """Return the times that a question means, in the order it names them; none for most questions.

    `now` is when it was asked, aware: days are days of its time zone. What lies after `now` is not meant. Of a text
    that names very many times, some stand for all.
    """
    found: list[When] = []
    taken: list[tuple[int, int]] = []
    for pattern, meaning in _FORMS:
        for match in pattern.finditer(question):
            if len(found) == _MOST:
                break
            if any(match.start() < end and match.end() > start for start, end in taken):
                continue
            days = meaning(match, now.date())
            if days is not None and days.first <= now.date():
                taken.append(match.span())
                found.append(_when(days, match.group(), now.tzinfo))
    return tuple(when for _, when in sorted(zip(taken, found, strict=True), key=lambda pair: pair[0]))


def nearness(at: int | None, times: Iterable[When]) -> float:
    """Return from 0 to 1 how near a time (UTC milliseconds) is to the nearest of those meant."""
    if at is None:
        return 0.0
    return max((when.weight * _bell(_outside(at, when), when.tolerance_days) for when in times), default=0.0)


def _outside(at: int, when: When) -> float:
    """Return how many days a time lies outside of a span."""
    return max(when.since - at, at - when.until, 0) / _DAY_MS


def _bell(days: float, tolerance: float) -> float:
    return math.exp(-0.5 * (days / tolerance) ** 2)


def _when(days: _Days, said: str, zone: tzinfo | None) -> When:
    since = datetime.combine(days.first, time.min, zone)
    until = datetime.combine(days.last + timedelta(days=1), time.min, zone)
    return When(
        int(since.timestamp() * 1000), int(until.timestamp() * 1000) - 1, days.tolerance, days.weight, said.strip()
    )


_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "couple of": 2, "a couple": 2, "a few": 3, "few": 3,
    "several": 4, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
    "几": 3, "半": 0.5,
}  # fmt: skip
_VAGUE: Final = frozenset({"a few", "few", "several", "几"})
_NUMBER: Final = (
    r"(?P<n>\d{1,3}|an?(?: couple(?: of)?| few)?|couple of|few|several|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)"
)
_UNIT_DAYS: Final = {"day": 1, "week": 7, "month": 30.4, "year": 365.25, "天": 1, "日": 1, "周": 7, "星期": 7,
                     "礼拜": 7, "月": 30.4, "年": 365.25}  # fmt: skip
_UNIT_TOLERANCE: Final = {1: 1.0, 7: 1.5, 30.4: 6.0, 365.25: 40.0}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CHINESE_WEEKDAYS: Final = "一二三四五六日"
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY: Final = r"(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day"


def _ago(match: re.Match[str], today: date) -> _Days | None:
    said, unit = match["n"].lower(), _UNIT_DAYS[match["unit"].lower().removeprefix("个")]
    number = float(said) if said.isascii() and said.isdigit() else _chinese_number(said)
    if number is None or number * unit > 40_000:
        return None
    day = today - timedelta(days=round(number * unit))
    tolerance = _UNIT_TOLERANCE[unit] * (1.0 + 0.15 * number) * (3.0 if said in _VAGUE else 1.0)
    return _Days(day, day, tolerance, _POINT)


def _chinese_number(said: str) -> float | None:
    if said in _NUMBERS:
        return _NUMBERS[said]
    tens, ten, ones = said.partition("十")
    if not ten or (tens and tens not in _NUMBERS) or (ones and ones not in _NUMBERS):
        return None
    return _NUMBERS.get(tens, 1) * 10 + _NUMBERS.get(ones, 0)


def _days_back(back: int) -> _Resolve:
    def meaning(_: re.Match[str], today: date) -> _Days:
        day = today - timedelta(days=back)
        return _Days(day, day, 0.7, _POINT if back else _RANGE)

    return meaning


def _weekday(match: re.Match[str], today: date) -> _Days:
    """The last such day before today; after "last" it may be that of the week before as well."""
    number = next(n for n, name in enumerate(_WEEKDAYS) if name.startswith(match["weekday"].lower()))
    day = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    return _Days(day, day, 1.0, _POINT)


def _chinese_weekday(match: re.Match[str], today: date) -> _Days:
    number = 6 if match["weekday"] == "天" else _CHINESE_WEEKDAYS.index(match["weekday"])
    monday = today - timedelta(days=today.weekday())
    day = monday + timedelta(days=number - 7 * match["weeks"].count("上"))
    return _Days(day, day, 1.0, _POINT)


def _week_before(back: int) -> _Resolve:
    def meaning(_: re.Match[str], today: date) -> _Days:
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return _Days(monday, min(monday + timedelta(days=6), today), 1.5, _POINT if back else _RANGE)

    return meaning


def _weekend_before(_: re.Match[str], today: date) -> _Days:
    sunday = today - timedelta(days=today.weekday() + 1)
    return _Days(sunday - timedelta(days=1), sunday, 1.0, _POINT)


def _month_before(back: int) -> _Resolve:
    def meaning(_: re.Match[str], today: date) -> _Days:
        months = today.year * 12 + today.month - 1 - back
        return _whole_month(months // 12, months % 12 + 1)

    return meaning


def _year_before(_: re.Match[str], today: date) -> _Days:
    return _Days(date(today.year - 1, 1, 1), date(today.year - 1, 12, 31), 15.0, _RANGE)


def _month_named(match: re.Match[str], today: date) -> _Days | None:
    month = _month_number(match["month"])
    year = int(match["year"]) if match["year"] else today.year - (month > today.month)
    return _whole_month(year, month) if 1970 <= year <= 2200 else None


def _day_of_month(match: re.Match[str], today: date) -> _Days | None:
    """A day by its month's name or number; without a year the last such day."""
    said = match.groupdict()
    month = _month_number(said["month"])
    year = int(said["year"]) if said.get("year") else None
    try:
        day = date(year or today.year, month, int(said["day"]))
        if year is None and day > today:
            day = day.replace(year=today.year - 1)
    except ValueError:
        return None
    return _Days(day, day, 0.7, _POINT)


def _whole_month(year: int, month: int) -> _Days:
    after = date(year + month // 12, month % 12 + 1, 1)
    return _Days(date(year, month, 1), after - timedelta(days=1), 2.0, _RANGE)


def _month_number(said: str) -> int:
    if said.isdigit():
        return int(said)
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(said.lower()[:3]))


def _forms() -> Iterator[tuple[re.Pattern[str], _Resolve]]:
    """The ways of saying when, the more exact ones first: what they have taken is not read again."""

    def english(pattern: str, meaning: _Resolve) -> tuple[re.Pattern[str], _Resolve]:
        return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), meaning

    def chinese(pattern: str, meaning: _Resolve) -> tuple[re.Pattern[str], _Resolve]:
        return re.compile(pattern), meaning

    yield english(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})", _day_of_month)
    yield chinese(r"(?:(?P<year>\d{4})\s*年\s*)?(?P<month>\d{1,2})\s*月\s*(?P<day>\d{1,2})\s*[日号]", _day_of_month)
    yield english(rf"{_MONTH}\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?", _day_of_month)
    yield english(
        rf"(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? (?P<year>\d{{4}}))?", _day_of_month
    )
    yield english(rf"{_NUMBER} (?P<unit>day|week|month|year)s? (?:ago|back|earlier)", _ago)
    yield chinese(
        r"(?P<n>\d{1,3}|[一两二三四五六七八九十几半]{1,3})\s*(?P<unit>天|日|个?星期|个?礼拜|周|个?月|年)(?:之|以)?前",
        _ago,
    )
    yield english("the day before yesterday", _days_back(2))
    yield english("yesterday|last night", _days_back(1))
    yield english("today|this morning", _days_back(0))
    yield chinese("大前天", _days_back(3))
    yield chinese("前天", _days_back(2))
    yield chinese("昨[天日晚]", _days_back(1))
    yield chinese("今[天日早晚]", _days_back(0))
    # "On Saturday mornings" is a habit.
    habit = "(?! (?:morning|afternoon|evening|night)s)"
    yield english(rf"(?:last|this past|on|past|previous) {_WEEKDAY}{habit}", _weekday)
    yield chinese(r"(?P<weeks>上{1,2}|这|本)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _chinese_weekday)
    yield english("(?:last|this past) weekend", _weekend_before)
    yield english("(?:last|the previous) week", _week_before(1))
    yield english("this week", _week_before(0))
    yield chinese("上上个?(?:周|星期|礼拜)", _week_before(2))
    yield chinese("上个?(?:周|星期|礼拜)", _week_before(1))
    yield chinese("[这本]个?(?:周|星期|礼拜)", _week_before(0))
    yield english("(?:last|the previous) month", _month_before(1))
    yield english("this month", _month_before(0))
    yield chinese("上个?月", _month_before(1))
    yield chinese("[这本]个?月", _month_before(0))
    yield english("last year", _year_before)
    yield chinese("去年", _year_before)
    yield english(rf"(?:in|during|since|of) {_MONTH}(?:,? (?P<year>\d{{4}}))?", _month_named)
    yield chinese(r"(?:(?P<year>\d{4})\s*年\s*)?(?P<month>1[0-2]|[1-9])\s*月(?:份|里|的时候)", _month_named)


_FORMS: Final = tuple(_forms())
