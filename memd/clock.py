"""The clock: the one place that asks what time it is.

Stored times are UTC epoch milliseconds. Code takes a `Clock`, so that a test hands in its own.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


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
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
