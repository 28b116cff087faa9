"""`memd uninstall`: take memd off this machine."""

from __future__ import annotations

from memd.doors.cli.columns import bullets
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.service import chosen_hosts, environment
from memd.errors import UsageError
from memd_service.errors import ServiceError
from memd_service.uninstall import folders_of, uninstall, unregister


def run(invocation: Invocation) -> int:
    """Remove everything but the memory; with `--purge` the memory too; with `--host` only what is in these hosts.

    Raises ServiceError when something stays.
    """
    given, terminal = invocation.given, invocation.terminal
    places = invocation.places()
    hosts = chosen_hosts(given.host)
    going = ", ".join(map(str, folders_of(places.paths)))
    if given.purge and not given.yes and not terminal.interactive:
        raise UsageError(
            f"--purge removes everything memd remembers, and your configuration ({going}); say --yes as well."
        )
    if terminal.interactive and not given.yes:
        whole = f"memd, everything it remembers, and your configuration ({going})"
        what = whole if given.purge else "memd, not its memory"
        if hosts:
            what = f"memd from {', '.join(hosts)}"
        # What --purge takes cannot be had again, so Enter alone must not be enough.
        if not terminal.ask(f"Remove {what}?", enter=not given.purge):
            terminal.say("Nothing was changed.")
            return 0
    # From here on nothing may be imported any more: the program itself may be among what goes.
    here = environment(places)
    if not hosts:
        terminal.say("Taking memd out of the agents, stopping it and removing its files; that takes some seconds.")
        terminal.out.flush()
    removal = unregister(here, hosts) if hosts else uninstall(here, purge=given.purge)
    if removal.removed:
        terminal.say("Removed:", *bullets(removal.removed, terminal.columns, whole=True))
    if removal.kept:
        terminal.say("Kept:", *bullets(removal.kept, terminal.columns, whole=True))
    if removal.failed:
        reasons = "; ".join(f"{failure.part}: {failure.reason.rstrip('.')}" for failure in removal.failed)
        raise ServiceError(f"Not everything could be removed ({reasons}); run `memd uninstall` again.")
    if not removal.removed:
        terminal.say("There was nothing of memd here.")
    return 0
