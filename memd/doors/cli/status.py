"""`memd status`: what memd has read and how it fares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from memd.doors.cli import reach
from memd.doors.cli.columns import bullets, cut, one_line, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import ago, counted, home_short, now, size, span
from memd.operations.status_answers import HostAnswer, StatusAnswer


def run(invocation: Invocation) -> int:
    """Print the status; the daemon is not started for it."""
    raw = reach.ask(invocation, "status", {}, wake=False)
    if invocation.given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 0
    status = reach.decode(raw, StatusAnswer, invocation.places().paths.socket)
    invocation.terminal.say_all(
        lines(status, invocation.terminal, invocation.env, now(), verbose=invocation.given.verbose)
    )
    return 0


def lines(
    status: StatusAnswer, terminal: Terminal, env: Mapping[str, str], at: datetime, *, verbose: bool = False
) -> Iterator[str]:
    """Give the status for people; `verbose`: with each place that is not there yet."""
    columns = terminal.columns
    yield f"memd {status.version} runs (process {status.pid}, for {span(status.uptime_s)})"
    yield from wrap(
        f"It knows {counted(status.sessions, 'session')}, {counted(status.messages, 'message')}"
        f" and {counted(status.facts, 'fact')} of {counted(status.projects, 'project')}.",
        columns,
    )
    for host in status.hosts.values():
        if not host.present:
            continue
        yield ""
        yield terminal.style(cut(one_line(host.title), columns), "bold")
        yield from (f"  {line}" for fact in _host(host, env, at, verbose=verbose) for line in wrap(fact, columns - 2))
    absent = ", ".join(one_line(host.title) for host in status.hosts.values() if not host.present)
    if absent:
        yield ""
        yield from wrap(f"No sessions on this machine of: {absent}.", columns)
    yield ""
    yield from (line for fact in _work(status, env, at) for line in wrap(fact, columns))
    if status.recovery:
        yield ""
        yield from wrap(one_line(status.recovery), columns)
    if status.degraded:
        yield ""
        yield terminal.style("Not as it should be:", "yellow")
        yield from bullets((one_line(sentence) for sentence in status.degraded), columns)


def _host(host: HostAnswer, env: Mapping[str, str], at: datetime, *, verbose: bool) -> Iterator[str]:
    behind = "" if host.lag_s is None or host.lag_s < 1 else f", {span(host.lag_s)} behind"
    newest = ago(host.newest_captured, at) if host.newest_captured else "none yet"
    yield (
        f"{counted(host.sources, 'file')}, {counted(host.sessions, 'session')},"
        f" {counted(host.messages, 'message')}; newest message {newest}{behind}"
    )
    unseen = 0
    for root in host.roots:
        if root.mode == "absent" and not root.warning and not verbose:
            unseen += 1
            continue
        mode = {"native": "watched", "polling": "looked through every few seconds", "absent": "not there yet"}
        yield f"{home_short(one_line(root.path), env)}: {mode.get(root.mode, root.mode)}"
        if root.warning:
            yield one_line(root.warning)
    if unseen:
        verb = "is" if unseen == 1 else "are"
        yield f"{counted(unseen, 'more place')} {verb} watched, not there yet (`memd status --verbose`)"
    if host.skipped:
        yield "passed over: " + ", ".join(f"{one_line(why)} ({count:,})" for why, count in host.skipped.items())
    for trouble in host.errors[:3]:
        yield f"not read: {home_short(one_line(trouble), env)}"
    if len(host.errors) > 3:
        yield f"and {len(host.errors) - 3} more that could not be read (`memd status --json`)"


def _work(status: StatusAnswer, env: Mapping[str, str], at: datetime) -> Iterator[str]:
    backfill = status.backfill
    if backfill.running and backfill.bytes_total:
        share = 100 * backfill.bytes_done / backfill.bytes_total
        yield (
            f"Reading what was there before: {size(backfill.bytes_done)} of {size(backfill.bytes_total)}"
            f" ({share:.0f} %), newest first."
        )
    queues = status.queues
    if queues.sources or queues.distill:
        yield f"Waiting: {counted(queues.sources, 'file')} to read, {counted(queues.distill, 'session')} to distill."
    else:
        yield "Nothing waits."
    facts, judged, used = (sum(getattr(one, name) for one in status.injections) for name in ("facts", "judged", "used"))
    if facts:
        rate = f", {100 * used / judged:.0f} % of those looked into used" if judged else ""
        yield f"Given to sessions in 30 days: {counted(facts, 'fact')}{rate} (`memd injections`)."
    database = status.database
    backup = f"newest backup {ago(database.newest_backup, at)}" if database.newest_backup else "no regular backup yet"
    yield f"Database: {size(database.bytes)} at {home_short(one_line(database.path), env)}, {backup}."
