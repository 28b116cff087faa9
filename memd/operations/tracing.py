"""Tracing: how each question to memd went, gathered in memory and written down together.

A trace holds no words: of what was given the numbers, the truth values and the words that the operation itself lists,
of any other text only how long it was. So there is nothing in it to redact.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any, Final, cast, get_type_hints

from memd.clock import Clock
from memd.config import TraceConfig
from memd.errors import MemdError
from memd.operations.misfits import literals
from memd.store import traces
from memd.store.traces import Door, Trace
from memd.store.writer import Writer

logger = logging.getLogger(__name__)

_MOST: Final = 5_000
"""Traces that wait in memory; of more than that the oldest are let go of."""
_AT_ONCE: Final = 1_000
_DAY_MS: Final = 86_400_000


class Traces:
    """The traces that are not written down yet, and what becomes of those that are."""

    def __init__(self, config: TraceConfig, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self._waiting: deque[Trace] = deque(maxlen=_MOST)

    def note(
        self,
        op: str,
        takes: type[Any] | None,
        door: Door,
        params: Mapping[str, object],
        *,
        ms: float,
        size: int,
        error: str | None,
    ) -> None:
        """Note how a question went; `takes` are the operation's parameters, None where there is no such operation.

        Costs some microseconds, and nothing on the disk.
        """
        if not (self._config.error_days if error else self._config.days):
            return
        told = {} if takes is None else outline(takes, params)
        known = "" if takes is None else op
        spelt = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
        self._waiting.append(Trace(self._clock.now_ms(), door, known, round(ms, 3), size, spelt, error))

    async def flush(self, writer: Writer, *, background: bool = True) -> None:
        """Write down what waits; where that fails it goes on waiting. Raises nothing but DamagedDatabase."""
        while self._waiting:
            some = [self._waiting.popleft() for _ in range(min(len(self._waiting), _AT_ONCE))]
            try:
                await writer.run(lambda conn, some=some: traces.add(conn, some), background=background)  # type: ignore[misc]
            except MemdError as error:
                self._waiting.extendleft(reversed(some))
                logger.warning("event=traces_not_written error=%s", error)
                return

    async def drop_old(self, writer: Writer) -> int:
        """Let go of traces that are older than the settings keep them; return how many were."""
        now, gone = self._clock.now_ms(), 0
        well, failed = now - self._config.days * _DAY_MS, now - self._config.error_days * _DAY_MS
        while some := await writer.run(
            lambda conn: traces.drop_old(conn, well_before=well, failed_before=failed), background=True
        ):
            gone += some
        return gone


def outline(params: type[Any], given: Mapping[str, object]) -> dict[str, object]:
    """Return what was given without its texts; names that the operation does not know are left out."""
    listed = _listed(cast("Hashable", params))
    return {name: _outlined(value, listed[name]) for name, value in given.items() if name in listed}


def _outlined(value: object, words: frozenset[object]) -> object:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return value if value in words else f"{len(value)} chars"
    return f"{len(value)} items" if isinstance(value, (list, tuple, dict)) else type(value).__name__


@cache
def _listed(params: Any) -> Mapping[str, frozenset[object]]:
    """Return the words that each parameter lists as what it may be."""
    return {name: frozenset(literals(hint)) for name, hint in get_type_hints(params).items()}
