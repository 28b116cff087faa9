"""Pieces: what is done to many things is done to a few at a time, so that no write keeps others waiting for long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Final, TypeVar

from memd.store.facts import Connection
from memd.store.writer import Writer

R = TypeVar("R")
T = TypeVar("T")
AT_ONCE: Final = 20
"""Facts, or other things that are judged, of one transaction."""
TARGET_S: Final = 0.02
"""How long a transaction of things that differ much in what they cost should take."""
_FIRST: Final = 4


def pieces(things: Sequence[T], size: int = AT_ONCE) -> Iterator[Sequence[T]]:
    """Give things in their order, at most so many at a time."""
    for start in range(0, len(things), size):
        yield things[start : start + size]


async def write_in_pieces(
    writer: Writer, things: Sequence[T], write: Callable[[Connection, Sequence[T]], R], most: int = AT_ONCE
) -> list[R]:
    """Write things in their order, in transactions of as many as take about `TARGET_S`, and of `most` at most.

    What the first ones cost tells how many come next. Returns what each write did. Raises StoreError; what was written
    before stays.
    """
    done: list[R] = []
    start, size = 0, min(_FIRST, most)
    while start < len(things):
        some = things[start : start + size]
        result, seconds = await writer.run(_timed(write, some))
        done.append(result)
        start += len(some)
        size = next_size(size, seconds, most)
    return done


def next_size(size: int, seconds: float, most: int) -> int:
    """Return how many things to write next where so many took so long: at most twice as many, and one at least."""
    return max(1, min(most, int(size * min(2.0, TARGET_S / max(seconds, 1e-6)))))


def _timed(write: Callable[[Connection, Sequence[T]], R], some: Sequence[T]) -> Callable[[Connection], tuple[R, float]]:
    @wraps(write)
    def run(conn: Connection) -> tuple[R, float]:
        began = time.perf_counter()
        return write(conn, some), time.perf_counter() - began

    return run
