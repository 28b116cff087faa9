from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from memd.errors import StoreError
from memd.store.readers import Readers
from memd.store.writer import Writer

_ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c"


@pytest.fixture
async def path(tmp_path: Path) -> AsyncIterator[Path]:
    database = tmp_path / "memd.db"
    async with Writer.open(database) as writer:
        await writer.run(lambda conn: conn.execute("CREATE TABLE t (n INTEGER NOT NULL) STRICT"))
        yield database


async def test_a_reader_cannot_write(path: Path) -> None:
    async with Readers.open(path) as readers:
        with pytest.raises(StoreError):
            await readers.run(lambda conn: conn.execute("INSERT INTO t VALUES (1)"))


async def test_errors_come_as_themselves_and_not_as_a_group(path: Path) -> None:
    def fail(_conn: sqlite3.Connection) -> None:
        raise LookupError("mine")

    async with Readers.open(path) as readers:
        with pytest.raises(LookupError):
            await readers.run(fail)


async def test_a_cancelled_query_is_interrupted_and_its_connection_used_again(path: Path) -> None:
    async with Readers.open(path, limit=1) as readers:
        with anyio.move_on_after(0.05) as scope:
            await readers.run(lambda conn: conn.execute(_ENDLESS).fetchone())
        assert scope.cancelled_caught
        with anyio.fail_after(120):
            rows = await readers.run(lambda conn: conn.execute("SELECT count(*) FROM t").fetchone())
        assert rows == (0,)


async def test_more_readers_than_connections_take_turns(path: Path) -> None:
    answers: list[int] = []

    async with Readers.open(path, limit=2) as readers:

        async def ask() -> None:
            answers.append(await readers.run(lambda conn: int(conn.execute("SELECT 1").fetchone()[0])))

        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(ask)
    assert answers == [1] * 20


async def test_readers_that_rested_read_on(path: Path) -> None:
    async with Readers.open(path) as readers:
        await readers.run(lambda conn: conn.execute("SELECT 1").fetchone())
        await readers.rest()
        await readers.rest()
        assert await readers.run(lambda conn: conn.execute("SELECT 2").fetchone()) == (2,)
