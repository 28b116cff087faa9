"""The queue: which sources have to be read, in what order; never one of them by two readers."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import anyio

from memd.adapter import Source


class Rank(IntEnum):
    """How soon a source should be read; the lower number goes first."""

    URGENT = 0
    """A hook named it, or somebody waits for it."""
    FRESH = 1
    """It grew a little: what is said right now."""
    SAMPLE = 2
    """It lay there before, and tells soonest whether anything of its host can be read."""
    BACKLOG = 3
    """It lay there before; the newest first, so that today's work is known while years are still being read."""

    @property
    def laid(self) -> bool:
        """Whether it was written before memd looked, so that nobody waits for it."""
        return self >= Rank.SAMPLE


@dataclass(slots=True, eq=False)
class Job:
    """A source that has to be read."""

    source: Source
    rank: Rank
    mtime_ns: int
    size: int
    returned: bool = False
    """It was gone, and the store still says so."""
    reading: bool = False
    again: bool = False
    """It changed while it was being read."""

    @property
    def path(self) -> Path:
        """The source's path, by which it is known here."""
        return self.source.path


class SourceQueue:
    """Sources waiting to be read or being read. For one event loop; nothing here waits for a disk."""

    def __init__(self) -> None:
        self._jobs: dict[Path, Job] = {}
        self._heap: list[tuple[Rank, int, int, Job]] = []
        self._order = itertools.count()
        self._changed = anyio.Event()

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[Job]:
        return iter(tuple(self._jobs.values()))

    def __contains__(self, path: Path) -> bool:
        return path in self._jobs

    def sessions(self) -> frozenset[tuple[str, str]]:
        """Return host and native id of every session of which something is still unread, as far as paths tell."""
        return frozenset(
            (job.source.host, session)
            for job in self._jobs.values()
            for session in (job.source.session, job.source.parent)
            if session is not None
        )

    def put(self, source: Source, rank: Rank, *, mtime_ns: int = 0, size: int = 0) -> Job:
        """Ask for a source to be read from here on; asked again it keeps the better rank."""
        job = self._jobs.get(source.path)
        if job is None:
            job = self._jobs[source.path] = Job(source, rank, mtime_ns, size)
            self._push(job)
            return job
        job.mtime_ns, job.size = max(job.mtime_ns, mtime_ns), max(job.size, size)
        if job.reading:
            job.again = True
            job.rank = min(job.rank, rank)
        elif rank < job.rank:
            job.rank = rank
            self._push(job)
        return job

    def promote(self, path: Path, rank: Rank) -> None:
        """Give a source that is asked for a better rank."""
        job = self._jobs.get(path)
        if job is not None and rank < job.rank:
            job.rank = rank
            if not job.reading:
                self._push(job)

    async def take(self, worst: Rank) -> Job:
        """Wait for a source of at least this rank and return the best; the caller must say `done` of it."""
        while True:
            job = self._best(worst)
            if job is not None:
                job.reading = True
                return job
            await self._changed.wait()

    def done(self, job: Job) -> None:
        """Note that reading of a source came to an end; if it changed meanwhile it is asked for again."""
        job.reading = False
        if job.again:
            job.again = False
            self._push(job)
            return
        del self._jobs[job.path]
        self._tell()

    async def finished(self, paths: Collection[Path]) -> None:
        """Wait until none of these is waiting or being read."""
        while any(path in self._jobs for path in paths):
            await self._changed.wait()

    async def finished_all(self) -> None:
        """Wait until there is nothing to read."""
        while self._jobs:
            await self._changed.wait()

    def near(self, folders: Iterable[Path], most: int) -> list[Job]:
        """Return the newest jobs whose files lie directly in one of the folders."""
        wanted = frozenset(folders)
        found = [job for job in self._jobs.values() if job.path.parent in wanted]
        return heapq.nlargest(most, found, key=lambda job: job.mtime_ns)

    def _push(self, job: Job) -> None:
        heapq.heappush(self._heap, (job.rank, -job.mtime_ns, next(self._order), job))
        self._tell()

    def _best(self, worst: Rank) -> Job | None:
        while self._heap:
            rank, _, _, job = self._heap[0]
            # A promoted job left its old entry behind.
            stale = job.reading or rank is not job.rank or self._jobs.get(job.path) is not job
            if not stale and rank > worst:
                return None
            heapq.heappop(self._heap)
            if not stale:
                return job
        return None

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()
