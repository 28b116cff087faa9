"""The indexer: keeps the code graphs of projects true, one project at a time, behind everything else.

A whole tree is looked through when somebody asks for it or a session starts in it; files that a session changed are
looked at soon after. What a file says is stored first and its references are resolved after that, together with those
of the files that mention a name which means something else now. Work that is cut off goes on where it stopped: files
that wait to be resolved are marked.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from memd.clock import Clock
from memd.codegraph import aging, deciding
from memd.codegraph.crediting import credit
from memd.codegraph.edges import Resolution
from memd.codegraph.tasks import (
    READING,
    RESOLVE_TASK,
    UPDATE_TASK,
    Committed,
    Gone,
    Passed,
    Resolve,
    Unchanged,
    Update,
    Updated,
)
from memd.codegraph.walk import Found, head_of, included, walk
from memd.errors import DamagedDatabase, MemdError, WorkerFailed
from memd.store import code_changes, code_files
from memd.store.code_changes import Cause, EdgeRow, UnresolvedRow
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

_BATCH: Final = 32
"""Files that a worker looks at in one go."""
_RESOLVED_AT_ONCE: Final = 200
_WRITTEN_AT_ONCE: Final = 4
"""Files whose rows make one transaction: it stays short."""
_BATCH_S: Final = 60.0
_ALONE_S: Final = 10.0
_RESOLVE_S: Final = 120.0
_AGAIN_MS: Final = 10 * 60 * 1000
"""A tree that was looked through is not looked through again for the start of another session before this."""
NEVER_ENDS: Final = "took too long or too much memory"


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


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A tree to look through, or, with `paths`, files of it."""

    project: int
    root: Path
    paths: frozenset[str] | None
    session: int | None


class Indexer:
    """Looks at trees and files that it is told of. `serve` does what was only asked for; `index` does it now."""

    def __init__(self, database: Path, workers: Workers, writer: Writer, readers: Readers, clock: Clock) -> None:
        self._database = database
        self._workers = workers
        self._writer = writer
        self._readers = readers
        self._clock = clock
        self._wanted: dict[tuple[int, int | None, bool], _Wanted] = {}
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
    def working_on(self) -> Path | None:
        """The tree that is worked on just now."""
        return self._working_on

    @property
    def last_error(self) -> str | None:
        """What went wrong last, in one sentence; None when the last work went well."""
        return self._last_error

    def visit(self, project: int, root: Path) -> None:
        """Look through a project's tree soon, unless that was done a few minutes ago; returns at once."""
        now = self._clock.now_ms()
        if now - self._visited.get(project, -_AGAIN_MS) >= _AGAIN_MS:
            self._visited[project] = now
            self._want(_Wanted(project, root, None, None))

    def changed(self, project: int, root: Path, paths: Iterable[str], session: int | None) -> None:
        """Look at files that a session changed soon; paths are absolute or relative to the root. Returns at once."""
        inside = frozenset(one for path in paths if (one := _below(root, path)) is not None)
        if inside:
            self._want(_Wanted(project, root, inside, session))

    async def index(self, project: int, root: Path, *, priority: Priority = Priority.NORMAL) -> Indexed:
        """Look through a project's tree now and return what that came to; raises OSError where there is no folder."""
        return await self._do(_Wanted(project, root, None, None), priority)

    async def look_at(
        self, project: int, root: Path, paths: Iterable[str], session: int | None = None, *,
        priority: Priority = Priority.NORMAL,
    ) -> Indexed:  # fmt: skip
        """Look at some files of a project now and return what that came to."""
        return await self._do(_Wanted(project, root, frozenset(paths), session), priority)

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

    def _want(self, wanted: _Wanted) -> None:
        key = (wanted.project, wanted.session, wanted.paths is None)
        before = self._wanted.get(key)
        if before is not None and before.paths is not None and wanted.paths is not None:
            wanted = replace(wanted, paths=before.paths | wanted.paths)
        self._wanted[key] = wanted
        self._came.set()

    async def _do(self, wanted: _Wanted, priority: Priority) -> Indexed:
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

    async def _age(self, wanted: _Wanted, since: int, paths: tuple[str, ...]) -> None:
        """Mark the facts that name what is another now or gone; found by a reader, as much has to be gone through."""
        look = partial(aging.marks, project=wanted.project, since=since, session=wanted.session, paths=paths)
        if found := await self._readers.run(look):
            commit = await to_thread.run_sync(head_of, wanted.root)
            mark = partial(aging.mark, found=found, session=wanted.session, commit=commit)
            await self._writer.run(mark, background=True)

    async def _state(self, wanted: _Wanted) -> int:
        """Have the facts of the project be what the comments in its code say; return how many were too many."""
        todo = await self._readers.run(lambda conn: deciding.plan(conn, wanted.project))
        await deciding.follow(self._writer, wanted.project, todo, self._cause(wanted))
        return todo.left_off

    async def _whole(self, wanted: _Wanted, priority: Priority) -> Indexed:
        found: Found = await to_thread.run_sync(walk, wanted.root)
        head = await to_thread.run_sync(head_of, wanted.root)
        kept = await self._readers.run(lambda conn: code_files.digests(conn, wanted.project))
        before = await self._readers.run(lambda conn: code_files.tree(conn, wanted.project))
        again = before is not None and before.reading != READING
        paths = [*sorted(kept.keys() - set(found.files)), *found.files]
        others = await self._writer.run(
            lambda conn: code_files.save_configs(conn, wanted.project, found.configs), background=True
        )
        seen = await self._update(wanted, paths, priority, again=again)
        # Where modules are found may be another place now: everything may mean something else.
        concerned = sorted(kept) if others or again else []
        resolved = await self._resolve(wanted, seen, concerned, priority)
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

    async def _some(self, wanted: _Wanted, paths: frozenset[str], priority: Priority) -> Indexed:
        chosen = await to_thread.run_sync(
            _missing_first, wanted.root, await to_thread.run_sync(included, wanted.root, paths)
        )
        seen = await self._update(wanted, chosen, priority)
        resolved = await self._resolve(wanted, seen, [], priority)
        if seen.changed or seen.gone:
            await self._state(wanted)
        return Indexed(len(chosen), seen.changed, seen.gone, resolved, dict(seen.skipped), tuple(seen.paths))

    # --- what files say -----------------------------------------------------------------------------------------

    async def _update(self, wanted: _Wanted, paths: Sequence[str], priority: Priority, *, again: bool = False) -> _Seen:
        """Look at files; those that are not there any more come first, so that what was renamed is known by then.

        `again`: read also those that are as they were.
        """
        seen = _Seen(set(), Counter())
        gone: list[Gone] = []
        for start in range(0, len(paths), _BATCH):
            new: list[Updated] = []
            for outcome in await self._read(wanted, tuple(paths[start : start + _BATCH]), priority, again):
                match outcome:
                    case Updated():
                        seen.names.update(outcome.changed)
                        new.append(outcome)
                    case Gone():
                        # Kept until the end: the file may come up under another name.
                        seen.names.update(outcome.changed)
                        gone.append(outcome)
                    case Passed():
                        seen.skipped[outcome.reason] += 1
                    case Unchanged():
                        pass
            await self._rename(wanted, gone, new)
            await self._write(wanted, new, seen)
        commits: dict[str, str] = {}
        if wanted.session is None:
            asked = Committed(self._database, wanted.project, wanted.root, tuple(outcome.path for outcome in gone))
            commits = await credit(self._workers, self._readers, self._writer, asked, priority)
        seen.commits.update(commits[path] for path in seen.paths if path in commits)
        for outcome in gone:
            cause = self._cause(wanted, commits.get(outcome.path))
            seen.commits.update(filter(None, (cause.commit,)))
            drop = partial(code_changes.drop_file, project=wanted.project, path=outcome.path, cause=cause)
            await self._writer.run(drop, background=True)
            seen.gone += 1
        return seen

    async def _read(
        self, wanted: _Wanted, paths: tuple[str, ...], priority: Priority, again: bool
    ) -> list[Updated | Gone | Passed | Unchanged]:
        """Return the outcome of each file. One that ends or hangs its worker is found by trying each alone."""
        update = Update(self._database, wanted.project, wanted.root, paths, again)
        deadline_s = _BATCH_S if len(paths) > 1 else _ALONE_S
        try:
            outcomes: list[Updated | Gone | Passed | Unchanged] = await self._workers.run(
                UPDATE_TASK, update, deadline_s=deadline_s, priority=priority
            )
        except WorkerFailed:
            if len(paths) == 1:
                return [Passed(paths[0], NEVER_ENDS)]
            middle = len(paths) // 2
            return [
                *await self._read(wanted, paths[:middle], priority, again),
                *await self._read(wanted, paths[middle:], priority, again),
            ]
        return outcomes

    async def _write(self, wanted: _Wanted, new: Sequence[Updated], seen: _Seen) -> None:
        cause = self._cause(wanted)
        for start in range(0, len(new), _WRITTEN_AT_ONCE):
            rows = [one.row for one in new[start : start + _WRITTEN_AT_ONCE]]

            def write(conn: code_files.Connection, rows: list[code_changes.FileRow] = rows) -> None:
                for row in rows:
                    code_changes.put_file(conn, wanted.project, row, cause)

            await self._writer.run(write, background=True)
        seen.changed += len(new)
        seen.paths += [one.row.path for one in new]

    async def _rename(self, wanted: _Wanted, gone: list[Gone], new: Sequence[Updated]) -> None:
        """Take a file that went and one that came with the same content for one file; `gone` loses what was found."""
        came = {one.row.digest: one.row.path for one in new if not one.same}
        for outcome in tuple(gone):
            path = came.get(outcome.digest)
            if path is not None:
                rename = partial(code_changes.rename_file, project=wanted.project, old=outcome.path, new=path)
                await self._writer.run(rename, background=True)
                gone.remove(outcome)

    # --- what they refer to -------------------------------------------------------------------------------------

    async def _resolve(self, wanted: _Wanted, seen: _Seen, concerned: Sequence[str], priority: Priority) -> int:
        # What waits already is another than it was; the rest only mentions something that is.
        others = frozenset(await self._readers.run(lambda conn: code_files.waiting(conn, wanted.project)))
        commit = next(iter(seen.commits)) if len(seen.commits) == 1 else None
        if seen.names or concerned:
            listed = await self._readers.run(lambda conn: code_files.mentioning(conn, wanted.project, seen.names))
            again = sorted({*listed, *concerned})
            await self._writer.run(lambda conn: code_files.unresolve(conn, wanted.project, again), background=True)
        waiting = await self._readers.run(lambda conn: code_files.waiting(conn, wanted.project))
        for start in range(0, len(waiting), _RESOLVED_AT_ONCE):
            some = tuple(waiting[start : start + _RESOLVED_AT_ONCE])
            await self._resolve_some(wanted, some, others, commit, priority)
        return len(waiting)

    async def _resolve_some(
        self, wanted: _Wanted, paths: tuple[str, ...], others: frozenset[str], commit: str | None, priority: Priority
    ) -> None:
        """Resolve some files. `others` are those that are another than they were, `commit` is what changed these."""
        task = Resolve(self._database, wanted.project, paths)
        try:
            resolutions: list[Resolution] = await self._workers.run(
                RESOLVE_TASK, task, deadline_s=_RESOLVE_S, priority=priority
            )
        except WorkerFailed as error:
            if len(paths) == 1:
                # It stays marked; what is known of it is what was known before.
                logger.warning("event=code_not_resolved path=%s error=%s", paths[0], error)
                resolutions = [Resolution(paths[0], (), (), 0)]
            else:
                middle = len(paths) // 2
                await self._resolve_some(wanted, paths[:middle], others, commit, priority)
                await self._resolve_some(wanted, paths[middle:], others, commit, priority)
                return
        cause = self._cause(wanted, commit)
        for start in range(0, len(resolutions), _WRITTEN_AT_ONCE):

            def write(
                conn: code_files.Connection, some: list[Resolution] = resolutions[start : start + _WRITTEN_AT_ONCE]
            ) -> None:
                for one in some:
                    edges = [EdgeRow(edge.kind, edge.src, edge.dst, edge.line, edge.confidence) for edge in one.edges]
                    loose = [UnresolvedRow(ref.src, ref.name, ref.line, ref.reason) for ref in one.unresolved]
                    code_changes.put_edges(
                        conn, wanted.project, one.path, edges, loose, cause, by_itself=one.path in others
                    )

            await self._writer.run(write, background=True)

    def _cause(self, wanted: _Wanted, commit: str | None = None) -> Cause:
        return Cause(self._clock.now_ms(), wanted.session, commit)


def _missing_first(root: Path, paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: (os.path.lexists(root / path), path))


@dataclass(slots=True)
class _Seen:
    """What looking at files has come to so far: names that mean something else, the commits that did it, and counts."""

    names: set[str]
    skipped: Counter[str]
    changed: int = 0
    gone: int = 0
    paths: list[str] = field(default_factory=list)
    commits: set[str] = field(default_factory=set)


def _below(root: Path, path: str) -> str | None:
    """Return a path relative to the root, None where it does not lie below it."""
    try:
        return Path(path).relative_to(root).as_posix() if path.startswith("/") else Path(path).as_posix()
    except ValueError:
        return None
