"""Who am I: what a caller's folder and words stand for here."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass, field
from pathlib import Path

from anyio import to_thread

from memd.model import Project
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import containing, project_of


@dataclass(frozen=True, slots=True)
class WhoamiParams:
    """Where the caller is."""

    cwd: str | None = field(default=None, metadata={"help": "the folder the caller works in"})
    project: str | None = field(default=None, metadata={"help": "a folder, or a project's name or id; none: of cwd"})


@dataclass(frozen=True, slots=True)
class WhoamiAnswer:
    """Whom and what memd takes the caller for.

    `project` is null where the folder is in no project that memd knows; `site` is then the folder that becomes one as
    soon as something is kept for it, null where none can be.
    """

    user: str
    uid: int
    cwd: str | None
    project: str | None
    project_name: str | None
    project_id: str | None
    site: str | None
    data_dir: str
    socket: str


@operation("whoami", reads=True)
async def whoami(memory: Memory, params: WhoamiParams) -> WhoamiAnswer:
    """Tell which project a folder is in, and whose memory this is.

    Raises NotFound for a name that no project has.
    """
    place = params.project or params.cwd
    project = await placed(memory, place)
    site = await site_of(memory, place) if project is None and place is not None else None
    return WhoamiAnswer(
        user=await to_thread.run_sync(_user),
        uid=os.getuid(),
        cwd=params.cwd,
        project=None if project is None else project.root,
        project_name=None if project is None else project.name,
        project_id=None if project is None else project.uid,
        site=None if site is None else str(site),
        data_dir=str(memory.paths.data_dir),
        socket=str(memory.paths.socket),
    )


async def placed(memory: Memory, word: str | None) -> Project | None:
    """Return the project that a folder, name or id stands for; None for a folder in none that is known.

    Raises NotFound for a name that no project has.
    """
    if word is None:
        return None
    folder = Path(word)
    if not folder.is_absolute():
        return await memory.readers.run(lambda conn: project_of(conn, word))
    found = await memory.injector.project_of(folder)
    # A folder that was removed is known by the project it was in.
    return found or await memory.readers.run(lambda conn: containing(conn, folder))


async def site_of(memory: Memory, word: str) -> Path | None:
    """Return the folder that would be the project of a folder; None where there is none to be (home, `/`, `/tmp`)."""
    folder = Path(word)
    if not folder.is_absolute() or not await to_thread.run_sync(folder.is_dir):
        return None
    return await memory.capture.project_root(folder)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
