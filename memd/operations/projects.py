"""Projects: listed, renamed, and made one where one body of work went by two names."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread

from memd.distill import recomparing
from memd.errors import BadParameter, NotFound
from memd.model import Project
from memd.operations.answers import ProjectAnswer
from memd.operations.founding import founded
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.scope import containing, project_named
from memd.operations.shapes import time_of
from memd.operations.whoami import placed, site_of
from memd.store import projects
from memd.store.facts import Connection
from memd.text.redaction import scrub

_AT_ONCE: Final = 500
"""Rows of one transaction of a merge."""
_SESSIONS_AT_ONCE: Final = 20
"""Sessions of one transaction of a split; one that was stopped half way is gone on with when it is asked for again."""
_NAME_CHARS: Final = 200
_WHICH = "a folder in it, its name or its id"


@dataclass(frozen=True, slots=True)
class RenameParams:
    """Which project, and its new name."""

    project: str = field(metadata={"help": _WHICH})
    name: str = field(metadata={"help": "what it is to be called"})


@dataclass(frozen=True, slots=True)
class MergeParams:
    """Which project goes into which."""

    source: str = field(metadata={"help": f"the project that is to be no more: {_WHICH}"})
    into: str = field(metadata={"help": f"the project that is to have all of it: {_WHICH}"})
    apply: bool = field(default=False, metadata={"help": "do it; without, only count what would move"})


@dataclass(frozen=True, slots=True)
class SplitParams:
    """Which folder is to be a project of its own."""

    folder: str = field(metadata={"help": "a folder below a project, which is to be a project of its own"})
    apply: bool = field(default=False, metadata={"help": "do it; without, only count the sessions that would go along"})


@operation("projects.list", reads=True)
async def list_projects(memory: Memory, params: NoParams) -> tuple[ProjectAnswer, ...]:
    """List projects with what is known of them, the one worked on last first."""
    return await memory.readers.run(lambda conn: tuple(map(_told, projects.list_projects(conn))))


@operation("projects.rename", writes=True)
async def rename(memory: Memory, params: RenameParams) -> ProjectAnswer:
    """Give a project another name; its folder stays.

    Raises NotFound for an unknown project, BadParameter for a name that says nothing.
    """
    name = scrub(params.name).text.strip()
    if not any(char.isalnum() for char in name) or len(name) > _NAME_CHARS or any(map(_is_control, name)):
        raise BadParameter("projects.rename", f"{name[:_NAME_CHARS]!r} is no name of one line, {_NAME_CHARS} at most")

    def write(conn: Connection) -> ProjectAnswer:
        project = project_named(conn, params.project)
        projects.rename(conn, project.id, name)
        return _answer(conn, project.id)

    return await memory.writer.run(write)


@operation("projects.merge", writes=True, destroys=True)
async def merge(memory: Memory, params: MergeParams) -> ProjectAnswer:
    """Make two projects one; without `apply` only tell what would move. Paths of the one that goes mean the other.

    What both knew is then judged together, in the background. `into` may be a folder that memd has seen no session in:
    it becomes a project. Raises NotFound for an unknown project, BadParameter when both are the same.
    """
    await memory.readers.run(lambda conn: project_named(conn, params.source))
    if params.apply:
        await founded(memory, params.into)
    elif await site_of(memory, params.into) is not None and await placed(memory, params.into) is None:
        return await memory.readers.run(lambda conn: _answer(conn, project_named(conn, params.source).id))

    def read(conn: Connection) -> tuple[Project, Project]:
        source, into = project_named(conn, params.source), project_named(conn, params.into)
        if source.id == into.id:
            raise BadParameter("projects.merge", f"{params.source!r} and {params.into!r} are the same project")
        return source, into

    def write(conn: Connection) -> ProjectAnswer:
        source, into = read(conn)
        projects.merge(conn, source.id, into=into.id)
        recomparing.begin(conn)
        return _answer(conn, into.id)

    if params.apply:
        source, into = await memory.readers.run(read)
        some = partial(projects.give_some, project_id=source.id, into=into.id, most=_AT_ONCE)
        while await memory.writer.run(some):
            pass
        merged = await memory.writer.run(write)
        judging = memory.board.posts.get("rules")
        if judging is not None and not judging.paused:
            judging.start()
        return merged
    return await memory.readers.run(lambda conn: _answer(conn, read(conn)[0].id))


@operation("projects.split", writes=True)
async def split(memory: Memory, params: SplitParams) -> ProjectAnswer:
    """Make a folder a project of its own, with the sessions that began below it; without `apply` only count them.

    What these sessions taught goes along as they are distilled again, and those that begin there later are its own.
    `projects.merge` makes both one again. Raises NotFound for a folder of no project, BadParameter for one that is no
    folder below a project.
    """
    folder = Path(params.folder)
    if not folder.is_absolute() or ".." in folder.parts or any(map(_is_control, params.folder)):
        raise BadParameter("projects.split", f"{params.folder!r} is no absolute folder")
    if (await to_thread.run_sync(scrub, params.folder)).text != params.folder:
        raise BadParameter("projects.split", "folder must be one whose name holds nothing secret")  # its path is kept

    def read(conn: Connection) -> tuple[int, ...]:
        whole = containing(conn, folder.parent)
        own = projects.by_path(conn, folder)
        if whole is None and own is None:
            raise NotFound("project", params.folder)
        some = () if whole is None else projects.below(conn, whole.id, folder)
        if own is not None and not some:
            raise BadParameter("projects.split", f"{params.folder!r} is a project already: {own.name}")
        return some

    def write(conn: Connection) -> int:
        return projects.split(conn, folder, folder.name, memory.clock.now_ms()).id

    def give(conn: Connection, some: tuple[int, ...], to: int) -> None:
        for session in some:
            projects.give_session(conn, session, to)

    some = await memory.readers.run(read)
    if not params.apply:
        return ProjectAnswer("", folder.name, str(folder), len(some), 0, None)
    project = await memory.writer.run(write)
    for start in range(0, len(some), _SESSIONS_AT_ONCE):
        await memory.writer.run(partial(give, some=some[start : start + _SESSIONS_AT_ONCE], to=project))
    await memory.capture.refresh_projects()
    memory.distiller.wake()
    return await memory.readers.run(partial(_answer, project_id=project))


def _is_control(char: str) -> bool:
    return unicodedata.category(char) == "Cc"


def _answer(conn: Connection, project_id: int) -> ProjectAnswer:
    return next(_told(one) for one in projects.list_projects(conn) if one.project.id == project_id)


def _told(one: projects.ProjectCounts) -> ProjectAnswer:
    project = one.project
    return ProjectAnswer(project.uid, project.name, project.root, one.sessions, one.facts, time_of(one.last_at))
