"""`memd down`: no daemon until it is started again."""

from __future__ import annotations

from memd.doors.cli.invocation import Invocation
from memd.doors.cli.service import environment
from memd_service.choose import choose
from memd_service.manager import Running, daemon_of, end_daemon


def run(invocation: Invocation) -> int:
    """Stop the daemon, whoever started it; all is well when none runs."""
    here = environment(invocation.places())
    was = daemon_of(here)
    manager = choose(here).manager
    if manager.state().registered:
        manager.stop()
    else:
        end_daemon(here)
    if isinstance(was, Running):
        invocation.terminal.say("memd is stopped. Hooks keep their events until `memd restart`.")
    else:
        invocation.terminal.say("memd does not run.")
    return 0
