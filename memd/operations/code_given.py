"""What every question about code goes by: a project whose code is known, and bounds."""

from __future__ import annotations

from typing import Final

from memd.errors import BadParameter, MemdError
from memd.model import Project
from memd.operations.scope import project_named
from memd.store import code_files
from memd.store.facts import Connection

MOST: Final = 1000
_DEEPEST: Final = 10


class NotIndexed(MemdError):
    """Nothing is known of a project's code yet."""

    exit_status = 3
    code = "not_indexed"

    def __init__(self, project: str) -> None:
        super().__init__(f"Nothing is known of the code of {project} yet; `memd graph index` reads it.")


def known_project(conn: Connection, word: str) -> Project:
    """Return a project whose code is known; raises NotFound or NotIndexed."""
    project = project_named(conn, word)
    if not code_files.counts(conn, project.id):
        raise NotIndexed(project.name)
    return project


def bounded(name: str, limit: int, depth: int = 1) -> None:
    """Raise BadParameter, of the operation of a name, where a limit or a depth is out of range."""
    if not 1 <= limit <= MOST:
        raise BadParameter(name, f"limit must be 1 to {MOST}, not {limit}")
    if not 1 <= depth <= _DEEPEST:
        raise BadParameter(name, f"depth must be 1 to {_DEEPEST}, not {depth}")
