"""Scope: what a person's words for a project or a time stand for."""

from __future__ import annotations

from pathlib import Path

from memd.model import Project
from memd.store import projects
from memd.store.facts import Connection


def project_of(conn: Connection, word: str | None) -> Project | None:
    """Return the project that is meant: by a folder anywhere in it, its name or its uid; None for None.

    Raises NotFound, or BadParameter when several have the name.
    """
    return None if word is None else project_named(conn, word)


def project_named(conn: Connection, word: str) -> Project:
    """Return the project that is meant; raises as `project_of`."""
    found = containing(conn, Path(word))
    return projects.find(conn, word) if found is None else found


def containing(conn: Connection, folder: Path) -> Project | None:
    """Return the project that an absolute folder is in, None when none is known."""
    if not folder.is_absolute():
        return None
    for place in (folder, *folder.parents):
        project = projects.by_path(conn, place)
        if project is not None:
            return project
    return None


def project_id(conn: Connection, word: str | None) -> int | None:
    """Return the row id of the project that is meant; raises as `project_of`."""
    return None if word is None else project_named(conn, word).id
