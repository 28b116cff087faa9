"""Reading: one source after the other, what fails again a little later, and not for ever."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

import anyio

from memd.adapter import Source
from memd.capture.finder import Finder
from memd.capture.known import KnownSources
from memd.capture.queue import Job, Rank, SourceQueue
from memd.capture.reader import SourceReader
from memd.capture.scan import stamp_of
from memd.capture.storage import Storage
from memd.clock import Clock
from memd.errors import DamagedDatabase, StoreError, TranscriptError, WorkerFailed
from memd.store import sources

log = logging.getLogger(__name__)

_MOST_FAILURES: Final = 3


class Reading:
    """Takes sources from the queue, most urgent first. Any number may read at a time.

    `soon` lets a coroutine function go on by itself with its arguments. What failed for the first time is tried again
    after twice `retry_s` seconds.
    """

    def __init__(
        self,
        *,
        reader: SourceReader,
        queue: SourceQueue,
        finder: Finder,
        known: KnownSources,
        storage: Storage,
        clock: Clock,
        retry_s: float,
        soon: Callable[..., None],
    ) -> None:
        self._reader = reader
        self._queue = queue
        self._finder = finder
        self._known = known
        self._storage = storage
        self._clock = clock
        self._retry_s = retry_s
        self._soon = soon
        self._failures: dict[Path, int] = {}

    async def go_on(self, worst: Rank) -> None:
        """Read one source after the other, none that ranks below `worst`, until cancelled."""
        while True:
            job = await self._queue.take(worst)
            try:
                await self._read_one(job)
            finally:
                self._queue.done(job)

    async def _read_one(self, job: Job) -> None:
        failures = self._failures.get(job.path, 0)
        try:
            job.returned = self._finder.is_gone(job.path)
            await self._reader.read(job, failures)
        except (FileNotFoundError, NotADirectoryError):
            await self._finder.vanished(job.source.host, [job.path])
        except DamagedDatabase:
            raise
        except (TranscriptError, OSError, WorkerFailed, StoreError) as error:
            await self._failed(job, error, failures + 1)
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
            # A defect of ours in one source must not end the reading of all the others.
            log.exception("event=read_defect source=%s", job.path)
            await self._failed(job, error, failures + 1)
        else:
            self._failures.pop(job.path, None)
            self._finder.returned(job.path)

    async def _failed(self, job: Job, error: Exception, failures: int) -> None:
        """Try a source again after a while, and give up on it until it changes when that does not help."""
        log.warning("event=read_failed source=%s failures=%d error=%s", job.path, failures, error)
        if isinstance(error, WorkerFailed | StoreError) and failures < _MOST_FAILURES:
            self._failures[job.path] = failures
            self._soon(self._retry, job.source, job.rank, job.mtime_ns, job.size, self._retry_s * 2**failures)
            return
        self._failures.pop(job.path, None)
        reason = error.strerror or type(error).__name__ if isinstance(error, OSError) else str(error)
        source, now_ms = job.source, self._clock.now_ms()
        await self._storage.run(lambda conn: sources.set_error(conn, source, reason, now_ms), background=True)
        if not isinstance(error, OSError):  # what forbids reading may go away without a change of the file
            stamp = await anyio.to_thread.run_sync(stamp_of, job.path)
            if stamp is not None:
                self._known.note(source, stamp)

    async def _retry(self, source: Source, rank: Rank, mtime_ns: int, size: int, wait_s: float) -> None:
        await anyio.sleep(wait_s)
        self._queue.put(source, rank, mtime_ns=mtime_ns, size=size)
