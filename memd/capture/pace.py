"""Pace: how much to read at once, so that storing it takes no longer than anybody may be kept waiting.

A batch and its cursor are one transaction, and only one transaction is written at a time. What a megabyte of transcript
costs depends on how much of it is talk and how much is noise, so it is measured: the size of the next batch follows
from what the last ones took, and one that turns out to be heavier than expected is read again in smaller pieces.
"""

from __future__ import annotations

from typing import Final

from memd.store.ingest import Prepared

TARGET_S: Final = 0.02
LONGEST_S: Final = 0.04
FIRST_BYTES: Final = 256 << 10
LEAST_BYTES: Final = 16 << 10
MOST_BYTES: Final = 2 << 20
# A few slow commits (a checkpoint, a merge in the index) must not throttle everything that follows.
_SHARE: Final = 0.25
# What an event costs besides its text, in characters of text that cost as much.
_EVENT_WEIGHT: Final = 400
_FIRST_WEIGHT_PER_S: Final = 6e6
# Batches that weigh less tell more of the commit than of what was in them.
_LEAST_WEIGHT: Final = 20_000


def weight(prepared: Prepared) -> int:
    """Return what a batch is to the store: the text that goes into its index, and its events."""
    return sum(map(len, prepared.bodies)) + _EVENT_WEIGHT * len(prepared.bodies)


class Pace:
    """Learns from the batches that were stored how large the next may be."""

    def __init__(self) -> None:
        self._weight_per_s = _FIRST_WEIGHT_PER_S
        self._weight_per_byte = _FIRST_WEIGHT_PER_S * TARGET_S / FIRST_BYTES

    def batch_bytes(self, failures: int = 0) -> int:
        """Return the bytes of source that should take about `TARGET_S` to store; less after failures."""
        wanted = self._weight_per_s * TARGET_S / self._weight_per_byte
        return max(round(min(wanted, MOST_BYTES)) >> failures, LEAST_BYTES)

    def smaller(self, batch_bytes: int, heavy: int) -> int | None:
        """Return the bytes to read instead of a batch that weighs too much; None when it may stay as it is."""
        if heavy <= self._weight_per_s * LONGEST_S or batch_bytes <= LEAST_BYTES:
            return None
        return max(int(batch_bytes * self._weight_per_s * TARGET_S / heavy), LEAST_BYTES)

    def note(self, source_bytes: int, stored: int, seconds: float) -> None:
        """Learn from one batch that was stored: its bytes in the source, its weight and the seconds it took."""
        if stored < _LEAST_WEIGHT or source_bytes <= 0 or seconds <= 0:
            return
        self._weight_per_s += _SHARE * (stored / seconds - self._weight_per_s)
        self._weight_per_byte += _SHARE * (stored / source_bytes - self._weight_per_byte)
