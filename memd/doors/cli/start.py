"""`memd start`: a daemon that runs; the one that runs already is left alone."""

from __future__ import annotations

from memd.doors.cli import reach
from memd.doors.cli.invocation import Invocation


def run(invocation: Invocation) -> int:
    """Start the daemon where it does not run; raises NotRunning and ServiceError."""
    started = reach.wake_up(invocation.places(), wake=True)
    invocation.terminal.say("memd is started." if started else "memd runs already.")
    return 0
