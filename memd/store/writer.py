"""The writer: the one connection that writes, and the order in which writes get it.

A write is a callable. It runs as one transaction on the connection's own thread, from BEGIN to COMMIT in one go, so a
cancelled caller can never leave a transaction open: either the callable had not begun, or it ends and is committed.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar, cast

import aiosqlite
import anyio

from memd.errors import StoreError, StoreReadOnly
from memd.store.connection import connect_writer, translate
from memd.store.transactions import Transactions
from memd.workers.answering import Answering

T = TypeVar("T")

FOLD_AFTER: Final = 5_000
"""Changed rows after which the log is folded into the file; they make about 16 MB of it."""


class _Connection(aiosqlite.Connection):
    """aiosqlite's connection with its thread opened to whole transactions."""

    async def call(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function with the raw connection on the connection's thread."""
        return cast("T", await self._execute(function, self._conn))  # type: ignore[no-untyped-call]


class Writer:
    """Runs writes one at a time: those somebody waits for first, background ones when nobody does.

    While the questions of `answering` are answered no background write begins.
    """

    def __init__(self, connection: _Connection, path: Path, answering: Answering | None = None) -> None:
        self._connection = connection
        self._path = path
        self.transactions = Transactions()
        self._answering = answering or Answering()
        self._busy = False
        self._closed = False
        self._folded_at = 0
        self._waiting: deque[anyio.Event] = deque()
        self._waiting_background: deque[anyio.Event] = deque()

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, answering: Answering | None = None) -> AsyncIterator[Writer]:
        """Open the database's one writer; on leaving, the WAL is checkpointed and the connection closed.

        The schema is not looked at: `memd.store.migrate` brings it up to date before.
        """
        connection = _Connection(lambda: connect_writer(path), iter_chunk_size=64)
        await connection
        writer = cls(connection, path, answering)
        try:
            yield writer
        finally:
            # An aiosqlite connection left open keeps the process alive for ever.
            with anyio.CancelScope(shield=True):
                await writer._close()

    @property
    def queued(self) -> int:
        """How many writes wait for the connection."""
        return len(self._waiting) + len(self._waiting_background)

    async def run(self, function: Callable[[sqlite3.Connection], T], *, background: bool = False) -> T:
        """Run `function(conn)` in one transaction and return what it returns, once it is committed.

        Whatever the function raises rolls the transaction back and is raised here; errors of SQLite come as StoreError.
        """
        if background:
            await self._answering.over()
        await self._acquire(background)
        try:
            with anyio.CancelScope(shield=True):
                result = await self._connection.call(lambda conn: self._transact(conn, function, background))
        finally:
            self._release()
        return result

    async def outside_transaction(self, function: Callable[[sqlite3.Connection], T]) -> T:
        """Run maintenance that SQLite refuses within a transaction (VACUUM, checkpoint)."""
        await self._acquire(background=True)
        try:
            with anyio.CancelScope(shield=True):
                result = await self._connection.call(lambda conn: self._guard(conn, function))
        finally:
            self._release()
        return result

    async def fold(self) -> None:
        """Fold the log into the file as far as no reader needs it; for when nothing is left to write."""
        await self.outside_transaction(self._fold)

    def _transact(self, conn: sqlite3.Connection, function: Callable[[sqlite3.Connection], T], background: bool) -> T:
        if background and conn.total_changes - self._folded_at >= FOLD_AFTER:
            self._fold(conn)
        try:
            with self.transactions.one(conn, function):
                return _in_transaction(conn, function)
        except sqlite3.Error as error:
            raise translate(error, self._path) from error

    def _fold(self, conn: sqlite3.Connection) -> None:
        self._folded_at = conn.total_changes
        # Trouble comes up in the write that follows, and is told there.
        with suppress(sqlite3.Error):
            conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _guard(self, conn: sqlite3.Connection, function: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return function(conn)
        except sqlite3.Error as error:
            raise translate(error, self._path) from error

    async def _acquire(self, background: bool) -> None:
        if self._closed:
            raise StoreError(f"{self._path} is closed; the daemon is going down.")
        if not self._busy:
            self._busy = True
            return
        queue = self._waiting_background if background else self._waiting
        turn = anyio.Event()
        queue.append(turn)
        try:
            await turn.wait()
        except BaseException:
            if turn.is_set():
                self._release()
            else:
                queue.remove(turn)
            raise
        if self._closed:
            self._release()
            raise StoreError(f"{self._path} is closed; the daemon is going down.")

    def _release(self) -> None:
        """Hand the connection, still marked busy, to the next in line."""
        for queue in (self._waiting, self._waiting_background):
            if queue:
                queue.popleft().set()
                return
        self._busy = False

    async def _close(self) -> None:
        await self._acquire(background=False)
        self._closed = True
        try:
            await self._connection.call(_checkpoint)
        finally:
            await self._connection.close()
            self._release()


class NoWriter(Writer):
    """Stands for the writer where a database is only looked at: whatever is to be written raises StoreReadOnly."""

    @classmethod
    @asynccontextmanager
    async def open(  # type: ignore[explicit-override]  # typing.override is 3.12
        cls, path: Path, answering: Answering | None = None
    ) -> AsyncIterator[Writer]:
        """Give one; there is nothing to open or close."""
        yield cls(_Connection(lambda: connect_writer(path), iter_chunk_size=64), path, answering)

    async def _acquire(self, background: bool) -> None:  # type: ignore[explicit-override]
        raise StoreReadOnly(self._path)


def _in_transaction(conn: sqlite3.Connection, function: Callable[[sqlite3.Connection], T]) -> T:
    conn.execute("BEGIN IMMEDIATE")
    try:
        result = function(conn)
        conn.execute("COMMIT")
    except BaseException:
        # A full disk may have rolled back already.
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise
    return result


def _checkpoint(conn: sqlite3.Connection) -> None:
    try:
        conn.execute("PRAGMA optimize")
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        # The WAL stays and is replayed at the next start; a full or vanished disk must not keep us from closing.
        return
