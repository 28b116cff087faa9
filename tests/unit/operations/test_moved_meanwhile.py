"""A session whose project becomes another one, or goes, while a worker distills it is judged where it is then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memd.distill.distiller import TASK, Distiller
from memd.errors import StoreError
from memd.store import handoffs, sessions
from memd.workers.pool import Workers
from tests.unit.operations.conftest import HOST, NOW, Harbor
from tests.unit.operations.test_deleting import LATE, OTHER, WORD, decided, said
from tests.unit.operations.test_project_deleting import read
from tests.unit.operations.test_remember import do

PIER = "pier"


async def _merged(harbor: Harbor) -> None:
    await do(harbor, "projects.merge", source=PIER, into="harbor", apply=True)


async def _deleted(harbor: Harbor) -> None:
    await do(harbor, "projects.delete", project=PIER, apply=True)


async def _deleted_and_its_row_taken_by_another(harbor: Harbor) -> None:
    await _deleted(harbor)
    await read(harbor, OTHER, said(OTHER, "o1", 1, "Where does the lamp stand?"), cwd=harbor.home / "work" / "quay")


async def _split(harbor: Harbor) -> None:
    await do(harbor, "projects.split", folder=str(harbor.home / "work" / PIER / "crane"), apply=True)


@pytest.mark.parametrize(
    ("happens", "where"),
    [
        (_merged, "harbor"),
        (_deleted, None),
        (_deleted_and_its_row_taken_by_another, None),
        (_split, "crane"),
    ],
)
@pytest.mark.parametrize("after", ["the worker", "the comparison"])
async def test_what_a_session_taught_goes_where_the_session_is_when_it_is_written(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch, happens: Callable[..., Any], where: str | None, after: str
) -> None:
    await harbor.memory.distiller.run_due()
    pier = harbor.home / "work" / PIER
    await read(harbor, OTHER, said(OTHER, "o1", 1, "Where is the pier?"), cwd=pier)
    await read(harbor, LATE, *decided(LATE), cwd=pier / "crane" if where == "crane" else pier)
    if where == "crane":  # what has no repository around it would be a project of its own
        await _into(harbor, LATE, pier)
    _once(monkeypatch, after, lambda: happens(harbor))

    while await harbor.memory.distiller.run_due():
        pass

    found = [fact for fact in await do(harbor, "facts.list", all=True) if WORD in f"{fact.title} {fact.text}"]
    assert {Path(fact.project or "").name for fact in found} == ({where} if where else set())
    assert not await harbor.memory.readers.run(sessions.due)


async def test_what_went_between_look_up_and_write_is_told_in_a_sentence(harbor: Harbor) -> None:
    with pytest.raises(StoreError, match="deleted or merged meanwhile; ask again"):
        await harbor.memory.writer.run(lambda conn: handoffs.add(conn, 77, "The crane waits", None, NOW))


async def _into(harbor: Harbor, session: str, folder: Path) -> None:
    def write(conn: Any) -> None:
        found = sessions.by_native(conn, HOST, session)
        (project,) = conn.execute("SELECT id FROM projects WHERE root = ?", (str(folder),)).fetchone()
        assert found is not None
        sessions.set_project(conn, found.id, project)
        conn.execute("DELETE FROM projects WHERE root = ?", (str(folder / "crane"),))

    await harbor.memory.writer.run(write)


def _once(monkeypatch: pytest.MonkeyPatch, after: str, happens: Callable[[], Any]) -> None:
    """Let something happen once: when a worker has distilled a session or when that was compared with what is known."""
    todo = [happens]

    async def now() -> None:
        if todo:
            await todo.pop()()

    if after == "the worker":
        run = Workers.run

        async def worked(self: Workers, task: str, *given: object, **more: Any) -> Any:
            answer = await run(self, task, *given, **more)
            if task == TASK:
                await now()
            return answer

        monkeypatch.setattr(Workers, "run", worked)
        return
    write = Distiller._write

    async def written(self: Distiller, *given: Any, **more: Any) -> None:
        readers = self._readers

        class Reading:
            async def run(self, function: Callable[..., Any]) -> Any:
                answer = await readers.run(function)
                await now()
                return answer

        self._readers = Reading()  # type: ignore[assignment]
        try:
            await write(self, *given, **more)
        finally:
            self._readers = readers

    monkeypatch.setattr(Distiller, "_write", written)


async def test_what_still_means_a_deleted_project_never_means_the_next_one(harbor: Harbor) -> None:
    pier = harbor.home / "work" / PIER
    pier.mkdir(parents=True)
    (pier / "secret_pier.py").write_text("def hidden_pier(): ...\n")
    await read(harbor, OTHER, said(OTHER, "o1", 1, "Where is the pier?"), cwd=pier)
    went = await _row_of(harbor, pier)
    await _deleted(harbor)
    await do(harbor, "projects.delete", project="harbor", apply=True)
    quay = harbor.home / "work" / "quay"
    await read(harbor, LATE, said(LATE, "l1", 1, "Where is the quay?"), cwd=quay)

    with pytest.raises(StoreError):  # as a tree that waited to be looked through since before
        await harbor.memory.indexer.index(went, pier)

    assert await _row_of(harbor, quay) != went
    assert not await harbor.memory.readers.run(lambda conn: conn.execute("SELECT path FROM code_files").fetchall())


async def _row_of(harbor: Harbor, folder: Path) -> int:
    sql = "SELECT id FROM projects WHERE root = ?"
    return int(await harbor.memory.readers.run(lambda conn: conn.execute(sql, (str(folder),)).fetchone()[0]))
