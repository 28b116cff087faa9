"""`memd sessions`: the sessions there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memd.doors.cli import reach
from memd.doors.cli.columns import asked, more, one_line, table
from memd.doors.cli.host_names import check_host
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import projects_word
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import local, project_cell, short
from memd.operations.answers import SessionAnswer

_SHOWN: Final = 20
HEADER: Final = ("ID", "LAST MESSAGE", "PROJECT", "MSGS", "TITLE (● not over yet)")


def run(invocation: Invocation) -> int:
    """Print the sessions, newest first; JSON has all of them, unless told otherwise."""
    given = invocation.given
    shown = given.limit or _SHOWN
    params = {
        "project": projects_word(given.project),
        "host": given.host,
        "limit": given.limit if given.json else asked(shown),
        "subagents": bool(given.json or given.all),
        "empty": bool(given.json or given.all),
    }
    raw = reach.ask(invocation, "sessions.list", params)
    if given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 0
    sessions = reach.decode(raw, tuple[SessionAnswer, ...], invocation.places().paths.socket)
    if not sessions:
        check_host(invocation, given.host)
        invocation.terminal.error("No session has been read yet.")
    told = [*lines(sessions[:shown], invocation.terminal), *more(len(sessions), shown, "sessions")]
    invocation.terminal.show(told)
    return 0


def lines(sessions: Sequence[SessionAnswer], terminal: Terminal) -> Iterator[str]:
    """Give the sessions for people, one a line below a header."""
    if not sessions:
        return
    rows = [
        (
            short(session.id),
            local(session.last or session.started),
            project_cell(session.project, uncut=terminal.uncut),
            f"{session.messages:,}",
            _title(session),
        )
        for session in sessions
    ]
    header, *listed = table([HEADER, *rows], stretch=4, columns=terminal.row_columns)
    yield terminal.style(header, "dim")
    yield from listed


def _title(session: SessionAnswer) -> str:
    title = one_line(session.title or "") or f"({session.native_id})"
    marks = {"subagent": "agent: ", "fork": "fork: ", "background": "background: "}
    live = "" if session.ended else "● "
    return one_line(f"{live}{marks.get(session.kind, '')}{title}")
