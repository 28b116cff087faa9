"""The clock: the one place that asks what time it is.

Stored times are UTC epoch milliseconds. Code takes a `Clock`, so that a test hands in its own.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
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


def iso(at_ms: int) -> str:
    """Return UTC epoch milliseconds as ISO-8601 with milliseconds and a Z."""
    # Hosts write what they like: a time that no calendar holds becomes the nearest that one does.
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=min(max(at_ms, _FIRST_MS), _LAST_MS))
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
