"""Capture: from what hosts write to stored sessions, without anybody asking for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import anyio
import anyio.abc
import anyio.to_thread

from memd.adapter import Adapter, HostEnv, Root, SessionUpdate, Source
from memd.capture.exclusion import Exclusion
from memd.capture.finder import Finder
from memd.capture.known import KnownSources
from memd.capture.lifecycle import Lifecycle
from memd.capture.placing import Placing
from memd.capture.queue import Job, Rank, SourceQueue
from memd.capture.reader import SourceReader
from memd.capture.reading import Reading
from memd.capture.roots import find_roots
from memd.capture.states import SessionKey
from memd.capture.status import CaptureStatus, Observed, host_capture
from memd.capture.storage import Storage
from memd.capture.watch import Watcher
from memd.clock import Clock
from memd.config import CaptureConfig
from memd.errors import DamagedDatabase, StoreError
from memd.store import capturing, sources
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.text.session_ids import session_id
from memd.workers.pool import Workers
from memd_hooks.events import HookEvent

log = logging.getLogger(__name__)

BACKLOG_READERS: Final = 2
RETRY_S: Final = 1.0
TICK_S: Final = 5.0
LAST_WORDS_S: Final = 0.3
"""A host ends a session and writes its last rows at about the same time."""
END_DEADLINE_S: Final = 30.0
FAREWELL_S: Final = 8.0
"""Many sessions may end as the machine goes down and is busy; whoever stops the daemon waits for longer than this."""
PLACING_PATIENCE_S: Final = 0.1
_NEIGHBOURS: Final = 3


class Capture:
    """Watches the hosts' folders, reads what is new in worker processes and stores it.

    `own_folders` are memd's: sessions that run in them are nobody's. `on_ended` is called when sessions went idle or
    ended and can be distilled. `roots` are those of `find_roots`, which blocks on the disk: on an event loop it is
    called in a thread before.
    """

    def __init__(
        self,
        config: CaptureConfig,
        env: HostEnv,
        adapters: Mapping[str, Adapter],
        *,
        writer: Writer,
        readers: Readers,
        workers: Workers,
        clock: Clock,
        own_folders: Iterable[Path] = (),
        on_ended: Callable[[], None] = lambda: None,
        roots: Sequence[tuple[Adapter, Root]] | None = None,
        watcher: Callable[[Iterable[Path]], Watcher] = Watcher,
        tick_s: float = TICK_S,
        retry_s: float = RETRY_S,
    ) -> None:
        self._config = config
        self._adapters = {name: adapter for name, adapter in adapters.items() if name not in config.hosts_off}
        self._env = env
        # The finder and the life cycle hold the same list, and so learn of what is added to it.
        self._roots = roots = find_roots(config, env, adapters) if roots is None else list(roots)
        self._readers = readers
        self._tick_s = tick_s
        self._known = KnownSources()
        self._queue = SourceQueue()
        self._storage = Storage(writer)
        self._placing = Placing(env.home, env.env)
        self._exclusion = Exclusion(config.exclude, own_folders, env.home)
        self._watcher = watcher([root.path for _, root in roots])
        self._finder = Finder(
            roots=roots,
            watcher=self._watcher,
            known=self._known,
            queue=self._queue,
            storage=self._storage,
            clock=clock,
        )
        self._lifecycle = Lifecycle(
            readers=readers,
            storage=self._storage,
            clock=clock,
            placing=self._placing,
            roots=roots,
            idle_ms=config.idle_minutes * 60_000,
            on_ended=on_ended,
        )
        self._reader = SourceReader(
            readers=readers,
            workers=workers,
            storage=self._storage,
            clock=clock,
            known=self._known,
            placing=self._placing,
            exclusion=self._exclusion,
            on_ended=on_ended,
        )
        self._reading = Reading(
            reader=self._reader,
            queue=self._queue,
            finder=self._finder,
            known=self._known,
            storage=self._storage,
            clock=clock,
            retry_s=retry_s,
            soon=self._soon,
        )
        self._closing: dict[SessionKey, anyio.Event] = {}
        self._hurry = anyio.Event()
        self._group: anyio.abc.TaskGroup | None = None
        self._early: list[tuple[Callable[..., Coroutine[object, object, None]], tuple[object, ...]]] = []
        """What is to go on by itself and was asked for before `serve` had begun."""

    async def serve(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Capture until cancelled. Ready (`started`) once what was read before is known and every root is watched."""
        await anyio.to_thread.run_sync(self._exclusion.follow_links)
        found = await self._readers.run(lambda conn: capturing.cursors(conn, self._adapters))
        for host, stamps in found.items():
            self._known.load(host, stamps)
        await self.refresh_projects()
        async with anyio.create_task_group() as group:
            self._group = group
            await group.start(self._watcher.run)
            group.start_soon(self._finder.follow)
            group.start_soon(self._rescan)
            group.start_soon(self._tick)
            for _ in range(BACKLOG_READERS):
                group.start_soon(self._reading.go_on, Rank.BACKLOG)
            group.start_soon(self._reading.go_on, Rank.FRESH)
            for function, arguments in self._early:
                self._soon(function, *arguments)
            self._early.clear()
            task_status.started()

    async def caught_up(self) -> None:
        """Wait until every root was looked through and everything found was read."""
        await self._finder.scanned.wait()
        await self._queue.finished_all()

    async def rescan(self) -> None:
        """Look through every root now."""
        await self._finder.rescan()

    async def retry(self) -> int:
        """Read again what could not be read, although it has not changed since; return how many sources that are."""
        failed = await self._readers.run(sources.failed)
        for host, path in failed:
            self._known.forget(host, [path])
        self._soon(self._finder.rescan)
        return len(failed)

    async def on_event(self, event: HookEvent) -> None:
        """Take what a hook tells: the session lives or is over, and its transcript is read before all others.

        Returns at once, as a host waits for its hook: what follows from the event goes on by itself.
        """
        adapter = self._adapters.get(event.host_is)
        if adapter is None or self._exclusion.covers(event.cwd):
            return
        transcript, agents = [
            None if path is None else await self._finder.source_at(adapter, path)
            for path in (event.transcript_path, event.agent_transcript_path)
        ]
        await self._finder.ask_now(filter(None, (transcript, agents)))
        match event.event:
            case "SessionEnd":
                paths = [] if transcript is None else [transcript.path]
                self._lifecycle.over(event.host_is, event.session_id, event.reason or "exit")
                self._close(event.host_is, event.session_id, paths)
            case "SubagentStop" if agents is not None and agents.session is not None:
                session = session_id(agents.session)
                self._lifecycle.over(agents.host, session, "stop")
                self._close(agents.host, session, [agents.path])
            case "SessionStart" | "UserPromptSubmit" if not event.agent_id:
                cwd = None if event.cwd is None else str(event.cwd)
                update = SessionUpdate(event.session_id, cwd=cwd, model=event.model or None)
                self._lifecycle.began(adapter.name, event.session_id)
                self._soon(self._lifecycle.record, adapter.name, update)
            case _:
                pass

    async def settle(
        self,
        *,
        cwd: Path | None = None,
        session: tuple[str, str] | None = None,
        paths: Iterable[Path] = (),
        deadline_s: float,
    ) -> bool:
        """Read now whatever is new of a project's open sessions, of a session (host, native id) or of these files.

        For a project, sessions that are said to be over are ended at once instead of being given time for last words.
        Returns when it is stored: True, or False when the deadline came first (reading goes on by itself).
        """
        with anyio.move_on_after(deadline_s) as scope:
            if cwd is not None:
                self._hurry.set()
                self._hurry = anyio.Event()
            wanted = set(paths)
            if session is not None:
                wanted |= set(await self._readers.run(lambda conn: capturing.paths_of_session(conn, *session)))
            if cwd is not None:
                wanted |= await self._paths_at(cwd)
            await self._finder.ask_now(filter(None, map(self._finder.classify, wanted)))
            # Of what was not read yet nobody knows the project; what lies beside its other sessions is the best guess.
            wanted |= {job.path for job in self._queue.near({path.parent for path in wanted}, _NEIGHBOURS)}
            for path in wanted:
                self._queue.promote(path, Rank.URGENT)
            await self._queue.finished(wanted)
            for closed in tuple(self._closing.values()) if cwd is not None else ():
                await closed.wait()
        return not scope.cancelled_caught

    async def take_in(self, source: Source) -> None:
        """Read a source to its end, wherever it lies; a second time what is new in it.

        Raises what its adapter raises (OSError, TranscriptError), WorkerFailed, and StoreError.
        """
        await self._reader.read(Job(source, Rank.URGENT, 0, 0))

    async def project_root(self, cwd: Path) -> Path | None:
        """Return the root of a folder's project, None when it belongs to none; fast, as a hook waits for it."""
        return await self._placing.root_of(str(cwd), PLACING_PATIENCE_S)

    def folders(self) -> tuple[Path, ...]:
        """Return the folders that are looked through, whether they are there or not."""
        return tuple(dict.fromkeys(root.path for _, root in self._roots))

    def excludes(self, cwd: Path) -> bool:
        """Tell whether nothing of what is done in a folder is kept."""
        return self._exclusion.covers(cwd)

    @property
    def unread(self) -> int:
        """How many transcripts have grown or changed, by size and time, and wait to be read."""
        return len(self._queue)

    async def status(self) -> CaptureStatus:
        """Return how each host fares and what lies ahead."""
        stored = {status.host: status for status in await self._readers.run(sources.status)}
        waiting = list(self._queue)
        observed = [
            Observed(
                host=name,
                title=adapter.title,
                scans=self._finder.scans(name),
                roots=self._finder.watched(name),
                newest_read_ns=self._known.newest_ns(name),
                waiting=sum(job.source.host == name for job in waiting),
                present_s=self._finder.present_s(name),
            )
            for name, adapter in self._adapters.items()
        ]
        total = sum(scan.bytes_total for host in observed for scan in host.scans)
        ahead = sum(self._known.unread_bytes(job.source.host, job.path, job.size) for job in waiting)
        return CaptureStatus(
            hosts=tuple(host_capture(host, stored.get(host.host)) for host in observed),
            queue=len(waiting),
            bytes_done=max(total - ahead, 0),
            bytes_total=total,
            blocked=self._storage.blocked,
            scanned=self._finder.scanned.is_set(),
        )

    async def _rescan(self) -> None:
        while True:
            await self._finder.rescan()
            await anyio.sleep(self._config.rescan_s)
            await self.refresh_projects()
            await self._find_new_roots()

    async def refresh_projects(self) -> None:
        """Look again at what projects there are: something about them was changed."""
        self._placing.refresh(await self._readers.run(capturing.known_places))

    async def _find_new_roots(self) -> None:
        """Follow what has come since the start: a host that writes into work trees was used in another one."""
        places = await self._readers.run(capturing.known_places)
        env = replace(self._env, projects=tuple(dict.fromkeys(places.values())))
        found = await anyio.to_thread.run_sync(find_roots, self._config, env, self._adapters)
        known = {root for _, root in self._roots}
        new = [(adapter, root) for adapter, root in found if root not in known]
        self._roots += new
        self._watcher.add(root.path for _, root in new)

    async def _tick(self) -> None:
        await self._finder.scanned.wait()
        while True:
            await self._tolerantly(self._lifecycle.tick, self._queue.sessions())
            await anyio.sleep(self._tick_s)

    async def _paths_at(self, cwd: Path) -> set[Path]:
        root = await self.project_root(cwd)
        if root is None:
            return set()
        return set(await self._readers.run(lambda conn: capturing.paths_of_project(conn, root)))

    def _close(self, host: str, native_id: str, paths: Sequence[Path]) -> None:
        """End a session soon; until then it can be waited for."""
        closed = self._closing[host, native_id] = anyio.Event()
        self._soon(self._end, host, native_id, paths, closed, self._hurry)

    async def _end(
        self, host: str, native_id: str, paths: Sequence[Path], closed: anyio.Event, hurry: anyio.Event
    ) -> None:
        """End a session once its last words were read."""
        try:
            with anyio.move_on_after(LAST_WORDS_S):
                await hurry.wait()
            await self.settle(session=(host, native_id), paths=paths, deadline_s=END_DEADLINE_S)
        except anyio.get_cancelled_exc_class():
            # The daemon is told to stop, and nobody says it a second time.
            with anyio.move_on_after(FAREWELL_S, shield=True):
                await self._lifecycle.ended(host, native_id)
            raise
        finally:
            try:
                await self._lifecycle.ended(host, native_id)
            finally:
                closed.set()
                if self._closing.get((host, native_id)) is closed:
                    del self._closing[host, native_id]

    def _soon(self, function: Callable[..., Coroutine[object, object, None]], *arguments: object) -> None:
        """Let something go on by itself; hooks are heard a moment before anything is read."""
        if self._group is None:
            self._early.append((function, arguments))
        else:
            self._group.start_soon(self._tolerantly, function, *arguments)

    async def _tolerantly(self, function: Callable[..., Coroutine[object, object, None]], *arguments: object) -> None:
        try:
            await function(*arguments)
        except DamagedDatabase:
            raise
        except StoreError as error:
            log.warning("event=not_stored what=%s error=%s", function.__name__, error)
