"""What the daemon builds belongs together, and is let go of at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from memd.clock import SystemClock
from memd.config import Config
from memd.operations.memory import Memory
from memd.parts import open_memory
from memd.paths import resolve
from memd.store.migrate import migrate
from memd.workers import answering
from memd.workers.turns import Priority

pytestmark = pytest.mark.anyio
LONG_S = 60.0


@pytest.fixture
async def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Memory]:
    monkeypatch.setenv("HOME", str(tmp_path))
    # However slow the machine is, a question is over before a piece of work stops waiting for it.
    monkeypatch.setattr(answering, "_LONGEST_S", LONG_S)
    paths = resolve({"HOME": str(tmp_path), "MEMD_DATA_DIR": str(tmp_path / "data")})
    paths.data_dir.mkdir()
    migrate(paths.database, paths.backups_dir, 0)
    async with open_memory(paths, Config(), SystemClock(), None) as (opened, group):
        yield opened
        group.cancel_scope.cancel()


async def test_what_is_written_and_worked_out_in_the_background_waits_for_the_questions_of_the_same_memory(
    memory: Memory,
) -> None:
    order: list[str] = []

    async def write() -> None:
        await memory.writer.run(lambda _: order.append("written"), background=True)

    async def work() -> None:
        assert await memory.workers.run("math:sqrt", 4, deadline_s=LONG_S, priority=Priority.BACKGROUND) == 2
        order.append("worked out")

    async with anyio.create_task_group() as group:
        with memory.answering.one():
            group.start_soon(write)
            group.start_soon(work)
            await anyio.wait_all_tasks_blocked()
            order.append("answered")
    assert order[0] == "answered"
    assert set(order[1:]) == {"written", "worked out"}
