"""Founding: a folder that memd has not seen a session in becomes a project as soon as something is kept for it."""

from __future__ import annotations

from pathlib import Path

from memd.errors import BadParameter, NotFound
from memd.model import Project
from memd.operations.memory import Memory
from memd.operations.whoami import placed, site_of
from memd.store import projects


async def founded(memory: Memory, word: str) -> Project:
    """Return the project that is meant; a folder that is in none becomes the one that a session there would be in.

    Raises NotFound for a name that no project has and a folder that can be in none, BadParameter for an excluded one.
    """
    project = await placed(memory, word)
    if project is not None:
        return project
    root = await site_of(memory, word)
    if root is None:
        raise NotFound("project", word)
    if memory.capture.excludes(Path(word)):
        raise BadParameter("project", f"{word} is excluded (capture.exclude), so nothing of it is kept")
    now_ms = memory.clock.now_ms()
    return await memory.writer.run(lambda conn: projects.resolve(conn, root, (), root.name, now_ms))
