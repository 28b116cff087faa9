"""The indexer follows what sessions do, and what a worker cannot do costs its own file alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from memd.codegraph.comparing import compare
from memd.codegraph.follow import follow
from memd.codegraph.indexer import Indexer
from memd.codegraph.tasks import NEVER_ENDS, RESOLVE_TASK, UPDATE_TASK
from memd.errors import WorkerFailed
from memd.workers.pool import Workers
from memd.workers.turns import Priority
from tests.unit.codegraph.places import PROJECT, Place, placed

FILES = {
    "ships.py": "class Ship:\n    def sail(self): ...\n\ndef build() -> Ship: return Ship()\n",
    "port.py": "from ships import build\n\ndef leave():\n    build().sail()\n",
    "idle.py": "def wait(): pass\n",
}
SAIL = ("calls", "port.py::leave", "ships.py::Ship.sail")
STEAM = ("calls", "port.py::leave", "ships.py::Ship.steam")
STEAMING = {name: text.replace("sail", "steam") for name, text in FILES.items()}


class StillClock:
    """A clock that stands."""

    def __init__(self, at: int) -> None:
        self.at = at

    def now_ms(self) -> int:
        return self.at

    def monotonic_s(self) -> float:
        return self.at / 1000


class Unlucky(Workers):
    """Workers that a task with a certain file in it does not come back from."""

    def __init__(self, task: str, path: str) -> None:
        super().__init__()
        self.unlucky = (task, path)

    async def run(  # type: ignore[explicit-override]
        self,
        task: str,
        payload: Any,
        *,
        deadline_s: float,
        priority: Priority = Priority.BACKGROUND,
        small: bool = False,
    ) -> Any:
        if task == self.unlucky[0] and self.unlucky[1] in payload.paths:
            raise WorkerFailed(task, "ran over its deadline")
        return await super().run(task, payload, deadline_s=deadline_s, priority=priority, small=small)


def insert(database: Path, sql: str, *values: object) -> None:
    """Store a row that the test needs without those that it would belong to."""
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute(sql, values)


def begin(database: Path, root: Path, at: int) -> None:
    """Have a session work in the project."""
    insert(
        database,
        "INSERT INTO sessions (id, uid, host, native_id, project_id, cwd, last_at, seen_at) VALUES (1,?,?,?,?,?,?,?)",
        "u1", "codex", "s1", PROJECT, str(root), at, at,
    )  # fmt: skip


def change(database: Path, path: str, at: int, number: int) -> None:
    """Have the session change a file."""
    sql = "INSERT INTO file_changes (session_id, tool_call_id, path, op, at) VALUES (1, ?, ?, 'update', ?)"
    insert(database, sql, number, path, at)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds."""
    with anyio.fail_after(120):
        while not await holds():  # noqa: ASYNC110 - nobody tells when the indexer is done
            await anyio.sleep(0.02)


async def test_a_tree_is_looked_through_when_a_session_works_in_it_and_files_when_it_changes_them(
    tmp_path: Path,
) -> None:
    async with placed(tmp_path) as place, anyio.create_task_group() as group:
        database, at = tmp_path / "memd.db", place.clock.at
        place.write(FILES)
        await group.start(place.indexer.serve)
        group.start_soon(
            partial(follow, place.indexer, place.readers, StillClock(at), busy=lambda: False, every_s=0.02)
        )
        await anyio.to_thread.run_sync(begin, database, place.root, at)

        async def sails() -> bool:
            return SAIL in await place.edges()

        await until(sails)

        place.write(STEAMING)
        await anyio.to_thread.run_sync(change, database, "ships.py", at, 1)
        await anyio.to_thread.run_sync(change, database, str(place.root / "port.py"), at, 2)
        await anyio.to_thread.run_sync(change, database, "/elsewhere/idle.py", at, 3)

        async def steams() -> bool:
            return STEAM in await place.edges()

        await until(steams)
        assert SAIL not in await place.edges()
        made = "SELECT n.node, e.session_id, e.ended_by FROM code_edges e JOIN code_nodes n ON n.id = e.dst"
        told = await place.rows(f"{made} WHERE e.kind = 'calls' AND n.node LIKE 'ships.py::Ship.%' ORDER BY 1")
        assert told == [("ships.py::Ship.sail", None, 1), ("ships.py::Ship.steam", 1, None)]
        group.cancel_scope.cancel()


async def test_an_indexer_that_is_stopped_in_the_middle_goes_on_where_it_was(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({**FILES, **{f"part{n:02}.py": f"def turn{n}(): turn{n}()\n" for n in range(60)}})
        async with anyio.create_task_group() as group:
            await group.start(place.indexer.serve)
            place.indexer.visit(PROJECT, place.root)

            async def works() -> bool:
                return place.indexer.working_on is not None

            await until(works)
            group.cancel_scope.cancel()
        assert place.indexer.working_on is None
        await place.index()
        assert await place.edges() == place.fresh()
        assert len(place.fresh()) > 60


async def test_what_was_changed_long_ago_is_history_and_not_looked_at(tmp_path: Path) -> None:
    async with placed(tmp_path) as place, anyio.create_task_group() as group:
        database, now = tmp_path / "memd.db", place.clock.at + 30 * 86_400_000
        place.write(FILES)
        begin(database, place.root, place.clock.at)
        group.start_soon(
            partial(follow, place.indexer, place.readers, StillClock(now), busy=lambda: False, every_s=0.01)
        )
        await anyio.sleep(0.05)
        await anyio.to_thread.run_sync(change, database, "ships.py", place.clock.at, 1)
        await anyio.sleep(0.1)

        assert place.indexer.queued == 0
        group.cancel_scope.cancel()


async def test_a_tree_that_was_worked_in_lately_and_never_read_is_read_when_nothing_else_is_to_be_done(
    tmp_path: Path,
) -> None:
    async with placed(tmp_path) as place, anyio.create_task_group() as group:
        database, now = tmp_path / "memd.db", place.clock.at + 5 * 86_400_000
        place.write(FILES)
        begin(database, place.root, place.clock.at)
        # The last one that was worked in is no more.
        project = "INSERT INTO projects (id, uid, name, root, created_at) VALUES (2, 'p2', 'gone', ?, 0)"
        insert(database, project, str(tmp_path / "gone"))
        session = "INSERT INTO sessions (id, uid, host, native_id, project_id, last_at, seen_at)"
        insert(database, f"{session} VALUES (2, 'u2', 'codex', 's2', 2, ?1, ?1)", now - 86_400_000)
        await group.start(place.indexer.serve)
        busy = [True] * 3

        def is_busy() -> bool:
            assert place.indexer.queued == 0
            return bool(busy) and busy.pop()

        group.start_soon(partial(follow, place.indexer, place.readers, StillClock(now), busy=is_busy, every_s=0.01))

        async def sails() -> bool:
            return SAIL in await place.edges()

        await until(sails)
        group.cancel_scope.cancel()


async def test_what_several_hands_ask_for_is_done_once(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.indexer.visit(PROJECT, place.root)
        place.indexer.visit(PROJECT, place.root)
        place.indexer.changed(PROJECT, place.root, ["ships.py"], 1)
        place.indexer.changed(PROJECT, place.root, ["port.py", "/elsewhere/x.py"], 1)
        place.indexer.changed(PROJECT, place.root, ["/elsewhere/x.py"], 2)

        assert place.indexer.queued == 2


async def test_a_tree_that_is_gone_is_told_and_the_next_is_looked_at(tmp_path: Path) -> None:
    async with placed(tmp_path) as place, anyio.create_task_group() as group:
        await group.start(place.indexer.serve)
        place.indexer.visit(2, tmp_path / "nowhere")

        async def complained() -> bool:
            return place.indexer.last_error is not None

        await until(complained)
        assert "nowhere" in str(place.indexer.last_error)

        place.write(FILES)
        place.indexer.changed(PROJECT, place.root, FILES, None)

        async def known() -> bool:
            return SAIL in await place.edges() and place.indexer.working_on is None

        await until(known)
        assert place.indexer.last_error is None
        group.cancel_scope.cancel()


async def test_the_stored_graph_is_compared_with_the_files_as_they_are(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(FILES)
        await place.index()
        assert (await compare(place.readers, PROJECT, place.root)).issues == {
            "stale": [],
            "missing": [],
            "vanished": [],
        }

        place.write({"ships.py": STEAMING["ships.py"], "new.py": "def f(): ...\n", "notes.txt": "no source\n"})
        (place.root / "idle.py").unlink()

        told = await compare(place.readers, PROJECT, place.root)
        assert told.issues == {"stale": ["ships.py"], "missing": ["new.py"], "vanished": ["idle.py"]}


def with_workers(place: Place, database: Path, workers: Workers) -> Indexer:
    return Indexer(database, workers, place.writer, place.readers, place.clock)


async def test_a_file_that_a_worker_does_not_come_back_from_is_passed_over_alone(tmp_path: Path) -> None:
    async with placed(tmp_path) as place, Unlucky(UPDATE_TASK, "idle.py") as workers:
        place.write(FILES)
        done = await with_workers(place, tmp_path / "memd.db", workers).index(PROJECT, place.root)

        assert (done.changed, done.skipped) == (2, {NEVER_ENDS: 1})
        assert SAIL in await place.edges()


async def test_a_file_whose_references_cannot_be_resolved_leaves_the_others_theirs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with placed(tmp_path) as place, Unlucky(RESOLVE_TASK, "port.py") as workers:
        place.write({**FILES, "pier.py": FILES["port.py"]})
        await with_workers(place, tmp_path / "memd.db", workers).index(PROJECT, place.root)

        edges = await place.edges()
        assert ("calls", "pier.py::leave", "ships.py::Ship.sail") in edges
        assert SAIL not in edges
        assert "port.py" in caplog.text
