"""The clock: the one place that asks what time it is.

Stored times are UTC epoch milliseconds. Code takes a `Clock`, so that a test hands in its own. A day that a person
names is a day where they are: in the zone that their request brought along (`in_zone`), else in that of this machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, Protocol


class Clock(Protocol):
    """Where the present time comes from."""

    def now_ms(self) -> int:
        """Return the wall-clock time as UTC epoch milliseconds; it may jump in either direction."""
        ...

    def monotonic_s(self) -> float:
        """Return seconds that never run backwards; for deadlines and idle times within one process."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now_ms(self) -> int:
        """Return the wall-clock time as UTC epoch milliseconds."""
        return time.time_ns() // 1_000_000

    def monotonic_s(self) -> float:
        """Return seconds of the monotonic clock."""
        return time.monotonic()


_FIRST_MS: Final = -62_135_596_800_000  # 0001-01-01
_LAST_MS: Final = 253_402_300_799_999  # 9999-12-31


def parse_iso_ms(text: str) -> int | None:
    """Return an ISO-8601 time as UTC epoch milliseconds, or None when it is none.

    A time without an offset is taken as UTC, which is what hosts that leave it out mean. A time before 1970 is none:
    no host is that old.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    at_ms = int(at.timestamp() * 1000)
    return at_ms if at_ms >= 0 else None


class _Here(tzinfo):
    """This machine's zone with all its changes of the clock; `datetime.astimezone()` gives but one of its offsets."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:  # type: ignore[explicit-override]
        return None if at is None else at.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, at: datetime | None) -> None:  # type: ignore[explicit-override]
        return None

    def tzname(self, at: datetime | None) -> str | None:  # type: ignore[explicit-override]
        return None if at is None else at.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, at: datetime) -> datetime:  # type: ignore[explicit-override]
        there = at.replace(tzinfo=UTC).astimezone()
        shown = there.replace(tzinfo=None)
        again = shown.astimezone().utcoffset() != there.utcoffset()  # the second of two hours that a clock shows alike
        return shown.replace(tzinfo=self, fold=int(again))


HERE: Final[tzinfo] = _Here()
"""The zone of this machine, in which each time has the offset that it had or will have then."""

_ZONE: Final[ContextVar[tzinfo | None]] = ContextVar("zone", default=None)
_NAME_CHARS: Final = 64


def zone_named(name: str) -> tzinfo | None:
    """Return the time zone that the environment variable TZ means, None for one that this machine does not know.

    Reads a file.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # what is asked in passing need not load it

    known = name.removeprefix(":").rpartition("zoneinfo/")[2]
    try:
        return ZoneInfo(known) if 0 < len(known) <= _NAME_CHARS else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@contextmanager
def in_zone(zone: tzinfo | None) -> Iterator[None]:
    """Let days be days of a zone, None: of this machine's, for what is done in here."""
    token = _ZONE.set(zone)
    try:
        yield
    finally:
        _ZONE.reset(token)


def zone_asked_from() -> tzinfo | None:
    """Return the zone of who asks, None for this machine's."""
    return _ZONE.get()


def local_now() -> datetime:
    """Return the present time where the person is who asks."""
    return datetime.now(_ZONE.get() or HERE)


def parse_local_ms(text: str) -> int | None:
    """Return a day (its beginning) or time that a person gave as UTC epoch milliseconds, or None when it is none.

    Without an offset it is meant where the person is.
    """
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is None:
            at = at.replace(tzinfo=_ZONE.get() or HERE)
        at_ms = int(at.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None
    return at_ms if at_ms >= 0 else None


def iso(at_ms: int) -> str:
    """Return UTC epoch milliseconds as ISO-8601 with milliseconds and a Z."""
    # Hosts write what they like: a time that no calendar holds becomes the nearest that one does.
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=min(max(at_ms, _FIRST_MS), _LAST_MS))
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def local_day(at_ms: int) -> str:
    """Return the day of a time, UTC epoch milliseconds, where the person is who asks: 2026-03-01."""
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=min(max(at_ms, _FIRST_MS), _LAST_MS))
    try:
        return at.astimezone(_ZONE.get() or HERE).date().isoformat()
    except (OverflowError, OSError, ValueError):  # the first and the last day of all calendars
        return at.date().isoformat()
