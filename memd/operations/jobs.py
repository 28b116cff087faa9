"""Jobs: the recurring work of the daemon, how it went last, and what can be done to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memd.errors import BadParameter
from memd.operations.board import Post
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.shapes import time_of
from memd.operations.status_answers import JobAnswer, JobControlAnswer
from memd.store import jobs
from memd.store.facts import Connection

_NAME = "its name, as jobs list tells"


@dataclass(frozen=True, slots=True)
class JobParams:
    """One job."""

    job: str = field(metadata={"help": _NAME})


@dataclass(frozen=True, slots=True)
class SomeJobsParams:
    """One job, or all."""

    job: str | None = field(default=None, metadata={"help": f"{_NAME}; none: all"})


@dataclass(frozen=True, slots=True)
class RetryAnswer:
    """How much is tried again that was given up: sessions to distill, and sources to read."""

    sessions: int
    sources: int


@dataclass(frozen=True, slots=True)
class ForgottenJobsAnswer:
    """How many records of finished jobs were let go of."""

    count: int


@operation("jobs.list", reads=True)
async def list_jobs(memory: Memory, params: NoParams) -> tuple[JobAnswer, ...]:
    """List the recurring jobs: when they ran last and run next, their last error, and whether they are paused."""
    posts = memory.board.posts
    return await memory.readers.run(lambda conn: job_answers(conn, posts, count=True))


@operation("jobs.run", writes=True)
async def run(memory: Memory, params: JobParams) -> JobControlAnswer:
    """Have a recurring job run now; answers at once, jobs list tells how it went.

    Raises BadParameter for a job that there is not, or that is paused.
    """
    post = memory.board.find(params.job, "jobs.run")
    if post.paused:
        raise BadParameter("jobs.run", f"{params.job!r} is paused; resume it first")
    post.start()
    return await _done(memory, (post,))


@operation("jobs.pause", writes=True)
async def pause(memory: Memory, params: SomeJobsParams) -> JobControlAnswer:
    """Keep recurring jobs from running, also after a restart; one that runs stops, and goes on when it is resumed.

    Raises BadParameter for a job that there is not.
    """
    return await _hold(memory, params.job, "jobs.pause", paused=True)


@operation("jobs.resume", writes=True)
async def resume(memory: Memory, params: SomeJobsParams) -> JobControlAnswer:
    """Let recurring jobs run again that were paused, now at once.

    Raises BadParameter for a job that there is not.
    """
    return await _hold(memory, params.job, "jobs.resume", paused=False)


@operation("jobs.retry", writes=True)
async def retry(memory: Memory, params: NoParams) -> RetryAnswer:
    """Try again what was given up after several failures: sessions to distill and files to read."""
    return RetryAnswer(memory.distiller.retry(), await memory.capture.retry())


@operation("jobs.purge", writes=True)
async def purge(memory: Memory, params: NoParams) -> ForgottenJobsAnswer:
    """Forget how finished jobs went (runs, failures); when they ran well last stays, as the next run goes by it."""
    known = frozenset(memory.board.posts)
    return ForgottenJobsAnswer(await memory.writer.run(lambda conn: jobs.forget_done(conn, known)))


def job_answers(conn: Connection, posts: Mapping[str, Post], *, count: bool = False) -> tuple[JobAnswer, ...]:
    """Return the jobs that are on the board and those that have run; `count`: with how much waits for each."""
    ran = {job.name: job for job in jobs.all_jobs(conn)}
    names = dict.fromkeys((*posts, *ran))
    return tuple(_told(conn, name, posts.get(name), ran.get(name), count=count) for name in names)


def _told(conn: Connection, name: str, post: Post | None, ran: jobs.JobLog | None, *, count: bool) -> JobAnswer:
    return JobAnswer(
        name=name,
        every_s=None if post is None else post.every_s,
        next=None if post is None or post.paused else time_of(post.next_ms()),
        running=post is not None and post.running,
        paused=post is not None and post.paused,
        waiting=None if post is None or post.waiting is None or not count else post.waiting(conn),
        runs=0 if ran is None else ran.runs,
        failures=0 if ran is None else ran.failures,
        started=None if ran is None else time_of(ran.started_at),
        finished=None if ran is None else time_of(ran.finished_at),
        ok=None if ran is None else time_of(ran.ok_at),
        error=None if ran is None else ran.error,
        error_at=None if ran is None else time_of(ran.error_at),
    )


async def _hold(memory: Memory, name: str | None, op: str, *, paused: bool) -> JobControlAnswer:
    """Pause or resume jobs; those that are so already do not count."""
    changed = tuple(post for post in memory.board.chosen(name, op) if post.paused is not paused)
    for post in changed:
        post.paused = paused
    try:
        if changed:
            await memory.writer.run(memory.board.keep)
    except BaseException:
        # What could not be written down was not done, and can be asked for again.
        for post in changed:
            post.paused = not paused
        raise
    for post in changed:
        post.hold(paused)
    return await _done(memory, changed)


async def _done(memory: Memory, posts: tuple[Post, ...]) -> JobControlAnswer:
    def count(conn: Connection) -> dict[str, int]:
        return {post.name: post.waiting(conn) for post in posts if post.waiting is not None}

    return JobControlAnswer(tuple(post.name for post in posts), len(posts), await memory.readers.run(count))
