"""Deleting a project: its sessions and what was learnt from them, its facts, and all else that is kept of it.

As the deleting of a session (`deleting.py`) it goes in many short transactions and is written down before it begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from memd.distill import stating
from memd.errors import BadParameter, NotFound
from memd.model import Project
from memd.operations import deleting, notes
from memd.operations.announcing import announced, of_facts
from memd.operations.answers import FactAnswer
from memd.operations.deleting_answers import ProjectDeletedAnswer
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.registry import operation
from memd.operations.scope import project_of
from memd.operations.scrub import scrub
from memd.operations.telling import told_all
from memd.store import deleting as stored
from memd.store import erasing, facts, leaving, scrubbing, sessions
from memd.store.erasure_log import Erasure
from memd.store.facts import Connection

_ROWS: Final = 500
"""Rows without judgement (relations, prompts, code) of one transaction."""


@dataclass(frozen=True, slots=True)
class DeleteParams:
    """A project to be deleted."""

    project: str = field(metadata={"help": "a folder in it, its name or its id"})
    copies: bool = field(
        default=False,
        metadata={"help": "also from backups: take a new one, and remove older ones and damaged databases"},
    )
    everywhere: bool = field(
        default=False, metadata={"help": "also what was said in it and holds everywhere; without, that stays"}
    )
    apply: bool = field(default=False, metadata={"help": "do it; without, only count what would go"})


@operation("projects.delete", writes=True, destroys=True)
async def delete(memory: Memory, params: DeleteParams) -> ProjectDeletedAnswer:
    """Delete a project for good, with its sessions, facts and code graph; reading them again changes nothing.

    All else that is kept of it goes, too; what is done in its folder later is new. What holds everywhere stays unless
    told otherwise, and is named. Raises NotFound for an unknown project, BadParameter when a session of another project
    goes on from one of this project's.
    """

    def look(conn: Connection) -> tuple[Project, dict[str, int], tuple[str, ...], tuple[FactAnswer, ...]]:
        project = project_of(conn, params.project)
        if project is None:
            raise NotFound("project", params.project)
        shared = leaving.going_on_elsewhere(conn, project.id)
        if shared:
            raise BadParameter(
                "projects.delete",
                f"sessions of other projects go on from its own ({', '.join(shared[:5])}); forget those first",
            )
        transcripts = stored.sources_of(conn, leaving.sessions_of(conn, project.id))
        held = told_all(conn, facts.load(conn, leaving.everywhere_from(conn, project.id)))
        return project, leaving.counts(conn, project.id), transcripts, held

    project, counted, transcripts, held = await memory.readers.run(look)
    clean = False
    if params.apply:
        await _delete(memory, project.id, everywhere=params.everywhere)
        clean = await scrub(memory)
    copies, removed = await deleting.copies_left(memory, remove=params.apply and params.copies)
    return ProjectDeletedAnswer(
        params.apply, project.root, project.name, counted, transcripts, copies, removed, clean, held, params.everywhere
    )  # fmt: skip


async def _delete(memory: Memory, project: int, *, everywhere: bool) -> None:
    now = memory.clock.now_ms()

    def going(conn: Connection) -> tuple[tuple[int, ...], Erasure]:
        wider = leaving.everywhere_from(conn, project) if everywhere else ()
        return wider, of_facts(conn, (*erasing.in_scope(conn, project), *wider), now, project=project)

    wider, erasure = await memory.readers.run(going)
    async with announced(memory, erasure):
        await write_in_pieces(memory.writer, wider, partial(_forget, now_ms=now))
        await let_go(memory, project, now)
    await notes.without_erased(memory)


async def let_go(memory: Memory, project: int, now_ms: int) -> None:
    """Delete all there is of a project, by its row id; what holds everywhere stays. Raises StoreError."""
    run = memory.writer.run
    wider = await memory.readers.run(lambda conn: leaving.everywhere_from(conn, project))
    await write_in_pieces(memory.writer, wider, partial(_adopt, now_ms=now_ms))
    emptied: set[int] = set()
    for session in await memory.readers.run(lambda conn: leaving.sessions_of(conn, project)):
        if session not in emptied:
            going = await memory.readers.run(partial(_whole, session=session))
            await deleting.delete(memory, going)
            emptied.update(going.sessions)
    # What a person said, or was imported, rests on no session.
    own = await memory.readers.run(lambda conn: erasing.in_scope(conn, project))
    await write_in_pieces(memory.writer, own, partial(_forget, now_ms=now_ms))
    for what in erasing.REST:
        while await run(partial(erasing.clear_rest, what=what, project_id=project, most=_ROWS)):
            continue
    while await run(partial(leaving.drop_code, project_id=project, most=_ROWS)):
        continue
    await run(lambda conn: _finish(conn, project, emptied))


def _whole(conn: Connection, session: int) -> deleting.Going:
    return deleting.whole_session(conn, sessions.get(conn, session))


def _adopt(conn: Connection, ids: Sequence[int], now_ms: int) -> None:
    for fact in ids:
        with suppress(NotFound):
            stating.adopt(conn, fact, now_ms, "was said in a project that was deleted")


def _forget(conn: Connection, ids: Sequence[int], now_ms: int) -> None:
    for fact in ids:
        try:
            stating.forget(conn, fact, now_ms)
        except NotFound:
            continue  # it went with another


def _finish(conn: Connection, project: int, emptied: set[int]) -> None:
    leaving.finish(conn, project, emptied)
    scrubbing.ask(conn)
