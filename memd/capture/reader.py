"""The reader: reads one source to its end, batch by batch, each stored with its cursor in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import anyio.to_thread

from memd.adapter import Cursor, ReadLimits, Source
from memd.capture.ahead import Ahead, ahead
from memd.capture.exclusion import EXCLUDED, Exclusion
from memd.capture.known import KnownSources
from memd.capture.pace import Pace, weight
from memd.capture.parse import TASK, ParseRequest
from memd.capture.placing import Placing
from memd.capture.queue import Job
from memd.capture.scan import stamp_of
from memd.capture.storage import Storage
from memd.clock import Clock
from memd.store import capturing, sources
from memd.store.ingest import Ingested, Prepared
from memd.store.readers import Readers
from memd.workers.pool import Workers
from memd.workers.turns import Priority

DEADLINE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Start:
    """Where to read on: the cursor, and the path under which it was stored if the file has been moved since."""

    cursor: Cursor | None
    moved_from: Path | None = None
    again: bool = False
    """Whether it was read before and is read from its start nevertheless."""


class SourceReader:
    """Reads sources; it holds what all reads share and nothing of a single one.

    `on_ended` is called when something was read of a session that had ended before.
    """

    def __init__(
        self,
        *,
        readers: Readers,
        workers: Workers,
        storage: Storage,
        clock: Clock,
        known: KnownSources,
        placing: Placing,
        exclusion: Exclusion,
        on_ended: Callable[[], None],
    ) -> None:
        self._readers = readers
        self._workers = workers
        self._storage = storage
        self._clock = clock
        self._known = known
        self._placing = placing
        self._exclusion = exclusion
        self._on_ended = on_ended
        self._pace = Pace()

    async def read(self, job: Job, failures: int = 0) -> None:
        """Read a source until there is no more. After failures smaller pieces are taken.

        Raises what the adapter raises (OSError, TranscriptError), WorkerFailed, and StoreError for what cannot be
        stored. What was stored before stays: the next read goes on there.
        """
        start = await self._start(job.source)
        cursor, moved_from = start.cursor, start.moved_from
        prepared = await self._parse(job, cursor, failures)
        late = False
        while True:
            if start.again and cursor is None:
                prepared = _restarted(prepared)
            batch = prepared.batch
            kept = self._exclusion.without(prepared)
            if cursor is None and not start.again and not kept.batch.events and EXCLUDED in kept.batch.skipped:
                await self._leave_out(job.source)
                return
            if batch.restarted:
                moved_from = None
            if batch.events or batch.skipped or batch.cursor != cursor or moved_from or job.returned:
                async with ahead(partial(self._parse, job, batch.cursor, failures), wanted=batch.more) as following:
                    stored, seconds = await self._store(job, kept, moved_from)
                late |= stored.late
                self._pace.note(batch.cursor.offset - (cursor.offset if cursor else 0), weight(kept), seconds)
            else:
                following = Ahead()
            cursor, moved_from, job.returned = batch.cursor, None, False
            self._known.read(job.source, cursor)
            if not batch.more:
                if late:
                    self._on_ended()
                return
            prepared = following.result() or await self._parse(job, cursor, failures)

    async def _start(self, source: Source) -> Start:
        cursor = await self._readers.run(lambda conn: sources.load(conn, source.host, source.path))
        if cursor is not None:
            return await self._go_on(source, cursor)
        self._exclusion.learn(source.path)
        stamp = await anyio.to_thread.run_sync(stamp_of, source.path)
        if stamp is None:
            raise FileNotFoundError(source.path)
        before = self._known.path_of(source.host, stamp.inode)
        if before is None or before == source.path or await anyio.to_thread.run_sync(stamp_of, before) is not None:
            return Start(None)
        cursor = await self._readers.run(lambda conn: sources.load(conn, source.host, before))
        return Start(cursor, None if cursor is None else before)

    async def _go_on(self, source: Source, cursor: Cursor) -> Start:
        """Return where to read on. Whether a session that was in a folder left out still is, only its rows tell."""
        if self._exclusion.knows(source.path):
            return Start(cursor)
        left_out = await self._readers.run(lambda conn: sources.has_skipped(conn, source, EXCLUDED))
        self._exclusion.learn(source.path)
        return Start(None, again=True) if left_out else Start(cursor)

    async def _parse(self, job: Job, cursor: Cursor | None, failures: int) -> Prepared:
        """Have the next batch parsed; one that would keep the writer for too long is taken in smaller pieces."""
        batch_bytes = self._pace.batch_bytes(failures)
        while True:
            limits = ReadLimits(batch_bytes=batch_bytes)
            priority = Priority.BACKGROUND if job.rank.laid else Priority.FOREGROUND
            request = ParseRequest(job.source, cursor, limits)
            prepared = await self._workers.run(TASK, request, deadline_s=DEADLINE_S, priority=priority)
            assert isinstance(prepared, Prepared)
            smaller = self._pace.smaller(batch_bytes, weight(prepared))
            if smaller is None:
                return prepared
            batch_bytes = smaller

    async def _store(self, job: Job, prepared: Prepared, moved_from: Path | None) -> tuple[Ingested, float]:
        """Store a batch; return what changed and the seconds it took."""
        source = job.source
        events, places = await self._placing.place(prepared.batch.events)
        prepared = replace(prepared, batch=replace(prepared.batch, events=events))
        now_ms = self._clock.now_ms()
        return await self._storage.run(
            lambda conn: capturing.take_in(conn, source, prepared, places, moved_from, now_ms),
            background=job.rank.laid,
        )

    async def _leave_out(self, source: Source) -> None:
        """Store nothing of a source, not even that it exists, and do not look at it again until it changes."""
        stamp = await anyio.to_thread.run_sync(stamp_of, source.path)
        if stamp is not None:
            self._known.note(source, stamp)


def _restarted(prepared: Prepared) -> Prepared:
    return replace(prepared, batch=replace(prepared.batch, restarted=True))
