"""The schedule: every recurring job of the daemon, in one table.

APScheduler decides when; a job's body runs in the daemon's own task group, so that it ends when the daemon does. When a
job ran last is kept in the store: a restart neither forgets a backup nor takes one too many.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import anyio
from anyio import to_thread
from anyio.abc import ObjectReceiveStream, TaskStatus
from anyio.streams.memory import MemoryObjectSendStream
from apscheduler.job import Job as Entry
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from memd.clock import Clock
from memd.errors import DamagedDatabase, MemdError
from memd.operations import host_memories, pages, recarrying, rejudging, relation_groups, scrub
from memd.operations.board import Board, Post, kept
from memd.operations.memory import Memory
from memd.store import backup, maintenance, sessions
from memd.store import jobs as job_log
from memd.store.facts import Connection
from memd.store.readers import Readers
from memd.store.writer import Writer

logger = logging.getLogger(__name__)

_MERGES: Final = 200
_ALL: Final = -1


@dataclass(frozen=True, slots=True)
class Job:
    """One recurring job. `first_s` is how long after the start it is due when it has never run."""

    name: str
    every_s: float
    body: Callable[[], Awaitable[None]]
    first_s: float = 5.0
    kept: bool = True
    """Whether its last run is written down; off for what runs every few seconds."""
    hold: Callable[[bool], None] = lambda _: None
    """Keeps what the body only wakes from working while the job is paused."""
    waiting: Callable[[Connection], int] | None = None


def jobs(memory: Memory) -> tuple[Job, ...]:
    """Return the table of what the daemon does by itself."""

    async def distill() -> None:
        memory.distiller.wake()

    async def embed() -> None:
        if memory.semantic is not None:
            await memory.semantic.embed_due()

    async def back_up() -> None:
        config, paths = memory.config.store, memory.paths
        take = partial(
            backup.take,
            paths.database,
            paths.backups_dir,
            memory.clock.now_ms(),
            keep_recent=config.backups_recent,
            keep_weekly=config.backups_weekly,
        )
        await to_thread.run_sync(take)

    async def check() -> None:
        finding = await to_thread.run_sync(backup.check, memory.paths.database)
        if finding is not None:
            raise DamagedDatabase(memory.paths.database, finding)

    async def compare_anew() -> None:
        await rejudging.go_on(memory)
        await rejudging.distill_anew(memory)

    async def tidy_indexes() -> None:
        while await memory.writer.run(maintenance.rebuild_some, background=True):
            logger.info("event=index_rebuilding")
        for _ in range(_MERGES):
            if not await memory.writer.run(maintenance.optimize, background=True):
                break
        await scrub.go_on(memory)

    return (
        *_while_they_go_on(memory),
        Job("distill", 60, distill, kept=False, hold=memory.distiller.hold, waiting=_undistilled),
        Job("embed", 15, embed, kept=False),
        Job("index upkeep", 3600, tidy_indexes, first_s=30),
        Job("agents' notes", 3600, partial(host_memories.absorb, memory), first_s=90),
        Job("deletions", 60, partial(recarrying.go_on, memory), kept=False),
        Job("pages", 60, partial(pages.refresh, memory), kept=False),
        Job("groups", 60, partial(relation_groups.find_anew, memory), kept=False),
        Job("rules", 3600, compare_anew, first_s=60, kept=False),
        *_of_traces(memory),
        Job("backup", memory.config.store.backup_hours * 3600, back_up, first_s=600),
        Job("integrity check", 24 * 3600, check, first_s=900),
    )


def _while_they_go_on(memory: Memory) -> tuple[Job, ...]:
    """Return the job that distills sessions that go on, if the settings ask for it."""
    settings = memory.config.capture
    if not settings.turns:
        return ()

    async def distill() -> None:
        await memory.distiller.run_paused(settings.turns, settings.pause_s, settings.most_turns)

    return (Job("turns", 5, distill, kept=False),)


def _of_traces(memory: Memory) -> tuple[Job, ...]:
    """Return the jobs that write down what was asked, and let go of it when it is old."""

    async def write() -> None:
        await memory.traces.flush(memory.writer)

    async def drop() -> None:
        await memory.traces.drop_old(memory.writer)

    return Job("traces", 60, write, kept=False), Job("old traces", 24 * 3600, drop, first_s=300)


def _undistilled(conn: Connection) -> int:
    return len(sessions.due(conn, limit=_ALL))


class Schedule:
    """Runs jobs at their times until it is cancelled; puts each up on the board, and keeps to what is paused there."""

    def __init__(
        self, jobs: tuple[Job, ...], writer: Writer, readers: Readers, clock: Clock, board: Board | None = None
    ) -> None:
        self._jobs = jobs
        self._board = board or Board()
        self._scopes: dict[str, anyio.CancelScope] = {}
        self._writer = writer
        self._readers = readers
        self._clock = clock

    async def serve(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Start the scheduler and the jobs' own tasks; returns only by cancellation."""
        paused = await self._readers.run(kept)
        last = {entry.name: entry.ok_at for entry in await self._readers.run(job_log.all_jobs)}
        # A late wake-up (a laptop that slept) must run the job once, not drop it, which is APScheduler's default.
        defaults = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        scheduler = AsyncIOScheduler(timezone=UTC, job_defaults=defaults)
        async with AsyncExitStack() as stack:
            group = await stack.enter_async_context(anyio.create_task_group())
            for job in self._jobs:
                due, receive = anyio.create_memory_object_stream[None](1)
                stack.enter_context(due)
                group.start_soon(self._run_when_due, job, receive)
                entry = scheduler.add_job(
                    _signal,
                    "interval",
                    args=[due],
                    seconds=job.every_s,
                    id=job.name,
                    next_run_time=self._first(job, last.get(job.name)),
                )
                self._put_up(job, entry, due, paused=job.name in paused)
            scheduler.start()
            task_status.started()
            try:
                await anyio.sleep_forever()
            finally:
                scheduler.shutdown(wait=False)

    def _put_up(self, job: Job, entry: Entry, due: MemoryObjectSendStream[None], *, paused: bool) -> None:
        def next_ms() -> int | None:
            return None if entry.next_run_time is None else round(entry.next_run_time.timestamp() * 1000)

        def hold(held: bool) -> None:
            job.hold(held)
            if not held:
                _push(due)
            elif job.name in self._scopes:
                self._scopes[job.name].cancel()

        start = partial(_push, due)
        post = Post(job.name, job.every_s, next_ms, start, hold, job.waiting, paused=paused)
        self._board.posts[job.name] = post
        if paused:
            job.hold(True)

    def _first(self, job: Job, ok_at: int | None) -> datetime:
        now = datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC)
        soon = now + timedelta(seconds=job.first_s)
        if ok_at is None:
            return soon
        again = datetime.fromtimestamp(ok_at / 1000, UTC) + timedelta(seconds=job.every_s)
        # A clock that was set back must not put a job off for ever.
        return min(max(soon, again), now + timedelta(seconds=job.every_s))

    async def _run_when_due(self, job: Job, due: ObjectReceiveStream[None]) -> None:
        async with due:
            async for _ in due:
                await self._run(job)

    async def _run(self, job: Job) -> None:
        post = self._board.posts[job.name]
        if post.paused:
            return
        with anyio.CancelScope() as scope:
            self._scopes[job.name] = scope
            post.running = True
            try:
                await self._run_noted(job)
            finally:
                post.running = False
                del self._scopes[job.name]

    async def _run_noted(self, job: Job) -> None:
        started = self._clock.now_ms()
        try:
            await job.body()
        except DamagedDatabase:
            # The daemon puts that right by starting over.
            raise
        except MemdError as error:
            message = str(error)
            logger.warning("event=job_failed job=%s error=%s", job.name, message)
            await self._note(job, lambda conn: job_log.failed(conn, job.name, started, self._clock.now_ms(), message))
        else:
            await self._note(job, lambda conn: job_log.finished(conn, job.name, started, self._clock.now_ms()))

    async def _note(self, job: Job, write: Callable[..., None]) -> None:
        if not job.kept:
            return
        try:
            await self._writer.run(write, background=True)
        except MemdError as error:
            logger.warning("event=job_not_noted job=%s error=%s", job.name, error)


async def _signal(due: MemoryObjectSendStream[None]) -> None:
    # A plain function APScheduler would call in another thread.
    _push(due)


def _push(due: MemoryObjectSendStream[None]) -> None:
    try:
        due.send_nowait(None)
    except anyio.WouldBlock:
        # The last run is still going on; one more is already promised.
        return
