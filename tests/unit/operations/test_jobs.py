"""Recurring jobs are listed, run, paused and resumed; what was given up is tried again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from memd.adapter import Source
from memd.clock import SystemClock
from memd.errors import BadParameter, StoreFull
from memd.operations.catalog import OPERATIONS
from memd.schedule import Job, Schedule
from memd.store import jobs as job_log
from memd.store import sources
from tests.unit.operations.conftest import HOST, NOW, Harbor


class Body:
    """A job's body that notes what happens to it."""

    def __init__(self) -> None:
        self.runs = 0
        self.stopped = 0
        self.lets_go = anyio.Event()
        self.held: list[bool] = []

    async def __call__(self) -> None:
        self.runs += 1
        try:
            await self.lets_go.wait()
        except anyio.get_cancelled_exc_class():
            self.stopped += 1
            raise


@pytest.fixture
async def body(harbor: Harbor) -> AsyncIterator[Body]:
    """The body of the job `polish`, which is due only when somebody asks."""
    body = Body()
    memory = harbor.memory
    job = Job("polish", 3600, body, first_s=3600, hold=body.held.append, waiting=lambda _: 7)
    async with anyio.create_task_group() as group:
        await group.start(Schedule((job,), memory.writer, memory.readers, SystemClock(), memory.board).serve)
        yield body
        group.cancel_scope.cancel()


async def ask(harbor: Harbor, op: str, **params: object) -> Any:
    return await OPERATIONS[op].call(harbor.memory, params)


async def until(what: Callable[[], object]) -> None:
    with anyio.fail_after(120):
        while not what():  # noqa: ASYNC110 - what is waited for tells nobody
            await anyio.sleep(0.01)


async def the_job(harbor: Harbor) -> Any:
    return next(job for job in await ask(harbor, "jobs.list") if job.name == "polish")


async def test_a_job_runs_when_told_and_its_run_is_told(harbor: Harbor, body: Body) -> None:
    before = await the_job(harbor)
    answer = await ask(harbor, "jobs.run", job="polish")
    await until(lambda: body.runs)
    running = await the_job(harbor)
    body.lets_go.set()
    await until(lambda: not harbor.memory.board.posts["polish"].running)

    assert (before.runs, before.running, before.waiting, before.every_s) == (0, False, 7, 3600)
    assert before.next is not None
    assert (answer.jobs, answer.count, answer.waiting) == (("polish",), 1, {"polish": 7})
    assert running.running
    assert (await the_job(harbor)).runs == 1
    with pytest.raises(BadParameter, match="did you mean 'polish'"):
        await ask(harbor, "jobs.run", job="polsh")


async def test_a_paused_job_stops_and_takes_nothing_on_until_it_is_resumed(harbor: Harbor, body: Body) -> None:
    await ask(harbor, "jobs.run", job="polish")
    await until(lambda: body.runs)

    paused = await ask(harbor, "jobs.pause")
    await until(lambda: body.stopped)
    told = await the_job(harbor)

    assert any("Paused: polish" in sentence for sentence in (await ask(harbor, "status")).degraded)
    assert (paused.jobs, paused.waiting, body.held) == (("polish",), {"polish": 7}, [True])
    assert (told.paused, told.next, told.runs) == (True, None, 0)
    assert (await ask(harbor, "jobs.pause", job="polish")).count == 0
    with pytest.raises(BadParameter, match="is paused"):
        await ask(harbor, "jobs.run", job="polish")
    harbor.memory.board.posts["polish"].start()
    await anyio.wait_all_tasks_blocked()
    assert body.runs == 1

    body.lets_go.set()
    assert (await ask(harbor, "jobs.resume", job="polish")).count == 1
    await until(lambda: body.runs == 2)
    assert body.held == [True, False]


async def test_a_pause_outlives_a_restart(harbor: Harbor, body: Body) -> None:
    await ask(harbor, "jobs.pause", job="polish")
    memory, again = harbor.memory, Body()
    job = Job("polish", 0.01, again, first_s=0, hold=again.held.append)
    async with anyio.create_task_group() as group:
        await group.start(Schedule((job,), memory.writer, memory.readers, SystemClock(), memory.board).serve)
        await anyio.sleep(0.1)
        group.cancel_scope.cancel()

    assert (again.runs, again.held) == (0, [True])


async def test_distillation_that_is_paused_takes_up_no_session(harbor: Harbor) -> None:
    distiller = harbor.memory.distiller
    distiller.hold(True)
    held = await distiller.run_due()
    distiller.hold(False)

    assert held == 0
    assert await distiller.run_due() > 0


async def test_what_could_not_be_read_is_read_again_when_told(harbor: Harbor) -> None:
    transcript = harbor.home / ".claude" / "projects" / "-harbor" / "lost.jsonl"
    source = Source(HOST, transcript, "lost")
    await harbor.memory.writer.run(lambda conn: sources.set_error(conn, source, "no transcript", NOW))

    answer = await ask(harbor, "jobs.retry")

    assert (answer.sessions, answer.sources) == (0, 1)


async def test_how_finished_jobs_went_is_forgotten_but_not_when(harbor: Harbor, body: Body) -> None:
    def write(conn: Any) -> None:
        job_log.finished(conn, "polish", NOW, NOW)
        job_log.finished(conn, "of an older memd", NOW, NOW)

    await harbor.memory.writer.run(write)

    assert (await ask(harbor, "jobs.purge")).count == 2
    told = {job.name: job for job in await ask(harbor, "jobs.list")}
    assert set(told) == {"polish"}
    assert (told["polish"].runs, told["polish"].ok) == (0, "2026-11-29T10:00:00.000Z")
    assert (await ask(harbor, "jobs.purge")).count == 0


@pytest.mark.parametrize("paused_before", [False, True])
async def test_what_could_not_be_written_down_was_not_done_and_can_be_asked_again(
    harbor: Harbor, body: Body, monkeypatch: pytest.MonkeyPatch, paused_before: bool
) -> None:
    if paused_before:
        await ask(harbor, "jobs.pause")
    held, op = list(body.held), "jobs.resume" if paused_before else "jobs.pause"

    async def full(_function: Callable[..., object], **_options: object) -> None:
        raise StoreFull(Path("/home/ada/memd.db"))

    with monkeypatch.context() as patch:
        patch.setattr(harbor.memory.writer, "run", full)
        with pytest.raises(StoreFull):
            await ask(harbor, op)
    assert ((await the_job(harbor)).paused, body.held) == (paused_before, held)

    assert (await ask(harbor, op)).jobs == ("polish",)
    assert ((await the_job(harbor)).paused, body.held) == (not paused_before, [*held, not paused_before])
