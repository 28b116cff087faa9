"""The service, as the command line meets it."""

from __future__ import annotations

from memd import __version__
from memd.doors.cli.places import Places
from memd_service.environment import Environment


def environment(places: Places) -> Environment:
    """Return what the service functions need to know; raises UnsupportedPlatform."""
    return Environment.detect(places.paths, version=__version__, env=places.env)
