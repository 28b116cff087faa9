"""`memd restart`: a daemon that was started just now."""

from __future__ import annotations

from memd import config
from memd.doors.cli.columns import wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.service import environment
from memd_service.choose import choose
from memd_service.errors import ServiceError
from memd_service.manager import Running, daemon_of


def run(invocation: Invocation) -> int:
    """Start the daemon anew, or at all; raises ServiceError."""
    places = invocation.places()
    if not places.paths.hook_shim.exists():
        raise ServiceError(
            f"memd is not installed in {places.paths.data_dir}; run `memd install`, or `memd up` for the foreground."
        )
    here = environment(places)
    manager = choose(here).manager
    manager.restart()
    daemon = daemon_of(here)
    if not isinstance(daemon, Running):
        raise ServiceError("The daemon was started but has ended again; `memd doctor` and `memd logs` say more.")
    invocation.terminal.say(f"memd runs as process {daemon.pid} ({manager.name}).")
    # A restart is what a changed setting takes; who mistyped it should not have to ask for the status to hear of it.
    for warning in config.load(places.paths.config_file, places.env).warnings:
        invocation.terminal.say(*wrap(warning, invocation.terminal.columns))
    return 0
