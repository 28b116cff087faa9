"""Sessions: listed, and shown whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memd.errors import BadParameter
from memd.model import Message, Session, Summary
from memd.operations.answers import SessionAnswer, ShowAnswer
from memd.operations.fact_params import time_given
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_id
from memd.operations.shapes import events_answer, message_answer, session_answer, summary_answer
from memd.store import deleting, fact_views, facts, messages, sessions, summaries
from memd.store.facts import Connection

_ALL = -1


@dataclass(frozen=True, slots=True)
class ListParams:
    """Which sessions to list."""

    project: str | None = field(default=None, metadata={"help": "a folder in the project, its name or its id"})
    host: str | None = field(default=None, metadata={"help": "the host, such as claude_code"})
    subagents: bool = field(default=True, metadata={"help": "whether sessions of agents are listed as well"})
    empty: bool = field(default=False, metadata={"help": "whether sessions without a message are listed as well"})
    as_of: str | None = field(default=None, metadata={"help": "those that had begun by this time, as far as they were"})
    limit: int | None = field(default=None, metadata={"help": "at most so many; none: all"})
    offset: int = field(default=0, metadata={"help": "pass over so many"})


@dataclass(frozen=True, slots=True)
class ShowParams:
    """Which session to show."""

    session: str = field(metadata={"help": "its id, the host's id for it, or how either begins or ends"})
    history: bool = field(default=False, metadata={"help": "also what it shares with the session it was forked from"})
    tail: int | None = field(default=None, metadata={"help": "only so many messages, the last ones; none: all"})
    tools: bool = field(default=True, metadata={"help": "whether tool calls are told as well"})
    events: bool = field(
        default=False, metadata={"help": "also its topics, tools, files, commands, commits, errors, packages and URLs"}
    )
    as_of: str | None = field(default=None, metadata={"help": "as far as it had come by this time"})


@operation("sessions.list", reads=True)
async def list_sessions(memory: Memory, params: ListParams) -> tuple[SessionAnswer, ...]:
    """List sessions, the one with the newest message first.

    Raises NotFound when there is no such project, BadParameter for a date that is none, or an offset below zero.
    """
    as_of = time_given(params.as_of, "sessions.list")
    if params.offset < 0:
        raise BadParameter("sessions.list", f"offset must be 0 or more, not {params.offset}")

    def read(conn: Connection) -> tuple[SessionAnswer, ...]:
        chosen = sessions.SessionFilter(
            project_id=project_id(conn, params.project),
            host=params.host,
            subagents=params.subagents,
            empty=params.empty,
        )
        most = _ALL if params.limit is None else params.limit + params.offset
        if as_of is None:
            return tuple(map(session_answer, sessions.list_sessions(conn, chosen, most)[params.offset :]))
        then = sorted(_then(conn, sessions.list_sessions(conn, chosen, _ALL), as_of), key=_newest, reverse=True)
        return tuple(map(session_answer, then[params.offset :] if most == _ALL else then[params.offset : most]))

    return await memory.readers.run(read)


@operation("sessions.show", reads=True)
async def show_session(memory: Memory, params: ShowParams) -> ShowAnswer:
    """Show a session with its messages in order, those that a rewind left behind marked as abandoned.

    Raises NotFound, and BadParameter when several sessions could be meant, `tail` is no number from 1 on, for a date
    that is none, or for events as of a date.
    """
    as_of = time_given(params.as_of, "sessions.show")
    if params.tail is not None and params.tail < 1:
        raise BadParameter("sessions.show", f"tail must be a number from 1 on, not {params.tail}")
    if params.events and as_of is not None:
        raise BadParameter("sessions.show", "events have no times of their own; leave out events or as_of")

    def read(conn: Connection) -> ShowAnswer:
        session = sessions.find(conn, params.session)
        transcript = sessions.transcript(conn, session.id, include_copies=params.history)
        chosen = sessions.SessionFilter(host=session.host, parent=session.native_id)
        agents = sessions.list_sessions(conn, chosen, _ALL)
        summary = _summary(conn, session, as_of)
        told = transcript.messages
        if as_of is not None:
            told = tuple(message for message in told if message.at is None or message.at <= as_of)
            agents, (session,) = _then(conn, agents, as_of), _then(conn, (session,), as_of) or (session,)
        shown = _chosen(told, params)
        names = deleting.names(conn, [message.id for message in shown])
        return ShowAnswer(
            session=session_answer(session),
            messages=tuple(message_answer(message, names.get(message.id, "")) for message in shown),
            subagents=tuple(session_answer(agent) for agent in reversed(agents)),
            summary=None if summary is None else summary_answer(summary),
            events=events_answer(summaries.events(conn, session.id), told) if params.events else None,
        )

    return await memory.readers.run(read)


def _summary(conn: Connection, session: Session, as_of: int | None) -> Summary | None:
    """Return what a session came to: as somebody summed it up, else as it was distilled."""
    handed_in = facts.FactFilter(topic=facts.summary_topic(session.uid), as_of=as_of)
    summary = summaries.get(conn, session.id)
    for fact in facts.list_facts(conn, handed_in, 1):
        then = fact if as_of is None else fact_views.as_of(conn, fact, as_of)
        return Summary(then.title, then.body, summary.open_ends if summary else ())
    # What was summed up later tells of what was not said yet.
    return None if as_of is not None and (session.last_at or 0) > as_of else summary


def _then(conn: Connection, found: Sequence[Session], as_of: int) -> tuple[Session, ...]:
    """Return those of some sessions that had begun by a time, as they were then."""
    said = messages.said_by(conn, (session.id for session in found), as_of)
    then = []
    for session in found:
        count, last = said.get(session.id, (0, None))
        if not count and (session.started_at is None or session.started_at > as_of):
            continue
        over = session.ended_at is not None and session.ended_at <= as_of
        state = session.state if over or session.state != "ended" else "idle"
        ended = session.ended_at if over else None
        then.append(replace(session, messages=count, last_at=last, ended_at=ended, state=state))
    return tuple(then)


def _newest(session: Session) -> int:
    return session.last_at or session.started_at or 0


def _chosen(told: Sequence[Message], params: ShowParams) -> Sequence[Message]:
    """Return the messages that are wanted; without tool calls those are left out that hold nothing else."""
    if not params.tools:
        told = [replace(message, tool_calls=()) for message in told if message.text or not message.tool_calls]
    return told if params.tail is None else told[-params.tail :]
