"""Projects: listed, renamed, and made one where one body of work went by two names."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

from memd.errors import BadParameter, NotFound
from memd.model import Project
from memd.operations.answers import ProjectAnswer
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.scope import project_of
from memd.operations.shapes import time_of
from memd.store import projects
from memd.store.facts import Connection
from memd.text.redaction import scrub

_AT_ONCE: Final = 500
"""Rows of one transaction of a merge."""
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
    if not any(char.isalnum() for char in name):
        raise BadParameter("projects.rename", f"{name!r} is no name")

    def write(conn: Connection) -> ProjectAnswer:
        project = _found(conn, params.project)
        projects.rename(conn, project.id, name)
        return _answer(conn, project.id)

    return await memory.writer.run(write)


@operation("projects.merge", writes=True, destroys=True)
async def merge(memory: Memory, params: MergeParams) -> ProjectAnswer:
    """Make two projects one; without `apply` only tell what would move. Paths of the one that goes mean the other.

    Raises NotFound for an unknown project, BadParameter when both are the same.
    """

    def read(conn: Connection) -> tuple[Project, Project]:
        source, into = _found(conn, params.source), _found(conn, params.into)
        if source.id == into.id:
            raise BadParameter("projects.merge", f"{params.source!r} and {params.into!r} are the same project")
        return source, into

    def write(conn: Connection) -> ProjectAnswer:
        source, into = read(conn)
        projects.merge(conn, source.id, into=into.id)
        return _answer(conn, into.id)

    if params.apply:
        source, into = await memory.readers.run(read)
        some = partial(projects.give_some, project_id=source.id, into=into.id, most=_AT_ONCE)
        while await memory.writer.run(some):
            pass
        return await memory.writer.run(write)
    return await memory.readers.run(lambda conn: _answer(conn, read(conn)[0].id))


def _found(conn: Connection, word: str) -> Project:
    project = project_of(conn, word)
    if project is None:
        raise NotFound("project", word)
    return project


def _answer(conn: Connection, project_id: int) -> ProjectAnswer:
    return next(_told(one) for one in projects.list_projects(conn) if one.project.id == project_id)


def _told(one: projects.ProjectCounts) -> ProjectAnswer:
    project = one.project
    return ProjectAnswer(project.uid, project.name, project.root, one.sessions, one.facts, time_of(one.last_at))
