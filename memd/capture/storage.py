"""Storage: writes of capture, which wait when the disk is full instead of losing anything."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

import anyio

from memd.errors import StoreFull, StoreReadOnly
from memd.store.writer import Writer

log = logging.getLogger(__name__)

C = TypeVar("C")
T = TypeVar("T")

_FIRST_WAIT_S: Final = 1.0
_LONGEST_WAIT_S: Final = 60.0


class Storage:
    """The writer, as capture uses it. `blocked` says why nothing can be stored at the moment."""

    def __init__(self, writer: Writer, first_wait_s: float = _FIRST_WAIT_S) -> None:
        self._writer = writer
        self._first_wait_s = first_wait_s
        self.blocked: str | None = None

    async def run(self, function: Callable[..., T], *, background: bool) -> tuple[T, float]:
        """Run `function(conn)` as one transaction; return what it returns and the seconds it took, commit included.

        While the disk is full or read-only it is tried again, ever more rarely, until it can be stored: whoever waits
        here reads nothing more meanwhile. Other errors of the store are raised.
        """
        wait_s = self._first_wait_s
        while True:
            began: list[float] = []
            try:
                result = await self._writer.run(_timed(function, began), background=background)
            except (StoreFull, StoreReadOnly) as error:
                if self.blocked is None:
                    log.warning("event=capture_blocked error=%s", error)
                self.blocked = str(error)
                await anyio.sleep(wait_s)
                wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
            else:
                self.blocked = None
                return result, time.perf_counter() - began[0]


def _timed(function: Callable[[C], T], began: list[float]) -> Callable[[C], T]:
    """Note when a function begins: before that its caller only waited for others."""

    @wraps(function)
    def run(conn: C) -> T:
        began.append(time.perf_counter())
        return function(conn)

    return run
