"""`memd injections`: what sessions were given, and how much of it they made use of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memd.doors.cli import reach
from memd.doors.cli.columns import bullets, one_line, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import projects_word
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import counted, local, project_name, short
from memd.operations.injection_answers import HitRateAnswer, InjectedAnswer, InjectionAnswer, InjectionsAnswer

_EVENTS: Final = {"wakeup": "at its start", "prompt": "at a prompt", "recovery": "after a compaction"}


def run(invocation: Invocation) -> int:
    """Print the newest lines of the ledger below the hit rate."""
    given = invocation.given
    params = {"project": projects_word(given.project), "session": given.session, "limit": given.limit}
    raw = reach.ask(invocation, "injections.list", params)
    if given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 0
    answer = reach.decode(raw, InjectionsAnswer, invocation.places().paths.socket)
    if not answer.entries:
        narrowed = params["session"] or params["project"]
        invocation.terminal.error(
            "Nothing is noted as given there." if narrowed else "No session has been given anything yet."
        )
        return 0
    invocation.terminal.show(lines(answer, invocation.terminal))
    return 0


def lines(answer: InjectionsAnswer, terminal: Terminal) -> Iterator[str]:
    """Give the ledger for people: the hit rate, then each injection with its facts."""
    for rate in answer.rates:
        yield from wrap(_rate(rate), terminal.columns)
    for entry in answer.entries:
        yield ""
        yield terminal.style(_head(entry), "bold")
        yield from bullets([*map(_fact, entry.facts), *map(_file, entry.files)], terminal.columns)


def _rate(rate: HitRateAnswer) -> str:
    when = _EVENTS.get(rate.event, rate.event)
    used = "their use is not known yet" if rate.rate is None else f"{100 * rate.rate:.0f} % of them used"
    return f"Given {when}: {counted(rate.times, 'time')}, {counted(rate.facts, 'fact')}, {used}."


def _head(entry: InjectionAnswer) -> str:
    session = short(entry.session) if entry.session else one_line(entry.native_id)
    where = f" in {one_line(project_name(entry.project))}" if entry.project else ""
    when = _EVENTS.get(entry.event, entry.event)
    why = f" ({one_line(entry.reason)})" if entry.reason not in ("", "startup") else ""
    return f"{local(entry.at)}  {session}{where}, {when}{why}: {counted(entry.tokens, 'token')}"


def _fact(fact: InjectedAnswer) -> str:
    use = {None: "", True: f", used: {fact.shown}" if fact.shown else ", used", False: ", not used"}[fact.used]
    score = "" if fact.score is None else f"{fact.score:.2f} "
    return one_line(f"{score}{fact.title} ({short(fact.id)}{use})")


def _file(name: str) -> str:
    # A passage is called by its own words in quotation marks, a file by its name.
    return one_line(name if name.startswith("“") else f"what is known of {name}")
