"""The budget: how many tokens a model may take in one day (UTC), kept as one line of text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Spent:
    """The tokens spent on one day."""

    day: str
    tokens: int

    def plus(self, tokens: int) -> Spent:
        """Return what is spent after another answer."""
        return Spent(self.day, self.tokens + tokens)

    @property
    def line(self) -> str:
        """The line that `spent` reads."""
        return f"{self.day} {self.tokens}"


def spent(line: str | None, now_ms: int) -> Spent:
    """Return what was spent today; a new day, and a line that is none, begin at nothing."""
    today = datetime.fromtimestamp(now_ms / 1000, UTC).date().isoformat()
    day, _, tokens = (line or "").partition(" ")
    return Spent(today, int(tokens) if day == today and tokens.isdecimal() else 0)
