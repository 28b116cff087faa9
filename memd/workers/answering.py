"""Answering: whether somebody waits for an answer just now, for work that can as well be done a moment later.

An answer takes some tens of milliseconds of two processors and of the interpreter's one lock; what is read of a backlog
or worked out for later meanwhile takes the same. Whoever does such work asks here before each piece of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import anyio

_AFTER_S: Final = 0.03
"""Time without a question after which the next one is not expected any more."""
_LONGEST_S: Final = 0.3
"""What a piece of work is put off for at most, however many ask."""
_LOOK_S: Final = 0.005


class Answering:
    """Counts the questions that are being answered. For one event loop; nothing is written or locked."""

    def __init__(self) -> None:
        self._open = 0
        self._ended_s = -math.inf

    @contextmanager
    def one(self) -> Iterator[None]:
        """Answer a question in the block."""
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            self._ended_s = time.monotonic()

    async def over(self) -> None:
        """Return once nobody waits for an answer or did a moment ago, and after 0.3 s in any case."""
        until_s = time.monotonic() + _LONGEST_S
        while (now_s := time.monotonic()) < until_s and (self._open or now_s - self._ended_s < _AFTER_S):  # noqa: ASYNC110
            await anyio.sleep(_LOOK_S)  # what ends is the time since the last question, and nobody tells of that
