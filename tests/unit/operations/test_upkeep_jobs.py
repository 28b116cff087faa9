"""What the daemon does by itself: backups are taken, and a deletion that was cut off is finished."""

from __future__ import annotations

from functools import partial

from anyio import to_thread

from memd.schedule import jobs
from memd.store import backup, deleting, maintenance, scrubbing, sessions
from memd.store.facts import Connection
from tests.unit.operations.conftest import HOST, Harbor
from tests.unit.operations.test_deleting import LATE, decided, holding, read


async def run(harbor: Harbor, name: str) -> None:
    (job,) = [job for job in jobs(harbor.memory) if job.name == name]
    await job.body()


def _deleted(conn: Connection) -> None:
    session = sessions.by_native(conn, HOST, LATE)
    assert session is not None
    deleting.delete(conn, deleting.messages_of(conn, (session.id,)))


async def test_a_deletion_that_was_cut_off_before_its_bytes_were_gone_is_finished(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await harbor.memory.writer.run(_deleted)
    assert holding(harbor)
    await run(harbor, "index upkeep")
    assert holding(harbor) == set()
    assert not await harbor.memory.readers.run(scrubbing.is_due)


async def test_where_nothing_was_deleted_the_log_is_left_as_it_is(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await run(harbor, "index upkeep")
    assert "memd.db-wal" in holding(harbor)


async def test_an_index_that_is_half_built_is_built_to_its_end(harbor: Harbor) -> None:
    await harbor.memory.writer.run(partial(maintenance.rebuild, table="messages_fts"))
    assert await harbor.memory.readers.run(maintenance.stale) == ("messages_fts",)
    await run(harbor, "index upkeep")
    assert await harbor.memory.readers.run(maintenance.stale) == ()


async def test_a_backup_that_is_due_is_taken_whole(harbor: Harbor) -> None:
    folder = harbor.memory.paths.backups_dir
    assert backup.backups(folder) == ()
    await run(harbor, "backup")
    (taken,) = backup.backups(folder)
    assert await to_thread.run_sync(partial(backup.check, taken.path, full=True)) is None


async def test_a_sound_database_is_found_sound(harbor: Harbor) -> None:
    await run(harbor, "integrity check")
