from __future__ import annotations

from pathlib import Path

import anyio

from memd.adapter import Source
from memd.capture.queue import Rank, SourceQueue


def source(name: str, parent: str | None = None) -> Source:
    return Source("lines", Path("/home/ada/p") / f"{name}.jsonl", session=name, parent=parent)


async def taken(queue: SourceQueue, worst: Rank = Rank.BACKLOG) -> str | None:
    with anyio.move_on_after(0.01):
        job = await queue.take(worst)
        queue.done(job)
        return job.path.stem
    return None


async def test_the_backlog_is_read_newest_first() -> None:
    queue = SourceQueue()
    for name, mtime_ns in (("old", 1), ("new", 3), ("middle", 2)):
        queue.put(source(name), Rank.BACKLOG, mtime_ns=mtime_ns)
    assert [await taken(queue) for _ in range(4)] == ["new", "middle", "old", None]


async def test_what_somebody_waits_for_goes_before_all() -> None:
    queue = SourceQueue()
    queue.put(source("backlog"), Rank.BACKLOG, mtime_ns=9)
    queue.put(source("fresh"), Rank.FRESH, mtime_ns=1)
    queue.put(source("urgent"), Rank.URGENT, mtime_ns=0)
    assert [await taken(queue) for _ in range(3)] == ["urgent", "fresh", "backlog"]


async def test_a_source_is_in_the_queue_once_with_its_best_rank() -> None:
    queue = SourceQueue()
    queue.put(source("a"), Rank.BACKLOG)
    queue.put(source("b"), Rank.FRESH)
    queue.put(source("a"), Rank.URGENT)
    queue.put(source("a"), Rank.BACKLOG)
    assert len(queue) == 2
    assert [await taken(queue) for _ in range(3)] == ["a", "b", None]


async def test_a_reader_for_fresh_sources_leaves_the_backlog() -> None:
    queue = SourceQueue()
    queue.put(source("backlog"), Rank.BACKLOG)
    assert await taken(queue, Rank.FRESH) is None
    queue.promote(source("backlog").path, Rank.URGENT)
    assert await taken(queue, Rank.FRESH) == "backlog"


async def test_a_source_is_never_read_twice_at_a_time_but_again_when_it_changed() -> None:
    queue = SourceQueue()
    queue.put(source("a"), Rank.BACKLOG)
    job = await queue.take(Rank.BACKLOG)
    queue.put(source("a"), Rank.URGENT)
    assert await taken(queue) is None
    queue.done(job)
    assert await taken(queue, Rank.URGENT) == "a"
    assert len(queue) == 0


async def test_finished_waits_for_what_waits_and_what_is_read() -> None:
    queue = SourceQueue()
    queue.put(source("a"), Rank.FRESH)
    queue.put(source("other"), Rank.FRESH)
    order = []

    async def wait() -> None:
        await queue.finished([source("a").path])
        order.append("finished")

    async with anyio.create_task_group() as group:
        group.start_soon(wait)
        job = await queue.take(Rank.FRESH)
        await anyio.wait_all_tasks_blocked()
        assert order == []
        queue.done(job)
    assert order == ["finished"]


async def test_a_waiting_reader_is_woken() -> None:
    queue = SourceQueue()
    async with anyio.create_task_group() as group:

        async def read() -> None:
            queue.done(await queue.take(Rank.BACKLOG))

        group.start_soon(read)
        await anyio.wait_all_tasks_blocked()
        queue.put(source("a"), Rank.BACKLOG)
    assert len(queue) == 0


def test_sessions_with_something_unread_are_told_with_their_parents() -> None:
    queue = SourceQueue()
    queue.put(source("child", parent="main"), Rank.FRESH)
    assert queue.sessions() == {("lines", "child"), ("lines", "main")}


def test_neighbours_are_found_newest_first() -> None:
    queue = SourceQueue()
    for name, mtime_ns in (("old", 1), ("new", 3), ("middle", 2)):
        queue.put(source(name), Rank.BACKLOG, mtime_ns=mtime_ns)
    queue.put(Source("lines", Path("/home/ada/q/far.jsonl")), Rank.BACKLOG, mtime_ns=9)
    assert [job.path.stem for job in queue.near([Path("/home/ada/p")], 2)] == ["new", "middle"]
