"""How fast transcripts become searchable, end to end: `python -m tests.bench.bench_backfill [--mb N] [--sessions N]`.

Writes a tree of transcripts, reads it through capture (watcher, workers, redaction, search terms, store) into a new
database, and prints: megabytes a second, peak memory of this process and its workers together, the longest the event
loop was held up and a write transaction took, and how long it takes from an append until the message is found, idle
and while a backfill runs.
`--alone --mb 5000 --sessions 5000` is years of work in one tree: what memory it takes is the question there.
"""

from __future__ import annotations

import argparse
import json
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from typing_extensions import override

from memd.adapter import HostEnv
from memd.capture.pipeline import Capture
from memd.clock import SystemClock
from memd.config import CaptureConfig
from memd.registry import adapters
from memd.store.migrate import migrate
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from tests.bench.make_transcripts import write_tree

T = TypeVar("T")


@dataclass(slots=True)
class Measured:
    """What a run came to."""

    megabytes: float = 0.0
    seconds: float = 0.0
    peak_mb: float = 0.0
    loop_lag_ms: list[float] = field(default_factory=list)
    write_ms: list[tuple[float, float]] = field(default_factory=list)
    """Of each write transaction: by the clock, and of the processor."""
    idle_ms: list[float] = field(default_factory=list)
    busy_ms: list[float] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The result as people read it."""
        return [
            f"backfill            {self.megabytes / self.seconds:8.1f} MB/s   ({self.megabytes:.0f} MB)",
            f"peak memory, in all {self.peak_mb:8.1f} MB",
            f"event loop held     {max(self.loop_lag_ms, default=0):8.1f} ms at most",
            self._transactions(),
            _latency("append, idle        ", self.idle_ms),
            _latency("append, backfilling ", self.busy_ms),
        ]

    def _transactions(self) -> str:
        wall, cpu = (sorted(times) for times in zip(*self.write_ms, strict=True))
        p95 = round(0.95 * (len(wall) - 1))
        return (
            f"write transactions  {wall[-1]:8.1f} ms at most  {wall[p95]:.0f} ms p95  ({len(wall)}, of which"
            f" {sum(one > 50 for one in wall)} above 50 ms; cpu {cpu[-1]:.0f} ms at most)"
        )


class TimedWriter(Writer):
    """The writer, with a note of how long each transaction took."""

    measured: Measured

    @override
    def _transact(self, conn: sqlite3.Connection, function: Callable[[sqlite3.Connection], T], background: bool) -> T:
        times: list[float] = []

        def timed(conn: sqlite3.Connection) -> T:
            times.extend((time.perf_counter(), time.thread_time()))
            return function(conn)

        result = super()._transact(conn, timed, background)
        wall, cpu = times
        self.measured.write_ms.append(((time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000))
        return result


def _latency(name: str, values: list[float]) -> str:
    if not values:
        return f"{name}        -"
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return f"{name}{statistics.median(values):8.0f} ms p50  {p95:.0f} ms p95  ({len(values)} appends)"


def rss_mb(pid: int | str) -> float:
    """Resident memory of a process in megabytes."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * resource.getpagesize() / 1e6


async def watch_memory(workers: Workers, measured: Measured) -> None:
    """Note the largest sum of memory, and how late this task is woken."""
    while True:
        began = time.perf_counter()
        await anyio.sleep(0.02)
        measured.loop_lag_ms.append((time.perf_counter() - began) * 1000 - 20)
        total = rss_mb("self") + sum(rss_mb(pid) for pid in workers.status().processes)
        measured.peak_mb = max(measured.peak_mb, total)


async def found(readers: Readers, word: str) -> None:
    """Wait until a search finds a word."""
    query = "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH ?"
    with anyio.move_on_after(30):
        while not await readers.run(lambda conn: conn.execute(query, (word,)).fetchone()[0]):  # noqa: ASYNC110
            await anyio.sleep(0.005)


async def append_and_find(folder: Path, readers: Readers, latencies: list[float], stop: anyio.Event) -> None:
    """Append a prompt to a session of today and wait until it is found, again and again."""
    session = str(uuid.uuid4())
    path = folder / f"{session}.jsonl"
    number = 0
    while not stop.is_set():
        number += 1
        word = f"needle{uuid.uuid4().hex}"
        row = {
            "parentUuid": None, "isSidechain": False, "type": "user", "uuid": str(uuid.uuid4()),
            "message": {"role": "user", "content": f"please remember {word}"}, "cwd": "/home/ada/today",
            "timestamp": "2026-03-01T10:00:00.000Z", "sessionId": session, "version": "2.1.332",
        }  # fmt: skip
        with path.open("ab") as file:
            file.write(json.dumps(row).encode() + b"\n")
        began = time.perf_counter()
        await found(readers, word)
        latencies.append((time.perf_counter() - began) * 1000)
        await anyio.sleep(0.1)


async def measure(home: Path, megabytes: float, appends: bool, config: CaptureConfig | None = None) -> Measured:
    """Run a backfill over the transcripts below a home folder."""
    measured = Measured(megabytes=megabytes)
    database = home / "memd.db"
    migrate(database, home / "backups", 0)
    async with (
        TimedWriter.open(database) as writer,
        Readers.open(database) as readers,
        Workers() as workers,
        anyio.create_task_group() as group,
    ):
        assert isinstance(writer, TimedWriter)
        writer.measured = measured
        capture = Capture(
            config or CaptureConfig(),
            HostEnv(home, {"CLAUDE_CONFIG_DIR": str(home / ".claude")}, sys.platform),
            adapters(),
            writer=writer,
            readers=readers,
            workers=workers,
            clock=SystemClock(),
        )
        group.start_soon(watch_memory, workers, measured)
        today = home / ".claude" / "projects" / "-home-ada-today"
        today.mkdir(parents=True)
        began = time.perf_counter()
        await group.start(capture.serve)
        if appends:
            await during(capture, today, readers, measured, began)
        else:
            await capture.caught_up()
            measured.seconds = time.perf_counter() - began
        group.cancel_scope.cancel()
    return measured


async def during(capture: Capture, today: Path, readers: Readers, measured: Measured, began: float) -> None:
    """Append while the backfill runs, and then for three seconds more."""
    stop = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(append_and_find, today, readers, measured.busy_ms, stop)
        while True:
            status = await capture.status()
            if status.scanned and status.queue <= 1 and status.bytes_total - status.bytes_done < 100_000:
                break
            await anyio.sleep(0.1)
        measured.seconds = time.perf_counter() - began
        stop.set()
    stop = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(append_and_find, today, readers, measured.idle_ms, stop)
        await anyio.sleep(3)
        stop.set()


def main() -> None:
    """Measure twice: the backfill alone, and with appends (unless told otherwise)."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=200)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--alone", action="store_true", help="only the backfill, without appends beside it")
    arguments = parser.parse_args()
    for appends in (False,) if arguments.alone else (False, True):
        with tempfile.TemporaryDirectory(prefix="memd-bench-") as folder:
            home = Path(folder)
            # In a process of its own: what writing it takes is not what is measured.
            with ProcessPoolExecutor(1, get_context("spawn")) as other:
                size = other.submit(write_tree, home / ".claude", arguments.mb, arguments.sessions).result()
            measured = anyio.run(measure, home, size / 1e6, appends)
            print("\n".join(measured.lines()))


if __name__ == "__main__":
    main()
