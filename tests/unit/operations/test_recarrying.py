"""What was deleted for good stays deleted, also where the database is one of before."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Batch, Cursor, Event, SessionUpdate, Source
from memd.errors import StoreError
from memd.operations import announcing, deleting
from memd.operations.memory import Memory
from memd.operations.recarrying import recarry
from memd.store import erasure_log, sessions
from memd.store.capturing import take_in
from memd.store.ingest import Prepared
from memd.store.migrate import migrate
from memd.store.readers import Readers
from memd.store.writer import Writer
from tests.unit.operations.conftest import FIRST, NOW, Harbor
from tests.unit.operations.test_deleting import LATE, WORD, decided, holding, id_of, learnt, read, said, shown
from tests.unit.operations.test_remember import do


async def before(harbor: Harbor) -> str:
    """Take a backup and return its path."""
    return str((await do(harbor, "backup.now")).path)


@asynccontextmanager
async def restored(harbor: Harbor, backup: str | None) -> AsyncIterator[Harbor]:
    """The same memory over a database as it was then, or over a new one."""
    database = harbor.home / ("anew" if backup is None else Path(backup).stem) / "memd.db"
    database.parent.mkdir(exist_ok=True)
    log = erasure_log.path_of(harbor.memory.paths.database)
    if log.exists():
        shutil.copy(log, erasure_log.path_of(database))
    if backup is not None:
        shutil.copy(backup, database)
    migrate(database, harbor.home / "none", NOW)
    paths = replace(harbor.memory.paths, data_dir=database.parent)
    async with Writer.open(database) as writer, Readers.open(database) as readers:
        memory: Memory = replace(harbor.memory, paths=paths, writer=writer, readers=readers)
        yield replace(harbor, memory=memory)


async def test_a_session_that_was_deleted_is_gone_from_a_backup_of_before_and_is_not_read_again(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await learnt(harbor)
    backup = await before(harbor)
    await do(harbor, "sessions.forget", session=LATE, apply=True)
    async with restored(harbor, backup) as again:
        assert await shown(again, LATE)
        assert await recarry(again.memory) == 1
        await read(again, LATE, *decided())
        assert await shown(again, LATE) == {}
        assert not [fact for fact in await learnt(again) if WORD in fact]
        assert "memd.db" not in holding(again)
        assert await recarry(again.memory) == 0
        assert await shown(again, FIRST)


async def test_a_session_that_the_backup_does_not_know_is_not_read_again(harbor: Harbor) -> None:
    backup = await before(harbor)
    await read(harbor, LATE, *decided())
    await learnt(harbor)
    await do(harbor, "sessions.forget", session=LATE, apply=True)
    for start in (backup, None):
        async with restored(harbor, start) as again:
            assert await recarry(again.memory) == 1
            await _read_unplaced(again, LATE, *decided())
            listed = await do(again, "sessions.list", subagents=True, empty=True)
            assert LATE not in str(listed)
            new = said(LATE, "n9", 90, "Paint the pier green.")
            await _read_unplaced(again, LATE, replace(new, at=NOW + 99_000_000))
            assert list((await shown(again, LATE)).values()) == ["Paint the pier green."]


async def _read_unplaced(harbor: Harbor, session: str, *events: Event) -> None:
    source = Source("claude_code", harbor.home / f"{session}.jsonl", session)
    batch = Batch((SessionUpdate(session, cwd=str(harbor.root)), *events), Cursor(offset=1, size=1), skipped={})
    prepared = Prepared(batch, ("",) * len(batch.events))
    await harbor.memory.writer.run(lambda conn: take_in(conn, source, prepared, {}, None, NOW))


async def test_a_message_that_was_deleted_is_gone_from_a_backup_of_before_and_the_rest_stays(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    backup = await before(harbor)
    message = await id_of(harbor, LATE, WORD)
    await do(harbor, "messages.forget", message=message, apply=True)
    left = await shown(harbor, LATE)
    async with restored(harbor, backup) as again:
        assert len(await shown(again, LATE)) > len(left)
        await recarry(again.memory)
        assert await shown(again, LATE) == left


async def test_a_fact_that_was_forgotten_is_gone_from_a_backup_of_before_and_is_not_learnt_again(
    harbor: Harbor,
) -> None:
    backup = await before(harbor)
    await read(harbor, LATE, *decided())
    await learnt(harbor)
    fact = next(one for one in await do(harbor, "facts.list") if WORD in one.text)
    late = await before(harbor)
    await do(harbor, "facts.forget", fact=fact.id, apply=True)
    for start in (backup, late):
        async with restored(harbor, start) as again:
            await recarry(again.memory)
            await read(again, LATE, *decided())
            assert not [fact for fact in await learnt(again) if WORD in fact]


async def test_a_project_that_was_deleted_is_gone_from_a_backup_of_before(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    backup = await before(harbor)
    await do(harbor, "projects.delete", project=str(harbor.root), apply=True)
    async with restored(harbor, backup) as again:
        assert str(harbor.root) in str(await do(again, "projects.list"))
        await recarry(again.memory)
        assert str(harbor.root) not in str(await do(again, "projects.list"))
        assert await shown(again, FIRST) == {}
        assert "memd.db" not in holding(again)


async def test_facts_that_were_purged_are_gone_from_a_backup_of_before_and_their_history_stays(harbor: Harbor) -> None:
    backup = await before(harbor)
    await do(harbor, "facts.purge", kind="preference", apply=True)
    async with restored(harbor, backup) as again:
        await recarry(again.memory)
        assert not await do(again, "facts.list", kind="preference")


async def test_a_deletion_that_the_daemon_was_killed_at_is_brought_to_its_end(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())

    def going(conn: Any) -> deleting.Going:
        return deleting.whole_session(conn, sessions.find(conn, LATE))

    whole = await harbor.memory.readers.run(going)
    erasure = await harbor.memory.readers.run(
        lambda conn: announcing.of_messages(conn, whole.messages, whole.sessions, NOW + 3_600_000)
    )
    await announcing.announce(harbor.memory, erasure)
    assert await recarry(harbor.memory) == 1
    assert await shown(harbor, LATE) == {}


async def test_nothing_is_deleted_where_it_cannot_be_written_down(harbor: Harbor) -> None:
    erasure_log.path_of(harbor.memory.paths.database).mkdir()
    kept = await shown(harbor, FIRST)
    with pytest.raises(StoreError):
        await do(harbor, "sessions.forget", session=FIRST, apply=True)
    assert await shown(harbor, FIRST) == kept


async def test_a_log_that_is_lost_is_written_anew_from_what_the_database_knows(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    backup = await before(harbor)
    await do(harbor, "sessions.forget", session=LATE, apply=True)
    erasure_log.path_of(harbor.memory.paths.database).unlink()
    assert await recarry(harbor.memory) == 0
    async with restored(harbor, backup) as again:
        assert await recarry(again.memory) == 2
        assert await shown(again, LATE) == {}


async def test_what_is_written_down_holds_no_word_of_what_was_deleted(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await do(harbor, "sessions.forget", session=LATE, apply=True)
    written = erasure_log.path_of(harbor.memory.paths.database).read_text()
    assert WORD.lower() not in written.lower()
    assert LATE not in written
