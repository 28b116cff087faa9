"""Renewing: files of a project read again where they changed, and what refers to what was resolved anew.

What a file says is stored first. Its references are resolved after that, together with those of the files that mention
a name which means something else now; files that wait for it are marked, so that work that is cut off can go on.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from memd.clock import Clock
from memd.codegraph.crediting import credit
from memd.codegraph.edges import Resolution
from memd.codegraph.tasks import (
    NEVER_ENDS,
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
from memd.errors import WorkerFailed
from memd.store import code_changes, code_files
from memd.store.code_changes import Cause, EdgeRow, UnresolvedRow
from memd.store.code_steps import Step, drop_steps, edge_steps, file_steps, together
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

_BATCH: Final = 32
"""Files that a worker looks at in one go."""
_RESOLVED_AT_ONCE: Final = 200
"""Files whose references a worker resolves in one go."""
_BATCH_S: Final = 60.0
_ALONE_S: Final = 10.0
_RESOLVE_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tree to look through, or, with `paths`, files of it."""

    project: int
    root: Path
    paths: frozenset[str] | None
    session: int | None

    def cause(self, clock: Clock, commit: str | None = None) -> Cause:
        """Return what a change that is written down now is put down to."""
        return Cause(clock.now_ms(), self.session, commit)


@dataclass(slots=True)
class Seen:
    """What looking at files has come to so far: names that mean something else, the commits that did it, and counts."""

    names: set[str]
    skipped: Counter[str]
    changed: int = 0
    gone: int = 0
    paths: list[str] = field(default_factory=list)
    commits: set[str] = field(default_factory=set)


class Renewal:
    """Renews what is kept of files, for one project at a time."""

    def __init__(self, database: Path, workers: Workers, writer: Writer, readers: Readers, clock: Clock) -> None:
        self._database = database
        self._workers = workers
        self._writer = writer
        self._readers = readers
        self._clock = clock

    async def look_at(self, wanted: Wanted, paths: Sequence[str], priority: Priority, *, again: bool = False) -> Seen:
        """Look at files; those that are not there any more come first, so that what was renamed is known by then.

        `again`: read also those that are as they were.
        """
        seen = Seen(set(), Counter())
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
            cause = wanted.cause(self._clock, commits.get(outcome.path))
            seen.commits.update(filter(None, (cause.commit,)))
            await self._take(partial(drop_steps, project=wanted.project, path=outcome.path, cause=cause))
            seen.gone += 1
        return seen

    async def _read(
        self, wanted: Wanted, paths: tuple[str, ...], priority: Priority, again: bool
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

    async def _write(self, wanted: Wanted, new: Sequence[Updated], seen: Seen) -> None:
        cause = wanted.cause(self._clock)
        rows = [one.row for one in new]
        await self._take(lambda conn: [step for row in rows for step in file_steps(conn, wanted.project, row, cause)])
        seen.changed += len(new)
        seen.paths += [one.row.path for one in new]

    async def _rename(self, wanted: Wanted, gone: list[Gone], new: Sequence[Updated]) -> None:
        """Take a file that went and one that came with the same content for one file; `gone` loses what was found."""
        came = {one.row.digest: one.row.path for one in new if not one.same}
        for outcome in tuple(gone):
            path = came.get(outcome.digest)
            if path is not None:
                rename = partial(code_changes.rename_file, project=wanted.project, old=outcome.path, new=path)
                await self._writer.run(rename, background=True)
                gone.remove(outcome)

    async def resolve(self, wanted: Wanted, seen: Seen, concerned: Sequence[str], priority: Priority) -> int:
        """Resolve what was looked at, what mentions it and the files `concerned`; return how many files that were."""
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
        self, wanted: Wanted, paths: tuple[str, ...], others: frozenset[str], commit: str | None, priority: Priority
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
        cause = wanted.cause(self._clock, commit)

        def steps(conn: code_files.Connection) -> list[Step]:
            found: list[Step] = []
            for one in resolutions:
                edges = (EdgeRow(edge.kind, edge.src, edge.dst, edge.line, edge.confidence) for edge in one.edges)
                loose = (UnresolvedRow(ref.src, ref.name, ref.line, ref.reason) for ref in one.unresolved)
                itself = one.path in others
                found += edge_steps(conn, wanted.project, one.path, edges, loose, cause, by_itself=itself)
            return found

        await self._take(steps)

    async def _take(self, found: Callable[[code_files.Connection], list[Step]]) -> None:
        """Take the steps that a reader finds, one short transaction after the other."""
        for step in together(await self._readers.run(found)):
            await self._writer.run(step, background=True)
