"""`memd install`: set memd up, wait for its first reading, and say what it does from now on."""

from __future__ import annotations

from memd.doors.cli import reach
from memd.doors.cli.columns import bullets, wrap
from memd.doors.cli.first_reading import FirstReading
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import Places
from memd.doors.cli.plan import say
from memd.doors.cli.service import chosen_guidance, chosen_hosts, environment
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import counted, home_short
from memd.operations.status_answers import StatusAnswer
from memd_service.errors import ServiceError
from memd_service.install import apply, plan_install


def run(invocation: Invocation) -> int:
    """Install, or with `--plan` say what would be done. Raises ServiceError when a part cannot be put in place.

    With `--json` it asks nothing, and what was done and what could not be is the answer.
    """
    places = invocation.places()
    terminal = invocation.terminal
    given = invocation.given
    plan = plan_install(environment(places), chosen_hosts(given.host), chosen_guidance(given))
    if given.plan:
        if given.json:
            terminal.say(reach.json_text({"changes": any(step.changes for step in plan.steps), "steps": plan.steps}))
        else:
            say(plan, terminal)
        return 0
    if terminal.interactive and not (given.yes or given.json):
        say(plan, terminal)
        if not terminal.ask("Go on?"):
            terminal.say("Nothing was changed.")
            return 0
    report = apply(plan)
    if given.json:
        terminal.say(reach.json_text(report))
        return ServiceError.exit_status if report.failed else 0
    terminal.say_all(bullets(report.done, terminal.columns, whole=True))
    if report.failed is not None:
        left = f" Not tried: {', '.join(report.undone)}." if report.undone else ""
        raise ServiceError(f"{report.failed.part}: {report.failed.reason.rstrip('.')}.{left} Run `memd install` again.")
    terminal.out.flush()
    status = FirstReading(invocation).wait()
    terminal.say("", *counts(status, terminal), "", *from_now_on(status, places, terminal))
    return 0


def counts(status: StatusAnswer, terminal: Terminal) -> list[str]:
    """Give what was read, in all and by host."""
    lines = wrap(
        f"memd knows {counted(status.sessions, 'session')}, {counted(status.messages, 'message')}"
        f" and {counted(status.facts, 'fact')}.",
        terminal.columns,
    )
    if status.queues.distill:
        lines += wrap(
            f"{counted(status.queues.distill, 'session')} will become facts in the background.", terminal.columns
        )
    for host in status.hosts.values():
        if host.present:
            said = f"{counted(host.sessions, 'session')}, {counted(host.messages, 'message')}"
            lines += wrap(f"  {host.title}: {said}", terminal.columns)
    return lines


def from_now_on(status: StatusAnswer, places: Places, terminal: Terminal) -> list[str]:
    """Give what memd does by itself from here on."""
    present = [host.title for host in status.hosts.values() if host.present]
    others = len(status.hosts) - len(present)
    if others:
        until = "as soon as it writes one" if others == 1 else "as soon as they write one"
        present.append(f"{counted(others, 'other' if present else 'agent')} {until}")
    *most, last = present or ["agents"]
    watched = f"{', '.join(most)} and {last}" if most else last
    data = home_short(str(places.paths.data_dir), places.env)
    said = (
        f"It watches the transcripts of {watched}, and keeps every session, with secrets taken out.",
        "A session that has ended becomes a summary and facts, within seconds.",
        "The next session in that project is given what it should know; `memd wakeup` shows it.",
        f"Everything stays on this machine, in {data}.",
        "`memd status` and `memd search WORDS` to look; `memd uninstall` to remove it.",
    )
    return [terminal.style("From now on:", "bold"), *bullets(said, terminal.columns, whole=True)]
