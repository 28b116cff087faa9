"""A clock that is set back between two runs of the daemon, and while a job waits for its time."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import anyio
from anyio import to_thread

from memd.clock import SystemClock
from memd.schedule import Job, Schedule
from memd.store import jobs as job_log
from memd.store.migrate import migrate
from memd.store.readers import Readers
from memd.store.writer import Writer
from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

FIRST, SECOND, THIRD = (f"0a11ce00-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
DAY_MS = 86_400_000
# The daemon as `memd up` runs it, on a machine whose clock is three days slow.
_SLOW_BY_DAYS = """
import os, sys
from memd import clock, config, daemon
from memd.paths import resolve
import anyio

class Slow(clock.SystemClock):
    def now_ms(self) -> int:
        return super().now_ms() - 3 * 86_400_000

paths = resolve(os.environ)
anyio.run(lambda: daemon.run(paths, config.load(paths.config_file, os.environ), clock=Slow()))
"""


def minute(days_ago: int, minute: int) -> str:
    """A time of a transcript's row, up to the minute."""
    at = datetime.fromtimestamp((SystemClock().now_ms() - days_ago * DAY_MS) / 1000, UTC)
    return at.replace(hour=0, minute=minute).isoformat(timespec="minutes").removesuffix("+00:00")


def test_a_clock_set_back_between_two_runs_changes_neither_order_nor_what_happens(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project, at=minute(1, 0))
    with running(home) as daemon:
        home.hook("SessionStart", FIRST, project, source="startup")
        talk.user("Let's use SQLite instead of Postgres, because the harbour office has no server.")
        talk.model("Agreed.")
        wait_until(lambda: home.call("status")["messages"] == 2, "the first words")
        home.call("backup.now")
        assert daemon.stop() == 0

    with running(home, command=[sys.executable, "-c", _SLOW_BY_DAYS]):
        home.hook("SessionStart", FIRST, project, source="resume")
        talk.at = minute(4, 1)
        talk.user("Three days earlier: the anchor is rusty.")
        talk.model("So it is.")
        wait_until(lambda: home.call("status")["messages"] == 4, "what was said on the slow clock")
        home.call("backup.now")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: bool(home.call("facts.list")), "the distilled session")
        told = home.hook("SessionStart", SECOND, project, source="startup")
        status = home.call("status")
    texts = [text for (text,) in home.query("SELECT text FROM messages ORDER BY seq")]
    assert [text.split()[0] for text in texts] == ["Let's", "Agreed.", "Three", "So"]
    assert "SQLite instead of Postgres" in told
    assert status["uptime_s"] >= 0
    assert status["hosts"]["claude_code"]["lag_s"] == 0
    assert status["degraded"] == []


def test_a_session_that_spoke_in_the_future_ends_and_is_distilled(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(THIRD), project, at=minute(-3, 0))
    talk.user("Let's use Caddy instead of nginx, because it renews its certificates by itself.")
    with running(home):
        wait_until(lambda: home.call("status")["messages"] == 1, "the words of the day after tomorrow")
        home.hook("SessionEnd", THIRD, project, reason="other")
        wait_until(lambda: settled(home), "the distilled session")
        assert home.call("facts.list")


async def test_a_job_that_last_ran_in_the_future_runs_after_one_interval(tmp_path: Path) -> None:
    database = tmp_path / "memd.db"
    await to_thread.run_sync(migrate, database, tmp_path / "backups", 0)
    clock = SystemClock()
    ran = anyio.Event()

    async def body() -> None:
        ran.set()

    job = Job("backup", 0.2, body, first_s=0.0)
    async with (
        Writer.open(database) as writer,
        Readers.open(database) as readers,
        anyio.create_task_group() as group,
    ):
        future = clock.now_ms() + 10 * DAY_MS
        await writer.run(lambda conn: job_log.finished(conn, "backup", future, future))
        await group.start(Schedule((job,), writer, readers, clock).serve)
        with anyio.fail_after(120):
            await ran.wait()
        group.cancel_scope.cancel()


async def test_a_job_whose_time_passed_while_the_machine_slept_runs_once(tmp_path: Path) -> None:
    database = tmp_path / "memd.db"
    await to_thread.run_sync(migrate, database, tmp_path / "backups", 0)
    clock = SystemClock()
    ran: list[str] = []

    async def body() -> None:
        ran.append("backup")

    async def other() -> None:
        ran.append("other")

    jobs = (Job("backup", 3600, body, first_s=0.0), Job("other", 0.2, other, first_s=0.2))
    async with (
        Writer.open(database) as writer,
        Readers.open(database) as readers,
        anyio.create_task_group() as group,
    ):
        long_ago = clock.now_ms() - 10 * DAY_MS
        await writer.run(lambda conn: job_log.finished(conn, "backup", long_ago, long_ago))
        await group.start(Schedule(jobs, writer, readers, clock).serve)
        with anyio.fail_after(120):
            while ran.count("other") < 2:  # noqa: ASYNC110 - the list tells nobody
                await anyio.sleep(0.02)
        group.cancel_scope.cancel()
    assert ran.count("backup") == 1
