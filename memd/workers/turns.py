"""Turns: who may use the next free worker."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum

import anyio


class Priority(IntEnum):
    """How soon somebody waits for the result; the lower number goes first."""

    FOREGROUND = 0
    """A person or a hook waits."""
    NORMAL = 1
    """New work that should show soon: a session that ended."""
    BACKGROUND = 2
    """Work that may take hours: reading what lay there before."""


class Turns:
    """Hands out places by priority, first come first served within one.

    Where there is more than one place, background work leaves the last one free, so that whoever waits for an answer
    does not wait for a backfill.
    """

    def __init__(self, places: int) -> None:
        if places < 1:
            raise ValueError(f"there must be a place, not {places}")
        self._free = places
        self._kept = 1 if places > 1 else 0
        self._waiting: list[tuple[Priority, int, anyio.Event]] = []
        self._order = itertools.count()

    @asynccontextmanager
    async def turn(self, priority: Priority) -> AsyncIterator[None]:
        """Wait for a place and hold it for the block."""
        await self._take(priority)
        try:
            yield
        finally:
            self._free += 1
            self._hand_out()

    async def _take(self, priority: Priority) -> None:
        entry = (priority, next(self._order), anyio.Event())
        heapq.heappush(self._waiting, entry)
        self._hand_out()
        try:
            await entry[2].wait()
        except BaseException:
            if entry[2].is_set():
                self._free += 1
            else:
                self._waiting.remove(entry)
                heapq.heapify(self._waiting)
            self._hand_out()
            raise

    def _hand_out(self) -> None:
        while self._waiting:
            priority, _, granted = self._waiting[0]
            needed = 1 + (self._kept if priority is Priority.BACKGROUND else 0)
            if self._free < needed:
                return
            heapq.heappop(self._waiting)
            self._free -= 1
            granted.set()
