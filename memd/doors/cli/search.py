"""`memd search`: find facts and messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memd.doors.cli import reach
from memd.doors.cli.columns import cut, one_line, wrap
from memd.doors.cli.host_names import check_host
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import projects_word
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import MESSAGE_CHARS, doubtful, local, project_name, short
from memd.errors import MemdError, UsageError
from memd.operations.answers import NO_PATTERN, HitAnswer, SearchAnswer

_TEXT_LINES = 3
_NARROWER = ("scope", "mode", "session", "role", "since", "until", "as_of", "tag", "compact", "explain")


def run(invocation: Invocation) -> int:
    """Print what was found; the exit status is 1 when nothing was."""
    given, terminal = invocation.given, invocation.terminal
    query = " ".join(given.query)
    if not query.strip():
        raise UsageError("There is nothing to look for; name it: `memd search WORDS`.")
    params = {
        "query": query,
        "project": projects_word(given.project),
        "host": given.host,
        "limit": given.limit,
        "kinds": (given.kind,) if given.kind else ("facts", "messages"),
        **{name: value for name in _NARROWER if (value := getattr(given, name))},
        **({"category": given.category, "strict": True} if given.category else {}),
    }
    raw = reach.ask(invocation, "search", params)
    answer = reach.decode(raw, SearchAnswer, invocation.places().paths.socket)
    if given.json:
        terminal.say(reach.pretty(raw))
    else:
        _say(invocation, query, answer)
    if answer.notes.get("regex") == NO_PATTERN:
        terminal.error(f"{query!r} is no valid regular expression; it was looked for as it stands.")
        return UsageError.exit_status
    return 0 if answer.found else MemdError.exit_status


def _say(invocation: Invocation, query: str, answer: SearchAnswer) -> None:
    given, terminal = invocation.given, invocation.terminal
    if not answer.found:
        check_host(invocation, given.host)
        then = f" as of {given.as_of}" if given.as_of else ""
        terminal.error(f"Nothing was found for {query!r}{then}.")
    shown = replace(answer, notes={lane: note for lane, note in answer.notes.items() if note != NO_PATTERN})
    if answer.hits:
        terminal.show(lines(shown, terminal, compact=given.compact))
    else:
        for note in _notes(shown):
            terminal.error(note)


def lines(answer: SearchAnswer, terminal: Terminal, *, compact: bool = False) -> Iterator[str]:
    """Give the hits for people; `compact`: a line each."""
    for word, others in answer.read_as.items():
        yield f"{one_line(word)} is nowhere; looked for {', '.join(map(one_line, others))} instead."
    if not answer.found:
        yield "What comes nearest:"
    elif not answer.sure:
        yield "Nothing quite answers this; what comes near:"
    if compact:
        yield from (
            cut(f"{_what(hit)} · {hit.at or '-'} · {one_line(hit.text)}", terminal.row_columns) for hit in answer.hits
        )
    for index, hit in enumerate(() if compact else answer.hits):
        if index:
            yield ""
        yield terminal.style(cut(_about(hit), terminal.row_columns), "bold")
        text = wrap(one_line(hit.text), terminal.columns - 2)
        if len(text) > _TEXT_LINES:
            text = [*text[: _TEXT_LINES - 1], cut(f"{text[_TEXT_LINES - 1]} …", terminal.columns - 2)]
        yield from (f"  {line}" for line in text)
        if hit.stale:
            yield cut(f"  may be out of date: {doubtful(hit.stale[0])}", terminal.row_columns)
        if hit.why:
            yield "  " + ", ".join(f"{name} {part:.2f}" for name, part in hit.why.items())
    yield from _notes(answer)


def _notes(answer: SearchAnswer) -> Iterator[str]:
    yield from (f"({lane}: {one_line(note)})" for lane, note in answer.notes.items())


def _who(hit: HitAnswer) -> str:
    if hit.tool is None:
        return hit.role or "message"
    return f"output of {hit.tool}" if hit.role == "tool" else f"call of {hit.tool}"


def _what(hit: HitAnswer) -> str:
    return one_line(f"{hit.kind} {short(hit.id)}" if hit.id else " ".join((_who(hit), *_name(hit))))


def _name(hit: HitAnswer) -> tuple[str, ...]:
    return () if hit.message is None else (hit.message[:MESSAGE_CHARS],)


def _about(hit: HitAnswer) -> str:
    words = [_what(hit), local(hit.at), project_name(hit.project)]
    if hit.session:
        words.append(f"session {short(hit.session)}")
    return " · ".join(one_line(word) for word in words)
