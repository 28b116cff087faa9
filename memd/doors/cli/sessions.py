"""`memd sessions`: the sessions there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memd.doors.cli import reach
from memd.doors.cli.columns import cut, one_line, table
from memd.doors.cli.host_names import check_host
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import project_word
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import local, project_name, short
from memd.operations.answers import SessionAnswer

_SHOWN: Final = 20
_PROJECT_COLUMNS: Final = 18
HEADER: Final = ("ID", "LAST MESSAGE", "PROJECT", "MSGS", "TITLE (● not over yet)")


def run(invocation: Invocation) -> int:
    """Print the sessions, newest first; JSON has all of them, unless told otherwise."""
    given = invocation.given
    params = {
        "project": project_word(given.project),
        "host": given.host,
        "limit": given.limit or (None if given.json else _SHOWN),
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
    invocation.terminal.show(lines(sessions, invocation.terminal))
    return 0


def lines(sessions: Sequence[SessionAnswer], terminal: Terminal) -> Iterator[str]:
    """Give the sessions for people, one a line below a header."""
    if not sessions:
        return
    rows = [
        (
            short(session.id),
            local(session.last or session.started),
            cut(one_line(project_name(session.project)), _PROJECT_COLUMNS),
            f"{session.messages:,}",
            _title(session),
        )
        for session in sessions
    ]
    header, *listed = table([HEADER, *rows], stretch=4, columns=terminal.columns)
    yield terminal.style(header, "dim")
    yield from listed


def _title(session: SessionAnswer) -> str:
    title = one_line(session.title or "") or f"({session.native_id})"
    marks = {"subagent": "agent: ", "fork": "fork: ", "background": "background: "}
    live = "" if session.ended else "● "
    return one_line(f"{live}{marks.get(session.kind, '')}{title}")
