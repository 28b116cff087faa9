"""The finder: which sources there are to read, by what the watcher, the rescan and hooks tell."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import anyio
import anyio.to_thread

from memd.adapter import Adapter, Root, Source
from memd.capture.known import KnownSources
from memd.capture.queue import Rank, SourceQueue
from memd.capture.scan import Found, Scan, Stamp, has_plain_name, scan, stamp_of
from memd.capture.storage import Storage
from memd.capture.watch import RootStatus, Watcher
from memd.clock import Clock
from memd.errors import DamagedDatabase, StoreError
from memd.store import capturing

log = logging.getLogger(__name__)

SMALL_BYTES: Final = 4 << 20
"""What grew by no more than this is read before the backlog."""
_HEAD_BYTES: Final = 64 << 10
_GONE_AT_ONCE: Final = 200


class Finder:
    """Puts what has to be read into the queue, and notes what is gone."""

    def __init__(
        self,
        *,
        roots: Sequence[tuple[Adapter, Root]],
        watcher: Watcher,
        known: KnownSources,
        queue: SourceQueue,
        storage: Storage,
        clock: Clock,
    ) -> None:
        self._roots = roots
        self._watcher = watcher
        self._known = known
        self._queue = queue
        self._storage = storage
        self._clock = clock
        self._scans: dict[Root, Scan] = {}
        self._present_since_s: dict[str, float] = {}
        self._gone: set[Path] = set()
        self._scanning = anyio.Lock()
        self.scanned = anyio.Event()
        """Set once every root was looked through."""

    async def follow(self) -> None:
        """Ask for what the watcher reports, until cancelled."""
        while True:
            changes = await self._watcher.changes()
            for adapter, root in self._roots:
                if root.path in changes.roots:
                    await self._look_through(adapter, root)
            found = [source for path in changes.paths if (source := self.classify(path)) is not None]
            stamps = await anyio.to_thread.run_sync(_stamps, [source.path for source in found])
            for source, stamp in zip(found, stamps, strict=True):
                if stamp is None:
                    await self._missing(source)
                else:
                    self._ask(source, stamp)

    async def rescan(self) -> None:
        """Look through every root now."""
        for adapter, root in self._roots:
            await self._look_through(adapter, root)
        self.scanned.set()
        await self._watcher.expect({root.path: found.directories for root, found in self._scans.items()})

    async def ask_now(self, sources: Iterable[Source]) -> None:
        """Ask for those of the sources that are not as they were read; they go before all others."""
        wanted = list(sources)
        stamps = await anyio.to_thread.run_sync(_stamps, [source.path for source in wanted])
        for source, stamp in zip(wanted, stamps, strict=True):
            if stamp is None:
                await self._missing(source)
            elif source.path in self._queue or self._known.of(source.host).get(source.path) != stamp:
                self._queue.put(source, Rank.URGENT, mtime_ns=stamp.mtime_ns, size=stamp.size)

    async def vanished(self, host: str, paths: Sequence[Path]) -> None:
        """Note files that are gone; what was read of them stays."""
        self._known.forget(host, paths)
        self._gone.update(paths)
        now_ms = self._clock.now_ms()
        try:
            for start in range(0, len(paths), _GONE_AT_ONCE):
                some = paths[start : start + _GONE_AT_ONCE]
                mark = partial(capturing.mark_gone, host=host, paths=some, now_ms=now_ms)
                await self._storage.run(mark, background=True)
        except DamagedDatabase:
            raise
        except StoreError as error:
            log.warning("event=gone_not_stored host=%s files=%d error=%s", host, len(paths), error)

    def is_gone(self, path: Path) -> bool:
        """Whether a file was noted as gone."""
        return path in self._gone

    def returned(self, path: Path) -> None:
        """Note that a file that was gone is there again."""
        self._gone.discard(path)

    def classify(self, path: Path) -> Source | None:
        """Return the source at a path below one of the roots."""
        if not has_plain_name(path):
            return None
        return next((found for adapter, root in self._around(path) if (found := adapter.classify(root, path))), None)

    def _around(self, path: Path) -> Iterator[tuple[Adapter, Root]]:
        """Yield the roots that a path lies below. There may be hundreds, and it is asked for each change of a file."""
        text = str(path)
        for adapter, root in self._roots:
            if text.startswith(str(root.path)) and path.is_relative_to(root.path):
                yield adapter, root

    async def source_at(self, adapter: Adapter, path: Path) -> Source | None:
        """Return the source at a path that a hook named; it may lie outside of every root that is watched."""
        source = self.classify(path)
        if source is not None or any(self._around(path)):
            return source
        head = await anyio.to_thread.run_sync(_head, path) if has_plain_name(path) else None
        return None if head is None else adapter.recognise(path, head)

    def scans(self, host: str) -> list[Scan]:
        """Return what the last look through each root of a host found."""
        return [found for root, found in self._scans.items() if root.host == host]

    def present_s(self, host: str) -> float:
        """Return for how many seconds files of a host have been known to be here; 0 when there are none."""
        now_s = self._clock.monotonic_s()
        return now_s - self._present_since_s.get(host, now_s)

    def watched(self, host: str) -> tuple[RootStatus, ...]:
        """Return how each root of a host is watched."""
        roots: Mapping[Path, object] = {root.path: None for _, root in self._roots if root.host == host}
        return tuple(status for status in self._watcher.status() if status.root in roots)

    async def _look_through(self, adapter: Adapter, root: Root) -> None:
        async with self._scanning:
            known = dict(self._known.of(root.host))
            found = await anyio.to_thread.run_sync(scan, adapter, root, known)
        self._scans[root] = found
        if found.sources:
            self._present_since_s.setdefault(root.host, self._clock.monotonic_s())
        sample = _sample(found) if self._known.newest_ns(root.host) is None else None
        for entry in found.dirty:
            self._ask(entry.source, entry.stamp, laid=Rank.SAMPLE if entry is sample else Rank.BACKLOG)
        if found.vanished:
            await self.vanished(root.host, found.vanished)

    async def _missing(self, source: Source) -> None:
        if source.path in self._known.of(source.host):
            await self.vanished(source.host, [source.path])

    def _ask(self, source: Source, stamp: Stamp, *, laid: Rank | None = None) -> None:
        """Ask for a source at the rank that fits how much of it is new, or at `laid` when all of it lay there."""
        is_new = source.path not in self._known.of(source.host)
        small = self._known.unread_bytes(source.host, source.path, stamp.size) <= SMALL_BYTES
        rank = laid if laid is not None and is_new else Rank.FRESH if small else Rank.BACKLOG
        self._queue.put(source, rank, mtime_ns=stamp.mtime_ns, size=stamp.size)


def _sample(found: Scan) -> Found | None:
    """Return what tells soonest whether a host can be read: its newest source that is not large."""
    return next((entry for entry in found.dirty if entry.stamp.size <= SMALL_BYTES), None)


def _stamps(paths: Sequence[Path]) -> list[Stamp | None]:
    return [stamp_of(path) for path in paths]


def _head(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return None
