"""`memd search`: find facts and messages."""

from __future__ import annotations

from collections.abc import Iterator

from memd.doors.cli import reach
from memd.doors.cli.columns import cut, one_line, wrap
from memd.doors.cli.host_names import check_host
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import projects_word
from memd.doors.cli.terminal import Terminal
from memd.doors.cli.wording import MESSAGE_CHARS, doubtful, local, project_name, short
from memd.errors import MemdError
from memd.operations.answers import HitAnswer, SearchAnswer

_TEXT_LINES = 3
_NARROWER = ("scope", "mode", "session", "role", "since", "until", "as_of", "tag", "compact", "explain")


def run(invocation: Invocation) -> int:
    """Print what was found; the exit status is 1 when nothing was."""
    given = invocation.given
    params = {
        "query": " ".join(given.query),
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
        invocation.terminal.say(reach.pretty(raw))
    else:
        if not answer.found:
            check_host(invocation, given.host)
            then = f" as of {given.as_of}" if given.as_of else ""
            invocation.terminal.error(f"Nothing was found for {params['query']!r}{then}.")
        if answer.hits:
            invocation.terminal.show(lines(answer, invocation.terminal, compact=given.compact))
    return 0 if answer.found else MemdError.exit_status


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
            cut(f"{_what(hit)} · {hit.at or '-'} · {one_line(hit.text)}", terminal.columns) for hit in answer.hits
        )
    for index, hit in enumerate(() if compact else answer.hits):
        if index:
            yield ""
        yield terminal.style(cut(_about(hit), terminal.columns), "bold")
        text = wrap(one_line(hit.text), terminal.columns - 2)
        if len(text) > _TEXT_LINES:
            text = [*text[: _TEXT_LINES - 1], cut(f"{text[_TEXT_LINES - 1]} …", terminal.columns - 2)]
        yield from (f"  {line}" for line in text)
        if hit.stale:
            yield cut(f"  may be out of date: {doubtful(hit.stale[0])}", terminal.columns)
        if hit.why:
            yield "  " + ", ".join(f"{name} {part:.2f}" for name, part in hit.why.items())
    for lane, note in answer.notes.items():
        yield f"({lane}: {one_line(note)})"


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
