"""Wakeup: what a session would be given, looked at without giving it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from memd.model import Project
from memd.operations.answers import WakeupAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import containing, project_of
from memd.store import facts
from memd.store.facts import Connection


@dataclass(frozen=True, slots=True)
class WakeupParams:
    """For which project."""

    project: str | None = field(
        default=None, metadata={"help": "a folder, or a project's name or id; none: outside of any project"}
    )


@operation("wakeup", reads=True)
async def wakeup(memory: Memory, params: WakeupParams) -> WakeupAnswer:
    """Give the text that a session in a project would be given at its start; nothing is noted as given.

    A folder that is in no known project gets what holds everywhere. Raises NotFound for a name that no project has.
    """
    project = await _project(memory, params.project)
    bundle = await memory.injector.wakeup(project)

    def uids(conn: Connection) -> tuple[str, ...]:
        return tuple(fact.uid for fact in facts.load(conn, bundle.facts))

    return WakeupAnswer(
        project=None if project is None else project.root,
        text=bundle.text,
        tokens=bundle.tokens,
        facts=await memory.readers.run(uids),
    )


async def _project(memory: Memory, word: str | None) -> Project | None:
    if word is None:
        return None
    folder = Path(word)
    if not folder.is_absolute():
        return await memory.readers.run(lambda conn: project_of(conn, word))
    placed = await memory.injector.project_of(folder)
    # A folder that was removed is known by the project it was in.
    return placed or await memory.readers.run(lambda conn: containing(conn, folder))
