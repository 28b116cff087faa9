"""Sessions: listed, and shown whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memd.errors import BadParameter
from memd.model import Message
from memd.operations.answers import SessionAnswer, ShowAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import message_answer, session_answer, summary_answer
from memd.store import deleting, sessions, summaries
from memd.store.facts import Connection

_ALL = -1


@dataclass(frozen=True, slots=True)
class ListParams:
    """Which sessions to list."""

    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    host: str | None = field(default=None, metadata={"help": "the host, such as claude_code"})
    subagents: bool = field(default=True, metadata={"help": "whether sessions of agents are listed as well"})
    empty: bool = field(default=True, metadata={"help": "whether sessions without a message are listed as well"})
    limit: int | None = field(default=None, metadata={"help": "at most so many; none: all"})


@dataclass(frozen=True, slots=True)
class ShowParams:
    """Which session to show."""

    session: str = field(metadata={"help": "its id, the host's id for it, or how either begins or ends"})
    history: bool = field(default=False, metadata={"help": "also what it shares with the session it was forked from"})
    tail: int | None = field(default=None, metadata={"help": "only so many messages, the last ones; none: all"})
    tools: bool = field(default=True, metadata={"help": "whether tool calls are told as well"})


@operation("sessions.list", reads=True)
async def list_sessions(memory: Memory, params: ListParams) -> tuple[SessionAnswer, ...]:
    """List sessions, the one with the newest message first.

    Raises NotFound when there is no such project.
    """

    def read(conn: Connection) -> tuple[SessionAnswer, ...]:
        chosen = sessions.SessionFilter(
            project_id=project_id(conn, params.project),
            host=params.host,
            subagents=params.subagents,
            empty=params.empty,
        )
        found = sessions.list_sessions(conn, chosen, _ALL if params.limit is None else params.limit)
        return tuple(map(session_answer, found))

    return await memory.readers.run(read)


@operation("sessions.show", reads=True)
async def show_session(memory: Memory, params: ShowParams) -> ShowAnswer:
    """Show a session with its messages in order, those that a rewind left behind marked as abandoned.

    Raises NotFound, and BadParameter when several sessions could be meant or `tail` is no number from 1 on.
    """
    if params.tail is not None and params.tail < 1:
        raise BadParameter("sessions.show", f"tail must be a number from 1 on, not {params.tail}")

    def read(conn: Connection) -> ShowAnswer:
        session = sessions.find(conn, params.session)
        transcript = sessions.transcript(conn, session.id, include_copies=params.history)
        chosen = sessions.SessionFilter(host=session.host, parent=session.native_id)
        agents = sessions.list_sessions(conn, chosen, _ALL)
        summary = summaries.get(conn, session.id)
        shown = _chosen(transcript.messages, params)
        names = deleting.names(conn, [message.id for message in shown])
        return ShowAnswer(
            session=session_answer(session),
            messages=tuple(message_answer(message, names.get(message.id, "")) for message in shown),
            subagents=tuple(session_answer(agent) for agent in reversed(agents)),
            summary=None if summary is None else summary_answer(summary),
        )

    return await memory.readers.run(read)


def _chosen(told: Sequence[Message], params: ShowParams) -> Sequence[Message]:
    """Return the messages that are wanted; without tool calls those are left out that hold nothing else."""
    if not params.tools:
        told = [replace(message, tool_calls=()) for message in told if message.text or not message.tool_calls]
    return told if params.tail is None else told[-params.tail :]
