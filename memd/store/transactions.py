"""Transactions: how long those that write keep the one connection that writes, and how much they change.

While one is written nobody else writes, so each is to be short: `memd status --json` tells what the longest was.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

LONG_MS: Final = 50.0
"""What a transaction may take."""


@dataclass(slots=True)
class Transactions:
    """What those since the start came to, rolled back or not. Times are from before BEGIN to after COMMIT.

    On a machine that is busy with other things a transaction takes longer than its work; the processor's time alone
    (`_cpu`) tells the two apart.
    """

    count: int = 0
    long: int = 0
    """How many took longer than `LONG_MS`."""
    long_cpu: int = 0
    longest_ms: float = 0.0
    longest_cpu_ms: float = 0.0
    most_rows: int = 0
    """Rows inserted, changed and deleted by one transaction, those of triggers and indexes included."""
    longest: str | None = None
    """What took the most of the processor's time: module and function."""
    largest: str | None = None
    """What changed the most rows."""

    @contextmanager
    def one(self, conn: sqlite3.Connection, function: Callable[..., object]) -> Iterator[None]:
        """Count the block as one transaction; in the connection's own thread."""
        began, began_cpu, rows = time.perf_counter(), time.thread_time(), conn.total_changes
        try:
            yield
        finally:
            took_cpu = (time.thread_time() - began_cpu) * 1000
            self._note(function, (time.perf_counter() - began) * 1000, took_cpu, conn.total_changes - rows)

    def _note(self, function: Callable[..., object], ms: float, cpu_ms: float, rows: int) -> None:
        self.count += 1
        self.long += ms > LONG_MS
        self.long_cpu += cpu_ms > LONG_MS
        self.longest_ms = max(self.longest_ms, ms)
        if cpu_ms > self.longest_cpu_ms:
            self.longest_cpu_ms, self.longest = cpu_ms, name_of(function)
        if rows > self.most_rows:
            self.most_rows, self.largest = rows, name_of(function)


def name_of(function: Callable[..., object]) -> str:
    """Return module and name of a function, of the one that another stands for if it says so."""
    while True:
        if isinstance(function, partial):
            function = function.func
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        else:
            return f"{function.__module__}.{getattr(function, '__qualname__', type(function).__name__)}"
