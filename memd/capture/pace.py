"""Pace: how much to read at once, so that storing it takes no longer than anybody may be kept waiting.

A batch and its cursor are one transaction, and only one transaction is written at a time; what a megabyte of transcript
costs depends on how much of it is talk and how much is noise, so it is measured.
"""

from __future__ import annotations

from typing import Final

TARGET_S: Final = 0.03
FIRST_BYTES: Final = 256 << 10
LEAST_BYTES: Final = 32 << 10
MOST_BYTES: Final = 4 << 20
# A few slow commits (a checkpoint, a merge in the index) must not throttle everything that follows.
_WEIGHT: Final = 0.25


class Pace:
    """Learns from the batches that were stored how large the next may be."""

    def __init__(self) -> None:
        self._bytes_per_s = FIRST_BYTES / TARGET_S

    @property
    def batch_bytes(self) -> int:
        """Bytes of source that should take about `TARGET_S` to store."""
        return round(min(max(self._bytes_per_s * TARGET_S, LEAST_BYTES), MOST_BYTES))

    def note(self, source_bytes: int, seconds: float) -> None:
        """Learn from one stored batch; small ones, which tell more of the commit than of the rows, do not count."""
        if source_bytes >= LEAST_BYTES and seconds > 0:
            self._bytes_per_s += _WEIGHT * (source_bytes / seconds - self._bytes_per_s)
