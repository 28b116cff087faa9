"""`memd import`: take over a transcript, or what another memory has kept."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from memd.doors.cli import reach
from memd.doors.cli.columns import bullets, one_line, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import project_word
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import counted, counted_as
from memd.operations.answers import ImportAnswer

_DEADLINE_S = 900.0


def run(invocation: Invocation) -> int:
    """Count what would be imported, and import it where that is wanted."""
    given, terminal = invocation.given, invocation.terminal
    params = {
        "path": str(Path(given.path).expanduser().absolute()),
        "system": given.system.replace("-", "_") if given.system else None,
        "host": given.host.replace("-", "_") if given.host else None,
        "project": project_word(given.project),
    }
    if given.json:
        raw = _ask(invocation, {**params, "dry_run": not given.yes})
        terminal.say(reach.pretty(raw))
        return 0
    if not given.yes:
        answer = _answer(invocation, {**params, "dry_run": True})
        terminal.say_all(lines(answer, terminal))
        if given.dry_run:
            return 0
        if not answer.added and not answer.changed:
            terminal.say("", "There is nothing new in it.")
            return 0
        if not terminal.interactive:
            terminal.say("", "Nothing was imported; say --yes to import it.")
            return 0
        if not terminal.ask("Import it?"):
            terminal.say("Nothing was imported.")
            return 0
    terminal.say_all(lines(_answer(invocation, {**params, "dry_run": False}), terminal))
    return 0


def lines(answer: ImportAnswer, terminal: Terminal) -> Iterator[str]:
    """Give an answer for people."""
    columns = terminal.columns
    verb = "would be imported" if answer.dry_run else "imported"
    what = "session" if answer.sessions else "fact"
    for line in wrap(one_line(f"{answer.what}: {answer.path}"), columns, whole=True):
        yield terminal.style(line, "bold")
    yield from wrap(f"{counted(answer.added, what)} {verb} of {answer.found:,}.", columns)
    if answer.sessions:
        yield from wrap(f"{counted(answer.messages, 'message')} in {counted(len(answer.sessions), what)}.", columns)
    told = (
        (answer.before, "taken over before"),
        (answer.known, "known word for word"),
        (answer.changed, "changed there later"),
    )
    things = {"relations": answer.relations, **answer.others}
    already = [f"{count:,} {words}" for count, words in told if count]
    yield from bullets([*already, *(counted_as(count, name) for name, count in things.items() if count)], columns)
    for name, counts in (("by kind", answer.kinds), ("by project", answer.projects), ("left out", answer.skipped)):
        if counts:
            listed = ", ".join(f"{one_line(key)} ({count:,})" for key, count in counts.items())
            yield from wrap(f"{name}: {listed}", columns)
    for folder in answer.absent:
        quoted = shlex.quote(one_line(folder))
        yield from wrap(
            f"{one_line(folder)} is not on this machine: what is said of it is a project of its own, and given to no"
            f" session, until you say in the folder that it is here: `memd session projects_merge {quoted} . --apply`",
            columns,
            whole=True,
        )
    if answer.dry_run and answer.examples:
        yield "such as:"
        yield from bullets(map(one_line, answer.examples), columns)


def _answer(invocation: Invocation, params: Mapping[str, object]) -> ImportAnswer:
    return reach.decode(_ask(invocation, params), ImportAnswer, invocation.places().paths.socket)


def _ask(invocation: Invocation, params: Mapping[str, object]) -> bytes:
    return reach.ask(invocation, "import", params, deadline_s=_DEADLINE_S)
