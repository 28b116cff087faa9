"""Wakeup, brief and handoff: what a session or a person would be given, looked at without giving it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from anyio import to_thread

from memd.errors import BadParameter, NotFound
from memd.inject import brief as briefing
from memd.model import Project
from memd.operations.answers import WakeupAnswer
from memd.operations.fact_params import time_given
from memd.operations.injection_answers import HandoffAnswer, TextAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.shapes import time_of
from memd.operations.whoami import placed
from memd.store import facts, handoffs
from memd.store.facts import Connection
from memd.text.redaction import scrub

_MOST_CHARS: Final = 8_000


@dataclass(frozen=True, slots=True)
class WakeupParams:
    """For which project."""

    project: str | None = field(
        default=None, metadata={"help": "a folder, or a project's name or id; none: outside of any project"}
    )
    as_of: str | None = field(default=None, metadata={"help": "what it would have been given at this time"})


@operation("wakeup", reads=True)
async def wakeup(memory: Memory, params: WakeupParams) -> WakeupAnswer:
    """Give the text that a session in a project would be given at its start; nothing is noted as given.

    A folder that is in no known project gets what holds everywhere. Raises NotFound for a name that no project has,
    BadParameter for a time that is none.
    """
    as_of = time_given(params.as_of, "wakeup")
    project = await placed(memory, params.project)
    bundle = await memory.injector.wakeup(project, as_of)

    def uids(conn: Connection) -> tuple[str, ...]:
        return tuple(fact.uid for fact in facts.load(conn, bundle.facts))

    return WakeupAnswer(
        project=None if project is None else project.root,
        text=bundle.text,
        tokens=bundle.tokens,
        facts=await memory.readers.run(uids),
    )


@dataclass(frozen=True, slots=True)
class ProjectParams:
    """Of which project, and when."""

    project: str = field(metadata={"help": "a folder in the project, its name or its id"})
    as_of: str | None = field(default=None, metadata={"help": "what would have been told at this time"})


@dataclass(frozen=True, slots=True)
class LeaveParams:
    """What to hand over."""

    project: str = field(metadata={"help": "a folder in the project, its name or its id"})
    text: str = field(metadata={"help": "what whoever works on it next has to know"})
    author: str | None = field(default=None, metadata={"help": "who leaves it"})


@operation("brief", reads=True)
async def brief(memory: Memory, params: ProjectParams) -> TextAnswer:
    """Tell a project in about 200 tokens: figures, decisions, latest sessions, files worked on most.

    Raises NotFound for a project that there is not, BadParameter for a time that is none.
    """
    as_of = time_given(params.as_of, "brief")
    project = await _known(memory, params.project)
    bundle = await memory.readers.run(lambda conn: briefing.brief(conn, project, as_of))
    return TextAnswer(project.root, bundle.text, bundle.tokens)


@operation("handoff", reads=True)
async def handoff(memory: Memory, params: ProjectParams) -> TextAnswer:
    """Tell what somebody who takes over a project has to know, what was left for him first.

    Of what was left for earlier ones the newest three are known, also at an earlier time. Raises NotFound for a project
    that there is not, BadParameter for a time that is none.
    """
    as_of = time_given(params.as_of, "handoff")
    project = await _known(memory, params.project)

    def read(conn: Connection) -> TextAnswer:
        bundle = briefing.handoff(conn, project, as_of)
        kept = handoffs.newest(conn, project.id)
        left = tuple(_left(project, one) for one in kept if as_of is None or one.at <= as_of)
        return TextAnswer(project.root, bundle.text, bundle.tokens, left)

    return await memory.readers.run(read)


@operation("handoff.leave", writes=True)
async def leave_handoff(memory: Memory, params: LeaveParams) -> HandoffAnswer:
    """Leave a text for whoever works on a project next; of each project the newest three are kept.

    Raises NotFound for a project that there is not, BadParameter for a text that says nothing or is too long.
    """
    text = (await to_thread.run_sync(scrub, params.text)).text.strip()
    if not text or len(text) > _MOST_CHARS:
        raise BadParameter("handoff.leave", f"the text must have 1 to {_MOST_CHARS} characters, not {len(text)}")
    author = None if params.author is None else scrub(params.author).text
    project, now = await _known(memory, params.project), memory.clock.now_ms()
    left = await memory.writer.run(lambda conn: handoffs.add(conn, project.id, text, author, now))
    return _left(project, left)


def _left(project: Project, one: handoffs.Handoff) -> HandoffAnswer:
    return HandoffAnswer(one.uid, project.root, one.text, one.author, time_of(one.at))


async def _known(memory: Memory, word: str) -> Project:
    project = await placed(memory, word)
    if project is None:
        raise NotFound("project", word)
    return project
