"""While somebody waits for an answer what can wait does, for a moment; what somebody else waits for does not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint

from memd.store.migrate import migrate
from memd.store.writer import Writer
from memd.workers import answering
from memd.workers.answering import Answering
from memd.workers.pool import Workers
from memd.workers.turns import Priority

pytestmark = pytest.mark.anyio
LONG = 60.0


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, a question is over before a piece of work stops waiting for it."""
    monkeypatch.setattr(answering, "_LONGEST_S", LONG)


@pytest.mark.usefixtures("patient")
async def test_a_background_write_waits_for_the_answer_and_another_does_not(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    migrate(path, tmp_path, 0)
    order: list[str] = []

    def noted(name: str) -> None:
        order.append(name)

    questions = Answering()
    async with Writer.open(path, questions) as writer, anyio.create_task_group() as group:
        with questions.one():
            group.start_soon(_written, writer, noted)
            await anyio.wait_all_tasks_blocked()
            await writer.run(lambda _: noted("what somebody waits for"))
            noted("answer")
    assert order == ["what somebody waits for", "answer", "background"]


async def _written(writer: Writer, noted: Callable[[str], None]) -> None:
    def write(_: sqlite3.Connection) -> None:
        noted("background")

    await writer.run(write, background=True)


@pytest.mark.usefixtures("patient")
async def test_background_work_of_a_pool_waits_for_the_answer_and_other_work_does_not(
    make_workers: Callable[..., Workers],
) -> None:
    order: list[str] = []
    questions = Answering()

    async def work(priority: Priority) -> None:
        await workers.run("drills:double", 1, deadline_s=LONG, priority=priority)
        order.append(priority.name)

    async with make_workers(answering=questions) as workers, anyio.create_task_group() as group:
        with questions.one():
            group.start_soon(work, Priority.BACKGROUND)
            await anyio.wait_all_tasks_blocked()
            await work(Priority.FOREGROUND)
            order.append("answer")
    assert order == ["FOREGROUND", "answer", "BACKGROUND"]


async def test_work_is_not_put_off_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "_LONGEST_S", 0.0)
    questions = Answering()
    with questions.one():
        await questions.over()


async def test_with_nobody_asking_nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "_LOOK_S", LONG)
    with anyio.fail_after(LONG / 2):
        await Answering().over()


@pytest.mark.usefixtures("patient")
async def test_a_moment_is_left_for_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "_AFTER_S", LONG)
    questions, done = Answering(), []

    async def work() -> None:
        await questions.over()
        done.append("work")

    with questions.one():
        pass
    async with anyio.create_task_group() as group:
        group.start_soon(work)
        for _ in range(3):
            await checkpoint()
        assert not done
        monkeypatch.setattr(answering, "_AFTER_S", 0.0)
