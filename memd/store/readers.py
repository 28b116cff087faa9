"""Readers: read-only connections, each used by one thread at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TypeVar

import anyio
from anyio import to_thread

from memd.errors import DamagedDatabase
from memd.store.connection import connect_reader, translate

T = TypeVar("T")

_CLOSE_WAIT_S: Final = 5.0


class Readers:
    """A small pool of read-only connections. A read sees the last committed state and never waits for the writer."""

    def __init__(self, path: Path, limit: int, on_damage: Callable[[], None]) -> None:
        self._path = path
        self._on_damage = on_damage
        self._limiter = anyio.CapacityLimiter(limit)
        self._idle: list[sqlite3.Connection] = []
        self._opened = 0

    @classmethod
    @asynccontextmanager
    async def open(
        cls, path: Path, *, limit: int = 3, on_damage: Callable[[], None] = lambda: None
    ) -> AsyncIterator[Readers]:
        """Open a pool of at most `limit` connections; they are made when first needed.

        `on_damage` is called, in the thread of the read, when a read finds the file damaged.
        """
        readers = cls(path, limit, on_damage)
        try:
            yield readers
        finally:
            with anyio.CancelScope(shield=True):
                await readers._close()

    async def run(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run `function(conn)` in a thread within one read transaction and return what it returns.

        A cancelled caller interrupts its query. Errors of SQLite come as StoreError.
        """
        running: list[sqlite3.Connection] = []

        def work() -> T:
            conn = self._take()
            running.append(conn)
            try:
                return self._read(conn, function)
            finally:
                running.clear()
                self._idle.append(conn)

        try:
            return await to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter)
        except anyio.get_cancelled_exc_class():
            # The thread gives the connection back by itself, as soon as the interrupted query ends.
            for conn in tuple(running):
                conn.interrupt()
            raise

    async def rest(self) -> None:
        """Close the connections that nobody uses now, with what they keep in memory of the file."""
        while self._idle:
            conn = self._idle.pop()
            self._opened -= 1
            await to_thread.run_sync(conn.close)

    def _take(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            conn = connect_reader(self._path)
            self._opened += 1
            return conn

    def _read(self, conn: sqlite3.Connection, function: Callable[[sqlite3.Connection], T]) -> T:
        try:
            conn.execute("BEGIN")
            try:
                return function(conn)
            finally:
                if conn.in_transaction:
                    conn.execute("COMMIT")
        except sqlite3.Error as error:
            told = translate(error, self._path)
            if isinstance(told, DamagedDatabase):
                self._on_damage()
            raise told from error

    async def _close(self) -> None:
        with anyio.move_on_after(_CLOSE_WAIT_S):
            while len(self._idle) < self._opened:  # noqa: ASYNC110 - threads give back, and they know no event loop
                await anyio.sleep(0.01)
        while self._idle:
            await to_thread.run_sync(self._idle.pop().close)
