"""`memd facts`: what memd has learnt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memd.doors.cli import reach
from memd.doors.cli.columns import asked, more, one_line, table, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import projects_word
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import doubtful, local, project_cell, short
from memd.operations.answers import FactAnswer, FactShowAnswer

_SHOWN: Final = 20
HEADER: Final = ("ID", "KIND", "PROJECT", "FACT")


def run(invocation: Invocation) -> int:
    """Print one fact, or the facts there are, newest first."""
    return _one(invocation) if invocation.given.fact else _list(invocation)


def _list(invocation: Invocation) -> int:
    given = invocation.given
    shown = given.limit or _SHOWN
    params = {
        "project": projects_word(given.project),
        "kind": given.kind,
        "all": given.all,
        "limit": given.limit if given.json else asked(shown),
        **_then(invocation),
    }
    raw = reach.ask(invocation, "facts.list", params)
    if given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 0
    facts = reach.decode(raw, tuple[FactAnswer, ...], invocation.places().paths.socket)
    if not facts:
        invocation.terminal.error("No fact has been learnt yet; facts come from sessions that have ended.")
    told = [*lines(facts[:shown], invocation.terminal), *more(len(facts), shown, "facts")]
    invocation.terminal.show(told)
    return 0


def _then(invocation: Invocation) -> dict[str, str]:
    return {} if invocation.given.as_of is None else {"as_of": invocation.given.as_of}


def _one(invocation: Invocation) -> int:
    raw = reach.ask(invocation, "facts.show", {"fact": invocation.given.fact, **_then(invocation)})
    if invocation.given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 0
    shown = reach.decode(raw, FactShowAnswer, invocation.places().paths.socket)
    invocation.terminal.show(detail(shown, invocation.terminal))
    return 0


def lines(facts: Sequence[FactAnswer], terminal: Terminal) -> Iterator[str]:
    """Give the facts for people, one a line below a header."""
    if not facts:
        return
    rows = [
        (
            short(fact.id),
            _standing(fact),
            project_cell(fact.project, uncut=terminal.uncut) if fact.project else "everywhere",
            one_line(fact.title),
        )
        for fact in facts
    ]
    header, *listed = table([HEADER, *rows], stretch=3, columns=terminal.row_columns)
    yield terminal.style(header, "dim")
    yield from listed


def _standing(fact: FactAnswer) -> str:
    if fact.status != "current":
        return f"{fact.kind}, {fact.status}"
    return f"{fact.kind}, stale" if fact.stale else fact.kind


def detail(shown: FactShowAnswer, terminal: Terminal) -> Iterator[str]:
    """Give one fact for people, with where it comes from and what became of it."""
    fact, columns = shown.fact, terminal.columns
    yield from (terminal.style(line, "bold") for line in wrap(one_line(fact.title), columns))
    if fact.text and fact.text != fact.title:
        yield from wrap(fact.text, columns)
    for name, text in fact.parts.items():
        if text == fact.text:
            continue
        yield from wrap(f"{name}: {one_line(text)}", columns)
    yield ""
    yield from wrap(f"{fact.kind}, {fact.status}, {one_line(fact.project or 'everywhere')}", columns)
    yield f"fact {fact.id}, since {local(fact.valid_from)}"
    if fact.superseded_by:
        yield f"replaced by {short(fact.superseded_by)}"
    yield from (line for doubt in fact.stale for line in wrap(f"may be out of date: {doubtful(doubt)}", columns))
    for evidence in fact.evidence:
        yield ""
        where = f" in session {short(evidence.session)}" if evidence.session else ""
        yield f"said {local(evidence.at)}{where}:"
        yield from (f"  {line}" for line in wrap(evidence.quote, columns - 2))
    if shown.history:
        yield ""
        for change in shown.history:
            yield from wrap(f"{local(change.at)} {change.action}: {one_line(change.reason)}", columns)
