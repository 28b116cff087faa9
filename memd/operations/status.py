"""Status: what memd has read and how it fares, with a sentence for everything that is not as it should be."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anyio import to_thread

from memd import __version__
from memd.capture.status import CaptureStatus, HostCapture
from memd.operations.board import Post
from memd.operations.excluded import kept_of_excluded
from memd.operations.injection_answers import HitRateAnswer
from memd.operations.injections import hit_rate
from memd.operations.jobs import job_answers
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.shapes import time_of
from memd.operations.status_answers import (
    BackfillAnswer,
    DatabaseAnswer,
    HostAnswer,
    JobAnswer,
    QueuesAnswer,
    RootAnswer,
    StatusAnswer,
    WritesAnswer,
)
from memd.paths import Paths
from memd.registry import problems
from memd.store import backup, injections, meta
from memd.store.facts import Connection
from memd.store.transactions import Transactions

RECOVERY: Final = "recovery"
"""The note in which the daemon keeps the story of the last recovery."""
_GIVEN_MS: Final = 30 * 86_400_000


@dataclass(frozen=True, slots=True)
class _Stored:
    counts: meta.Counts
    jobs: tuple[JobAnswer, ...]
    recovery: str | None
    given: tuple[HitRateAnswer, ...]


@operation("status", reads=True)
async def status(memory: Memory, params: NoParams) -> StatusAnswer:
    """Tell what was read of each host, what waits, and what is not as it should be."""
    since = memory.clock.now_ms() - _GIVEN_MS
    stored = await memory.readers.run(lambda conn: _stored(conn, memory.board.posts, since))
    capture = await memory.capture.status()
    now = memory.clock.now_ms()
    counts = stored.counts
    return StatusAnswer(
        version=__version__,
        pid=os.getpid(),
        started=time_of(memory.started_at),
        uptime_s=round(max(now - memory.started_at, 0) / 1000, 3),
        sessions=counts.sessions,
        messages=counts.messages,
        facts=counts.facts,
        projects=counts.projects,
        queues=QueuesAnswer(capture.queue, memory.writer.queued, counts.undistilled),
        writes=_writes(memory.writer.transactions),
        hosts={host.host: _host(host, counts) for host in capture.hosts},
        backfill=_backfill(capture),
        workers=len(memory.workers.status().processes),
        jobs=stored.jobs,
        database=await to_thread.run_sync(_database, memory.paths),
        recovery=stored.recovery,
        warnings=memory.config.warnings,
        degraded=(*degraded(memory, capture, stored.jobs), *await kept_of_excluded(memory)),
        injections=stored.given,
    )


def degraded(memory: Memory, capture: CaptureStatus, jobs: tuple[JobAnswer, ...]) -> Iterator[str]:
    """Give a sentence for everything that is not as it should be, the worst first."""
    if capture.blocked:
        yield capture.blocked
    if memory.left_off:
        yield "A deletion that was asked for could not be brought to its end; memd goes on with it every minute."
    for host in capture.hosts:
        yield from host.warnings
        if host.errors:
            count = len(host.errors)
            yield f"{count} {'file' if count == 1 else 'files'} of {host.title} could not be read: {host.errors[0]}."
    if memory.distiller.last_error:
        yield f"The last session that was distilled failed: {memory.distiller.last_error}"
    if memory.distiller.model_error:
        yield memory.distiller.model_error
    if memory.indexer.last_error:
        yield f"The last code that was looked at could not be: {memory.indexer.last_error}"
    for job in jobs:
        if job.error:
            yield f"The job {job.name} failed at {job.error_at}: {job.error}"
    paused = memory.board.paused()
    if paused:
        yield f"Paused: {', '.join(paused)}; `memd admin jobs_resume` lets them go on."
    yield from problems()
    yield from memory.config.warnings
    yield from memory.injector.problems
    if memory.semantic is not None and memory.semantic.problem:
        yield memory.semantic.problem


def _stored(conn: Connection, posts: Mapping[str, Post], since_ms: int) -> _Stored:
    given = tuple(map(hit_rate, injections.stats(conn, since_ms)))
    return _Stored(meta.counts(conn), job_answers(conn, posts), meta.get(conn, RECOVERY), given)


def _host(host: HostCapture, counts: meta.Counts) -> HostAnswer:
    kept = next((kept for kept in counts.hosts if kept.host == host.host), None)
    return HostAnswer(
        title=host.title,
        present=host.present,
        sources=host.sources,
        waiting=host.waiting,
        sessions=0 if kept is None else kept.sessions,
        messages=0 if kept is None else kept.messages,
        newest_on_disk=time_of(host.newest_on_disk),
        newest_captured=time_of(host.newest_captured),
        lag_s=host.lag_s if host.present else None,
        skipped=host.skipped,
        errors=host.errors,
        roots=tuple(RootAnswer(str(root.root), root.mode, root.warning) for root in host.roots),
    )


def _backfill(capture: CaptureStatus) -> BackfillAnswer:
    total = sum(host.sources for host in capture.hosts)
    running = not capture.scanned or (capture.queue > 0 and capture.blocked is None)
    return BackfillAnswer(
        running=running,
        sources_done=max(total - capture.queue, 0),
        sources_total=total,
        bytes_done=capture.bytes_done,
        bytes_total=capture.bytes_total,
    )


def _writes(done: Transactions) -> WritesAnswer:
    return WritesAnswer(
        transactions=done.count,
        above_50_ms=done.long,
        above_50_ms_cpu=done.long_cpu,
        longest_ms=round(done.longest_ms, 1),
        longest_cpu_ms=round(done.longest_cpu_ms, 1),
        most_rows=done.most_rows,
        longest=done.longest,
        largest=done.largest,
    )


def _database(paths: Paths) -> DatabaseAnswer:
    kept = backup.backups(paths.backups_dir)
    files = (paths.database.with_name(paths.database.name + suffix) for suffix in ("", "-wal", "-shm"))
    return DatabaseAnswer(
        path=str(paths.database),
        bytes=sum(map(_size, files)),
        backups=len(kept),
        newest_backup=time_of(kept[0].at) if kept else None,
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
