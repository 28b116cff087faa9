from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from memd.errors import TranscriptError, WorkerFailed
from memd.workers.pool import Workers
from memd.workers.turns import Priority

MakeWorkers = Callable[..., Workers]


def running(pid: int) -> bool:
    """Whether a process lives (one that ended and waits to be reaped does not)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        if sys.platform == "linux":
            return False
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True
    return stat.rpartition(")")[2].split()[0] != "Z"


async def eventually(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""

    def wait() -> None:
        deadline = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    await anyio.to_thread.run_sync(wait)


async def gone(pid: int) -> None:
    await eventually(lambda: not running(pid))


async def content(path: Path) -> str:
    await eventually(lambda: path.exists() and path.read_text())
    return await anyio.Path(path).read_text()


async def test_a_task_returns_its_result(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        assert await workers.run("drills:double", 21, deadline_s=20) == 42


async def test_a_process_is_started_on_demand_and_used_again(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        assert workers.status().processes == ()
        first = await workers.run("drills:pid", None, deadline_s=20)
        second = await workers.run("drills:pid", None, deadline_s=20)
        assert first == second
        assert workers.status().started == 1


async def test_large_payloads_and_results_arrive_whole(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        assert await workers.run("drills:repeat", 9_000_001, deadline_s=30) == b"x" * 9_000_001
        assert await workers.run("drills:measure", bytes(9_000_001), deadline_s=30) == 9_000_001


async def test_what_a_task_prints_or_reads_does_not_disturb_the_frames(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        assert await workers.run("drills:print_and_read", None, deadline_s=20) == ""
        assert await workers.run("drills:double", 1, deadline_s=20) == 2


async def test_a_memd_error_arrives_as_it_was_raised(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        with pytest.raises(TranscriptError, match="holds no rows") as caught:
            await workers.run("drills:raise_transcript_error", "/home/ada/a.jsonl", deadline_s=20)
        assert caught.value.path == Path("/home/ada/a.jsonl")
        assert workers.status().failures == 0


async def test_an_os_error_arrives_as_it_was_raised(make_workers: MakeWorkers, tmp_path: Path) -> None:
    async with make_workers() as workers:
        with pytest.raises(FileNotFoundError):
            await workers.run("drills:raise_missing_file", str(tmp_path / "none"), deadline_s=20)


async def test_any_other_error_names_kind_and_line_but_not_the_data(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        with pytest.raises(WorkerFailed, match=r"raised ValueError in raise_something \(drills\.py:\d+\)") as caught:
            await workers.run("drills:raise_something", "what nobody may log", deadline_s=20)
        assert "nobody" not in str(caught.value)
        assert await workers.run("drills:double", 1, deadline_s=20) == 2


async def test_an_unknown_task_is_a_failure(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        with pytest.raises(WorkerFailed, match="raised AttributeError"):
            await workers.run("drills:nothing_here", None, deadline_s=20)


async def test_a_task_over_its_deadline_is_killed_and_the_next_one_runs(
    make_workers: MakeWorkers, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    async with make_workers(max_workers=1) as workers:
        with pytest.raises(WorkerFailed, match="ran over its deadline of 1 s"):
            await workers.run("drills:tell_and_sleep", str(note), deadline_s=1)
        await gone(int(note.read_text()))
        assert await workers.run("drills:double", 1, deadline_s=20) == 2


async def test_a_task_over_its_memory_fails_and_the_next_one_runs(make_workers: MakeWorkers) -> None:
    async with make_workers(memory_bytes=128 << 20) as workers:
        with pytest.raises(WorkerFailed, match="ran out of the 128 MB"):
            await workers.run("drills:hoard", 256 << 20, deadline_s=20)
        with pytest.raises(WorkerFailed, match="ran out of the 128 MB"):
            await workers.run("drills:repeat", 80 << 20, deadline_s=20)  # its pickle is what does not fit
        assert await workers.run("drills:double", 1, deadline_s=20) == 2


async def test_a_killed_process_is_a_failure_and_the_next_task_runs(make_workers: MakeWorkers, tmp_path: Path) -> None:
    note = tmp_path / "pid"

    async with make_workers() as workers, anyio.create_task_group() as group:

        async def kill() -> None:
            os.kill(int(await content(note)), signal.SIGKILL)

        group.start_soon(kill)
        with pytest.raises(WorkerFailed, match="was ended by SIGKILL"):
            await workers.run("drills:tell_and_sleep", str(note), deadline_s=30)
        assert await workers.run("drills:double", 1, deadline_s=20) == 2


async def test_a_process_killed_while_idle_is_not_used_again(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        pid = await workers.run("drills:pid", None, deadline_s=20)
        os.kill(pid, signal.SIGKILL)
        await gone(pid)
        await eventually(lambda: not workers.status().processes)
        assert await workers.run("drills:double", 1, deadline_s=20) == 2


async def test_a_process_that_exits_is_a_failure(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        with pytest.raises(WorkerFailed, match="ended with status 7"):
            await workers.run("drills:give_up", 7, deadline_s=20)


async def test_cancelling_the_waiting_task_kills_the_process(make_workers: MakeWorkers, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    async with make_workers() as workers:
        async with anyio.create_task_group() as group:

            async def run() -> None:
                await workers.run("drills:tell_and_sleep", str(note), deadline_s=30)

            group.start_soon(run)
            pid = int(await content(note))
            group.cancel_scope.cancel()
        assert not running(pid)
        assert await workers.run("drills:double", 1, deadline_s=20) == 2


async def test_an_idle_process_goes_and_a_new_one_comes_when_needed(make_workers: MakeWorkers) -> None:
    async with make_workers(idle_s=0.05) as workers:
        pid = await workers.run("drills:pid", None, deadline_s=20)
        await gone(pid)
        assert await workers.run("drills:pid", None, deadline_s=20) != pid


async def test_a_process_is_replaced_after_so_many_tasks(make_workers: MakeWorkers) -> None:
    async with make_workers(recycle_tasks=2) as workers:
        pids = [await workers.run("drills:pid", None, deadline_s=20) for _ in range(4)]
        assert pids[0] == pids[1] != pids[2] == pids[3]


async def test_a_process_that_grew_is_replaced(make_workers: MakeWorkers) -> None:
    async with make_workers(recycle_rss_bytes=1) as workers:
        first = await workers.run("drills:pid", None, deadline_s=20)
        assert await workers.run("drills:pid", None, deadline_s=20) != first


async def test_no_process_outlives_the_pool(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        pid = await workers.run("drills:pid", None, deadline_s=20)
    assert not running(pid)
    with pytest.raises(WorkerFailed, match="the pool is closed"):
        await workers.run("drills:pid", None, deadline_s=20)


async def test_an_idle_process_ends_in_order_with_the_pool(make_workers: MakeWorkers, tmp_path: Path) -> None:
    async with make_workers() as workers:
        await workers.run("drills:leave_a_note_at_the_end", str(tmp_path / "note"), deadline_s=20)
    assert (tmp_path / "note").read_text() == "ended in order"


async def test_a_process_is_modest_and_isolated(make_workers: MakeWorkers) -> None:
    async with make_workers() as workers:
        found = await workers.run("drills:surroundings", None, deadline_s=20)
    assert found == {"internal": "1", "nice": min(10 + os.nice(0), 19), "own_group": True, "isolated": 1, "cwd": "/"}


async def test_a_process_whose_answers_are_waited_for_steps_behind_nobody(make_workers: MakeWorkers) -> None:
    async with make_workers(modest=False) as workers:
        found = await workers.run("drills:surroundings", None, deadline_s=20, small=True)
    assert found["nice"] == os.nice(0)


async def test_no_more_processes_run_than_allowed(make_workers: MakeWorkers) -> None:
    pids: set[int] = set()
    async with make_workers(max_workers=2) as workers, anyio.create_task_group() as group:

        async def run() -> None:
            pids.add(await workers.run("drills:pid", None, deadline_s=30, priority=Priority.FOREGROUND))

        for _ in range(12):
            group.start_soon(run)
    assert len(pids) <= 2


OWNER = """
import anyio, sys
from pathlib import Path
from memd.workers.pool import Workers

async def main():
    async with Workers(import_path=(Path(sys.argv[1]),)) as workers:
        await workers.run("drills:tell_and_sleep", sys.argv[2], deadline_s=600)

anyio.run(main)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills a busy child with its parent")
def test_a_busy_process_dies_with_a_killed_owner(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", OWNER, str(Path(__file__).parent), str(note)]) as owner:
        deadline = time.monotonic() + 120
        while not (note.exists() and note.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        owner.kill()
    pid = int(note.read_text())
    while running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)
