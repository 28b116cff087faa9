"""The indexer: keeps the code graphs of projects true, one project at a time, behind everything else.

A whole tree is looked through when somebody asks for it or a session starts in it; files that a session changed are
looked at soon after.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from memd.clock import Clock
from memd.codegraph import aging, deciding
from memd.codegraph.renewing import Renewal, Wanted
from memd.codegraph.tasks import (
    READING,
)
from memd.codegraph.walk import Found, head_of, included, walk
from memd.errors import DamagedDatabase, MemdError
from memd.store import code_files
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

_AGAIN_MS: Final = 10 * 60 * 1000
"""A tree that was looked through is not looked through again for the start of another session before this."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """What looking through a tree, or at some files of it, came to: counts of files, and why some were passed over."""

    looked_at: int = 0
    changed: int = 0
    gone: int = 0
    resolved: int = 0
    skipped: dict[str, int] | None = None
    paths: tuple[str, ...] = ()
    """The files that were new or changed."""


class Indexer:
    """Looks at trees and files that it is told of. `serve` does what was only asked for; `index` does it now."""

    def __init__(self, database: Path, workers: Workers, writer: Writer, readers: Readers, clock: Clock) -> None:
        self._renewal = Renewal(database, workers, writer, readers, clock)
        self._writer = writer
        self._readers = readers
        self._clock = clock
        self._wanted: dict[tuple[int, int | None, bool], Wanted] = {}
        self._came = anyio.Event()
        self._one_at_a_time = anyio.Lock()
        self._visited: dict[int, int] = {}
        self._working_on: Path | None = None
        self._last_error: str | None = None

    @property
    def queued(self) -> int:
        """How many trees and groups of files wait."""
        return len(self._wanted)

    @property
    def idle(self) -> bool:
        """Whether nothing is worked on and nothing waits."""
        return not self._wanted and self._working_on is None

    @property
    def working_on(self) -> Path | None:
        """The tree that is worked on just now."""
        return self._working_on

    @property
    def last_error(self) -> str | None:
        """What went wrong last, in one sentence; None when the last work went well."""
        return self._last_error

    def visit(self, project: int, root: Path) -> bool:
        """Look through a project's tree soon, unless that was done a few minutes ago; returns at once whether it is."""
        now = self._clock.now_ms()
        if now - self._visited.get(project, -_AGAIN_MS) < _AGAIN_MS:
            return False
        self._visited[project] = now
        self._want(Wanted(project, root, None, None))
        return True

    def changed(self, project: int, root: Path, paths: Iterable[str], session: int | None) -> None:
        """Look at files that a session changed soon; paths are absolute or relative to the root. Returns at once."""
        inside = frozenset(one for path in paths if (one := _below(root, path)) is not None)
        if inside:
            self._want(Wanted(project, root, inside, session))

    async def index(self, project: int, root: Path, *, priority: Priority = Priority.NORMAL) -> Indexed:
        """Look through a project's tree now and return what that came to; raises OSError where there is no folder."""
        return await self._do(Wanted(project, root, None, None), priority)

    async def look_at(
        self, project: int, root: Path, paths: Iterable[str], session: int | None = None, *,
        priority: Priority = Priority.NORMAL,
    ) -> Indexed:  # fmt: skip
        """Look at some files of a project now and return what that came to."""
        return await self._do(Wanted(project, root, frozenset(paths), session), priority)

    async def serve(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Do what is asked for, until cancelled."""
        task_status.started()
        while True:
            await self._came.wait()
            self._came = anyio.Event()
            while self._wanted:
                key = next(iter(self._wanted))
                wanted = self._wanted.pop(key)
                try:
                    await self._do(wanted, Priority.BACKGROUND)
                except DamagedDatabase:
                    # The daemon puts that right by starting over.
                    raise
                except (MemdError, OSError) as error:
                    self._last_error = str(error)
                    logger.warning("event=code_index_failed project=%d error=%s", wanted.project, error)
                else:
                    self._last_error = None

    def _want(self, wanted: Wanted) -> None:
        key = (wanted.project, wanted.session, wanted.paths is None)
        before = self._wanted.get(key)
        if before is not None and before.paths is not None and wanted.paths is not None:
            wanted = replace(wanted, paths=before.paths | wanted.paths)
        self._wanted[key] = wanted
        self._came.set()

    async def _do(self, wanted: Wanted, priority: Priority) -> Indexed:
        async with self._one_at_a_time:
            self._working_on = wanted.root
            began = self._clock.now_ms()
            try:
                if wanted.paths is None:
                    done = await self._whole(wanted, priority)
                else:
                    done = await self._some(wanted, wanted.paths, priority)
                if done.changed or done.gone:
                    await self._age(wanted, began - 1, done.paths)
                return done
            finally:
                self._working_on = None

    async def _age(self, wanted: Wanted, since: int, paths: tuple[str, ...]) -> None:
        """Mark the facts that name what is another now or gone; found by a reader, as much has to be gone through."""
        look = partial(aging.marks, project=wanted.project, since=since, session=wanted.session, paths=paths)
        if found := await self._readers.run(look):
            commit = await to_thread.run_sync(head_of, wanted.root)
            mark = partial(aging.mark, found=found, session=wanted.session, commit=commit)
            await self._writer.run(mark, background=True)

    async def _state(self, wanted: Wanted) -> int:
        """Have the facts of the project be what the comments in its code say; return how many were too many."""
        todo = await self._readers.run(lambda conn: deciding.plan(conn, wanted.project))
        await deciding.follow(self._writer, wanted.project, todo, wanted.cause(self._clock))
        return todo.left_off

    async def _whole(self, wanted: Wanted, priority: Priority) -> Indexed:
        found: Found = await to_thread.run_sync(walk, wanted.root)
        head = await to_thread.run_sync(head_of, wanted.root)
        kept = await self._readers.run(lambda conn: code_files.digests(conn, wanted.project))
        before = await self._readers.run(lambda conn: code_files.tree(conn, wanted.project))
        again = before is not None and before.reading != READING
        paths = [*sorted(kept.keys() - set(found.files)), *found.files]
        others = await self._writer.run(
            lambda conn: code_files.save_configs(conn, wanted.project, found.configs), background=True
        )
        seen = await self._renewal.look_at(wanted, paths, priority, again=again)
        # Where modules are found may be another place now: everything may mean something else.
        concerned = sorted(kept) if others or again else []
        resolved = await self._renewal.resolve(wanted, seen, concerned, priority)
        skipped = found.skipped + seen.skipped
        if left_off := await self._state(wanted):
            skipped[deciding.BEYOND] = left_off
        tree = code_files.Tree(str(wanted.root), head, self._clock.now_ms(), dict(skipped), None, READING)
        await self._writer.run(lambda conn: code_files.save_tree(conn, wanted.project, tree), background=True)
        logger.info(
            "event=code_indexed project=%d files=%d changed=%d gone=%d resolved=%d",
            wanted.project, len(paths), seen.changed, seen.gone, resolved,
        )  # fmt: skip
        return Indexed(len(paths), seen.changed, seen.gone, resolved, dict(skipped), tuple(seen.paths))

    async def _some(self, wanted: Wanted, paths: frozenset[str], priority: Priority) -> Indexed:
        chosen = await to_thread.run_sync(
            _missing_first, wanted.root, await to_thread.run_sync(included, wanted.root, paths)
        )
        seen = await self._renewal.look_at(wanted, chosen, priority)
        resolved = await self._renewal.resolve(wanted, seen, [], priority)
        if seen.changed or seen.gone:
            await self._state(wanted)
        return Indexed(len(chosen), seen.changed, seen.gone, resolved, dict(seen.skipped), tuple(seen.paths))


def _missing_first(root: Path, paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: (os.path.lexists(root / path), path))


def _below(root: Path, path: str) -> str | None:
    """Return a path relative to the root, None where it does not lie below it."""
    try:
        return Path(path).relative_to(root).as_posix() if path.startswith("/") else Path(path).as_posix()
    except ValueError:
        return None
