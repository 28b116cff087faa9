"""`memd version`: which memd this is."""

from __future__ import annotations

import json

from memd import __version__
from memd.doors.cli.invocation import Invocation


def run(invocation: Invocation) -> int:
    """Print the version, without looking at database or daemon."""
    invocation.terminal.say(json.dumps({"version": __version__}) if invocation.given.json else f"memd {__version__}")
    return 0
