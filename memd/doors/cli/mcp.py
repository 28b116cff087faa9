"""`memd mcp`: MCP on standard input and output, by the same pump that hosts run; or what its tools cost."""

from __future__ import annotations

import os
import sys

from memd.doors.cli import reach
from memd.doors.cli.columns import bullets, table, wrap
from memd.doors.cli.invocation import Invocation
from memd.errors import UsageError


def run(invocation: Invocation) -> int:
    """Become the pump, or with `--cost` print the token cost of each profile."""
    return _cost(invocation) if invocation.given.cost else _pump(invocation)


def _pump(invocation: Invocation) -> int:
    from memd.doors.cli.service import environment
    from memd_service.mcp_part import render_pump

    if invocation.terminal.interactive:
        raise UsageError(
            "`memd mcp` is run by agents, in which `memd install` registers it; `memd mcp --cost` is for people."
        )
    given, places = invocation.given, invocation.places()
    source = render_pump(environment(places)).decode()
    words = [word for name in ("profile", "project") if (word := _option(name, getattr(given, name)))]
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", source, *words], dict(places.env))


def _option(name: str, value: str | None) -> str:
    return f"--{name}={value}" if value else ""


def _cost(invocation: Invocation) -> int:
    from memd.doors.mcp.cost import costs
    from memd.operations.described import described

    found = costs(described())
    terminal = invocation.terminal
    if invocation.given.json:
        terminal.say(reach.json_text(found))
        return 0
    rows = [("PROFILE", "TOOLS", "ACTIONS", "TOKENS", "AT MOST")]
    rows += [(one.profile, str(len(one.tools)), str(one.actions), f"{one.tokens:,}", f"{one.most:,}") for one in found]
    terminal.say_all(table(rows, stretch=0, columns=terminal.row_columns))
    terminal.say("")
    terminal.say_all(bullets((f"{one.profile}: {', '.join(one.tools)}" for one in found), terminal.columns))
    terminal.say("")
    terminal.say_all(
        wrap(
            "Tokens of tools and instructions together, four characters each, paid once by each session.",
            terminal.columns,
        )
    )
    return 0
