"""The watcher: tells which paths below the roots changed, a moment after they did.

Events only mark a path dirty; whoever wants to know drains the marks. Nothing here reads a file. What a watcher cannot
see (a full kernel queue, a memory-mapped write, the other end of a network mount) the periodic rescan finds.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

import anyio
import anyio.abc
import anyio.to_thread
from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from memd.capture.mounts import silent_filesystem

log = logging.getLogger(__name__)

# Without a filter every read of a file, our own included, is an event.
EVENTS: Final[list[type[FileSystemEvent]]] = [
    *(FileCreatedEvent, FileModifiedEvent, FileMovedEvent, FileDeletedEvent),
    *(DirCreatedEvent, DirMovedEvent, DirDeletedEvent),
]
DRAIN_S: Final = 0.05
CHECK_S: Final = 3.0
POLL_S: Final = 5.0

Mode: TypeAlias = Literal["native", "polling", "absent"]


@dataclass(frozen=True, slots=True)
class RootStatus:
    """How a root is watched: by the system's events, by looking every few seconds, or not yet, as it does not exist."""

    root: Path
    mode: Mode
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed: single files, and roots that have to be looked through as a whole."""

    paths: frozenset[Path]
    roots: frozenset[Path]


class DirtyPaths:
    """Marks set from any thread and taken by the event loop, which is woken once however many there are."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._paths: set[Path] = set()
        self._roots: set[Path] = set()
        self._woken = asyncio.Event()
        self._waking = False

    def mark(self, paths: Iterable[Path] = (), roots: Iterable[Path] = ()) -> None:
        """Mark paths and roots; callable from any thread, never waits."""
        with self._lock:
            self._paths.update(paths)
            self._roots.update(roots)
            if self._waking or not (self._paths or self._roots):
                return
            self._waking = True
        with suppress(RuntimeError):  # the loop is closed: nobody wants to know any more
            self._loop.call_soon_threadsafe(self._woken.set)

    async def wait(self) -> None:
        """Wait until something is marked."""
        await self._woken.wait()

    def take(self) -> Changes:
        """Return all marks and forget them."""
        with self._lock:
            changes = Changes(frozenset(self._paths), frozenset(self._roots))
            self._paths.clear()
            self._roots.clear()
            self._waking = False
            self._woken.clear()
        return changes


class _Handler(FileSystemEventHandler):
    """Marks what an observer reports. Its paths are real ones; the root's own spelling is put back."""

    def __init__(self, root: Path, real: Path, dirty: DirtyPaths) -> None:
        self._root = root
        self._real = str(real)
        self._dirty = dirty

    def on_any_event(self, event: FileSystemEvent) -> None:  # type: ignore[explicit-override]  # typing.override is 3.12
        """Mark the path, or both paths, of an event."""
        paths = [self._spelled(os.fsdecode(path)) for path in (event.src_path, event.dest_path) if path]
        if event.is_directory:
            # What lies in a folder that came or went is reported file by file only in the common cases.
            if isinstance(event, DirMovedEvent | DirDeletedEvent):
                self._dirty.mark(roots=[self._root])
            return
        self._dirty.mark(paths)

    def _spelled(self, path: str) -> Path:
        if path.startswith(self._real):
            return Path(str(self._root) + path[len(self._real) :])
        return Path(path)


@dataclass(slots=True)
class _Watched:
    status: RootStatus
    identity: tuple[int, int] | None = None
    watch: ObservedWatch | None = None
    refused: bool = False
    """The system has no watch left for this root: it stays polled until the daemon starts anew."""


class Watcher:
    """Watches roots that may not exist, may vanish and come back, or may lie where nothing is reported."""

    def __init__(
        self,
        roots: Iterable[Path],
        *,
        drain_s: float = DRAIN_S,
        check_s: float = CHECK_S,
        poll_s: float = POLL_S,
        poll_always: bool = False,
    ) -> None:
        self._drain_s = drain_s
        self._check_s = check_s
        self._poll_s = poll_s
        self._poll_always = poll_always
        self._watched = {root: _Watched(RootStatus(root, "absent")) for root in _outermost(roots)}
        self._observer: BaseObserver | None = None
        self._dirty: DirtyPaths | None = None

    def add(self, roots: Iterable[Path]) -> None:
        """Watch more roots from the next check on; those that lie below a root there is are watched with it."""
        outermost = _outermost([*self._watched, *roots])
        added = {root: _Watched(RootStatus(root, "absent")) for root in outermost if root not in self._watched}
        self._watched = {**self._watched, **added}  # another one, as a check may be going through this one in a thread

    def status(self) -> tuple[RootStatus, ...]:
        """Return how each root is watched right now."""
        return tuple(watched.status for watched in self._watched.values())

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Watch until cancelled. Ready (`started`) once every root that exists is watched; each is marked then."""
        self._dirty = DirtyPaths()
        try:
            async with anyio.create_task_group() as group:
                await anyio.to_thread.run_sync(self._check)
                group.start_soon(self._poll)
                task_status.started()
                while True:
                    await anyio.sleep(self._check_s)
                    await anyio.to_thread.run_sync(self._check)
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(self._stop)

    async def changes(self) -> Changes:
        """Wait for a change, then a moment more for those that come with it, and return them all."""
        assert self._dirty is not None, "the watcher does not run"
        await self._dirty.wait()
        await anyio.sleep(self._drain_s)
        return self._dirty.take()

    async def expect(self, directories: Mapping[Path, int]) -> None:
        """Compare the number of folders below the roots with the watches this process holds; poll where some lack.

        A watch that the system refuses for a sub-folder is refused silently; this is how it is noticed.
        """
        native = [root for root, watched in self._watched.items() if watched.status.mode == "native"]
        expected = sum(directories.get(root, 0) for root in native)
        if not native or await anyio.to_thread.run_sync(_watches_held, expected) >= expected:
            return
        largest = max(native, key=lambda root: directories.get(root, 0))
        await anyio.to_thread.run_sync(self._refuse, self._watched[largest])

    async def _poll(self) -> None:
        assert self._dirty is not None
        while True:
            await anyio.sleep(self._poll_s)
            self._dirty.mark(roots=[s.root for s in self.status() if s.mode == "polling"])

    def _check(self) -> None:
        """Watch each root that exists as the same folder it was; in a thread, as it may wait for a disk."""
        for watched in self._watched.values():
            try:
                found = watched.status.root.stat()
            except OSError:
                if watched.status.mode != "absent":
                    self._forget(watched)
                continue
            identity = (found.st_dev, found.st_ino)
            if identity != watched.identity:
                self._forget(watched)
                self._begin(watched)
                watched.identity = identity

    def _begin(self, watched: _Watched) -> None:
        assert self._dirty is not None
        root = watched.status.root
        filesystem = silent_filesystem(root)
        if filesystem is not None:
            warning = f"{root} lies on {filesystem}, which reports no changes: looked through every {self._poll_s:g} s."
            watched.status = RootStatus(root, "polling", warning)
        elif watched.refused or self._poll_always:
            watched.status = replace(watched.status, mode="polling")
        else:
            self._schedule(watched)
        self._dirty.mark(roots=[root])
        log.info("event=root_watched root=%s mode=%s", root, watched.status.mode)

    def _schedule(self, watched: _Watched) -> None:
        assert self._dirty is not None
        root = watched.status.root
        real = root.resolve()
        try:
            if self._observer is None:
                self._observer = Observer()
                self._observer.start()
            handler = _Handler(root, real, self._dirty)
            watched.watch = self._observer.schedule(handler, str(real), recursive=True, event_filter=EVENTS)
        except FileNotFoundError:
            watched.status = RootStatus(root, "absent")  # gone again; the next check sees it
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EMFILE}:
                log.warning("event=watch_failed root=%s error=%s", root, error)
            self._refuse(watched)
        else:
            watched.status = RootStatus(root, "native")

    def _refuse(self, watched: _Watched) -> None:
        self._unschedule(watched)
        root = watched.status.root
        watched.refused = True
        warning = (
            f"The system has too few watches for {root}: looked through every {self._poll_s:g} s."
            " A higher fs.inotify.max_user_watches (sysctl) mends it."
        )
        watched.status = RootStatus(root, "polling", warning)
        log.warning("event=watch_limit root=%s", root)

    def _forget(self, watched: _Watched) -> None:
        self._unschedule(watched)
        watched.identity = None
        watched.status = RootStatus(watched.status.root, "absent")

    def _unschedule(self, watched: _Watched) -> None:
        if watched.watch is not None and self._observer is not None:
            with suppress(KeyError):
                self._observer.unschedule(watched.watch)
        watched.watch = None

    def _stop(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
            self._observer = None


def _outermost(roots: Iterable[Path]) -> list[Path]:
    """Return the roots without those that lie below another one."""
    kept: dict[Path, None] = {}
    for root in sorted(set(roots), key=lambda path: len(path.parts)):
        if not any(outer in kept for outer in root.parents):
            kept[root] = None
    return list(kept)


def _watches_held(otherwise: int) -> int:
    """Return how many inotify watches this process holds (proc(5), fdinfo); `otherwise` where that cannot be told."""
    total = 0
    try:
        for entry in Path("/proc/self/fdinfo").iterdir():
            with suppress(FileNotFoundError):  # a descriptor that was closed meanwhile
                total += sum(line.startswith("inotify ") for line in entry.read_text().splitlines())
    except OSError:
        return otherwise
    return total
