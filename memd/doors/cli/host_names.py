"""Host names: what was meant by `--host` when there is no host of that name."""

from __future__ import annotations

import msgspec

from memd.doors.cli import reach
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.wording import suggestion
from memd.errors import UsageError


def check_host(invocation: Invocation, given: str | None) -> None:
    """Raise UsageError when the daemon knows no host of that name; to be asked when nothing was found."""
    if given is None:
        return
    hosts = msgspec.json.decode(reach.ask(invocation, "status", {})).get("hosts", {})
    if given not in hosts:
        raise UsageError(f"There is no host called {given!r}; {suggestion(given, hosts)}")
