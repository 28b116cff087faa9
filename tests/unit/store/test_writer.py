from __future__ import annotations

import sqlite3
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from memd.errors import StoreError
from memd.store.connection import connect_reader
from memd.store.writer import Writer


def _create(conn: sqlite3.Connection) -> None:
    conn.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER NOT NULL) STRICT")


def _count(path: Path) -> int:
    conn = connect_reader(path)
    try:
        return int(conn.execute("SELECT count(*) FROM t").fetchone()[0])
    finally:
        conn.close()


def _insert(conn: sqlite3.Connection, n: int) -> None:
    conn.execute("INSERT INTO t VALUES (?)", (n,))


def _insert_many(conn: sqlite3.Connection) -> None:
    for n in range(20_000):
        _insert(conn, n)


async def test_a_write_is_there_for_readers_once_run_returns(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    async with Writer.open(path) as writer:
        await writer.run(_create)
        await writer.run(lambda conn: _insert(conn, 1))
        assert _count(path) == 1


async def test_a_write_that_raises_leaves_nothing_behind_and_the_writer_usable(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"

    def half(conn: sqlite3.Connection) -> None:
        _insert(conn, 1)
        raise LookupError("in the middle")

    async with Writer.open(path) as writer:
        await writer.run(_create)
        with pytest.raises(LookupError):
            await writer.run(half)
        await writer.run(lambda conn: _insert(conn, 2))
        assert _count(path) == 1


async def test_a_cancelled_caller_leaves_either_the_whole_write_or_none_of_it(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"

    async with Writer.open(path) as writer:
        await writer.run(_create)
        for delay_s in (0.0, 0.001, 0.005):
            with anyio.move_on_after(delay_s):
                await writer.run(_insert_many)
            assert _count(path) % 20_000 == 0
        await writer.run(lambda conn: _insert(conn, 1))
        assert _count(path) % 20_000 == 1


async def test_a_caller_cancelled_while_it_waits_gives_its_place_up(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    async with Writer.open(path) as writer:
        await writer.run(_create)
        async with anyio.create_task_group() as group:
            group.start_soon(writer.run, _insert_many)
            await anyio.lowlevel.checkpoint()
            with anyio.move_on_after(0):
                await writer.run(lambda conn: _insert(conn, -1))
        await writer.run(lambda conn: _insert(conn, -2))
        assert writer.queued == 0
        assert _count(path) == 20_001


async def test_background_writes_let_the_others_go_first(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    order: list[str] = []
    async with Writer.open(path) as writer:
        await writer.run(_create)

        async def write(name: str, background: bool) -> None:
            await writer.run(lambda _conn: order.append(name), background=background)

        async with anyio.create_task_group() as group:
            group.start_soon(writer.run, _insert_many)
            await anyio.lowlevel.checkpoint()
            group.start_soon(write, "background", True)
            await anyio.lowlevel.checkpoint()
            group.start_soon(write, "foreground", False)
    assert order == ["foreground", "background"]


async def test_a_closed_writer_refuses_in_one_sentence(tmp_path: Path) -> None:
    async with Writer.open(tmp_path / "memd.db") as writer:
        pass
    with pytest.raises(StoreError, match="closed"):
        await writer.run(_create)


async def test_many_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    async with Writer.open(path) as writer:
        await writer.run(_create)

        async def many() -> None:
            for n in range(250):
                await writer.run(lambda conn, n=n: _insert(conn, n))  # type: ignore[misc]

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(many)
    assert _count(path) == 1000


async def test_the_wal_is_folded_into_the_file_on_closing(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    async with Writer.open(path) as writer:
        await writer.run(_create)
    wal = path.with_name("memd.db-wal")
    assert not wal.exists() or wal.stat().st_size == 0


async def test_what_points_to_nothing_cannot_be_written(tmp_path: Path) -> None:
    async with Writer.open(tmp_path / "memd.db") as writer:
        asked = ("journal_mode", "foreign_keys", "busy_timeout", "secure_delete", "trusted_schema")
        told = await writer.run(lambda conn: [conn.execute(f"PRAGMA {name}").fetchone()[0] for name in asked])
        assert told == ["wal", 1, 5000, 2, 0]
        await writer.run(lambda conn: conn.execute("CREATE TABLE owners (id INTEGER PRIMARY KEY) STRICT"))
        await writer.run(lambda conn: conn.execute("CREATE TABLE owned (of INTEGER REFERENCES owners (id)) STRICT"))
        with pytest.raises(StoreError, match="deleted or merged meanwhile"):
            await writer.run(lambda conn: conn.execute("INSERT INTO owned VALUES (1)"))


async def test_database_wal_and_shm_are_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "data" / "memd.db"
    async with Writer.open(path) as writer:
        await writer.run(_create)
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert modes
    assert set(modes.values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700


async def test_the_log_is_folded_between_background_writes(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    async with Writer.open(path) as writer:
        await writer.run(_create)
        await writer.run(_insert_many)
        before = path.stat().st_size
        await writer.run(lambda conn: _insert(conn, 1))
        assert path.stat().st_size == before
        await writer.run(lambda conn: _insert(conn, 1), background=True)
        assert path.stat().st_size > before


async def test_the_log_is_folded_when_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    async with Writer.open(path) as writer:
        await writer.run(_create)
        before = path.stat().st_size
        await writer.run(_insert_many)
        await writer.fold()
        assert path.stat().st_size > before
