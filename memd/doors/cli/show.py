"""`memd show`: one session, whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memd.doors.cli import reach
from memd.doors.cli.columns import cut, one_line, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import MESSAGE_CHARS, local, short
from memd.operations.answers import MessageAnswer, SessionAnswer, ShowAnswer, ToolCallAnswer

_CALL_COLUMNS: Final = 240
"""So much of a call is shown where whole ones were not asked for, however wide the window."""


def run(invocation: Invocation) -> int:
    """Print the session."""
    given = invocation.given
    raw = reach.ask(
        invocation,
        "sessions.show",
        {"session": given.session, "history": given.history, "tail": given.tail, "tools": not given.no_tools},
    )
    if given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 0
    shown = reach.decode(raw, ShowAnswer, invocation.places().paths.socket)
    invocation.terminal.show(lines(shown, invocation.terminal, full=given.full))
    return 0


def lines(shown: ShowAnswer, terminal: Terminal, *, full: bool) -> Iterator[str]:
    """Give the session for people."""
    session = shown.session
    yield from (terminal.style(line, "bold") for line in wrap(one_line(session.title or ""), terminal.columns) if line)
    for about in _about(session):
        yield from wrap(about, terminal.columns)
    for message in shown.messages:
        yield ""
        yield terminal.style(cut(_heading(message), terminal.row_columns), "dim" if message.abandoned else "bold")
        if message.text:
            yield from wrap(message.text.strip("\n"), terminal.columns)
        for call in message.tool_calls:
            yield from _call(call, terminal.columns, full=full)
    if shown.subagents:
        yield ""
        yield "Agents of this session:"
        for agent in shown.subagents:
            yield cut(f"  {short(agent.id)}  {one_line(agent.title or agent.native_id)}", terminal.row_columns)


def _about(session: SessionAnswer) -> Iterator[str]:
    ended = f" to {local(session.ended)}" if session.ended else ", not over yet"
    yield f"session {session.id} of {one_line(session.host)} ({one_line(session.native_id)})"
    yield f"from {local(session.started)}{ended}"
    if session.project:
        branch = f" on {one_line(session.branch)}" if session.branch else ""
        yield f"in {one_line(session.project)}{branch}"
    if session.parent:
        yield f"an agent of session {one_line(session.parent)}"
    if session.forked_from:
        yield f"goes on from session {one_line(session.forked_from)}"


def _heading(message: MessageAnswer) -> str:
    who = {"prompt": "you", "reply": "agent", "summary": "summary by the host", "command": "command", "notice": "host"}
    gone = " · abandoned" if message.abandoned else ""
    return f"── {who.get(message.kind, message.role)} · {local(message.at)} · {message.id[:MESSAGE_CHARS]}{gone}"


def _call(call: ToolCallAnswer, columns: int, *, full: bool) -> Iterator[str]:
    outcome = {None: "no result", True: "ok", False: "failed"}[call.ok]
    if call.exit_code is not None:
        outcome = f"exit {call.exit_code}"
    if not full:
        yield cut(f"  ▸ {one_line(call.name)} ({outcome}) {one_line(call.input)}", min(columns, _CALL_COLUMNS))
        return
    yield cut(f"  ▸ {one_line(call.name)} ({outcome})", columns)
    for text in (call.input, call.output):
        yield from (f"    {line}" for line in wrap(text, columns - 4) if line)
    if call.output_chars > len(call.output):
        # Less is kept of it because it was long, or because secrets were taken out.
        yield f"    ({call.output_chars:,} characters as it was printed)"
