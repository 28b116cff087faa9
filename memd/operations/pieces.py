"""Pieces: what is done to many things is done to a few at a time, so that no write keeps others waiting for long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")
AT_ONCE: Final = 20
"""Facts, or other things that are judged, of one transaction."""


def pieces(things: Sequence[T], size: int = AT_ONCE) -> Iterator[Sequence[T]]:
    """Give things in their order, at most so many at a time."""
    for start in range(0, len(things), size):
        yield things[start : start + size]
