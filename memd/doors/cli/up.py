"""`memd up`: the daemon, in the foreground."""

from __future__ import annotations

from functools import partial

from memd.doors.cli.invocation import Invocation


def run(invocation: Invocation) -> int:
    """Run the daemon until it is told to stop; raises AlreadyRunning, StoreError, PathError and ConfigError."""
    import anyio

    from memd import config
    from memd.daemon import run as run_daemon

    places = invocation.places()
    settings = config.load(places.paths.config_file, places.env)
    anyio.run(partial(run_daemon, places.paths, settings, service=invocation.given.service))
    return 0
