"""`memd graph status|callers|callees|impact|path|why|traverse|hubs|bridges|subsystems|gaps`: answers for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from memd.doors.cli import reach
from memd.doors.cli.columns import clean, one_line, width, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import project_word
from memd.doors.cli.wording import counted, local, short
from memd.operations.code_answers import (
    BridgesAnswer,
    CodeCheckAnswer,
    CodeGapsAnswer,
    CodeIndexAnswer,
    CodeReasonsAnswer,
    CodeStatusAnswer,
    FoundAnswer,
    HubsAnswer,
    ImpactAnswer,
    PathAnswer,
    StepAnswer,
    SubsystemsAnswer,
    SymbolAnswer,
    WalkAnswer,
    WhyAnswer,
)

_FILES: Final = 5
_FURTHER: Final = 4
_WORDS: Final = ("symbol", "source", "target", "depth", "direction", "as_of", "limit", "query")
"""What an action may be given, by the names of the parameters."""


def answer(invocation: Invocation) -> int:
    """Ask the daemon and print what it answers."""
    given = invocation.given
    params: dict[str, object] = {"project": project_word(given.project) or str(Path.cwd())}
    params |= {word: value for word in _WORDS if (value := getattr(given, word, None)) is not None}
    for several in ("relations", "tags"):
        if getattr(given, several, None):
            params[several] = getattr(given, several)
    raw = reach.ask(invocation, f"code.{given.action}", params)
    if given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 1 if given.action == "check" and not msgspec.json.decode(raw)["ok"] else 0
    kind, lines = _VIEWS[given.action]
    told = reach.decode(raw, kind, invocation.places().paths.socket)
    columns = invocation.terminal.row_columns
    invocation.terminal.show(part for line in lines(told) for part in _laid_out(line, columns))
    return 0 if getattr(told, "ok", True) else 1


def indexed(invocation: Invocation, raw: bytes) -> int:
    """Print what looking through a tree came to."""
    if invocation.given.json:
        invocation.terminal.say(reach.pretty(raw))
        return 0
    told = reach.decode(raw, CodeIndexAnswer, invocation.places().paths.socket)
    say = invocation.terminal.tell
    say(f"{told.project}: {counted(told.looked_at, 'file')} looked at, {told.changed} new or changed, {told.gone} gone")
    say(f"references of {counted(told.resolved, 'file')} resolved")
    for line in _skipped(told.skipped):
        say(line)
    return 0


def _laid_out(line: str, columns: int) -> list[str]:
    """Return a line with the blanks that lay it out, and without whatever else the data brings along.

    What is too long goes on below, further in; a node's name stays whole, so that it can be copied.
    """
    flat = " ".join(clean(line).splitlines())
    if width(flat) <= columns:
        return [flat]
    first, *rest = wrap(flat, columns - _FURTHER, whole=True)
    return [first, *(f"{' ' * _FURTHER}{part}" for part in rest)]


def _skipped(skipped: Mapping[str, int]) -> Iterator[str]:
    for reason, number in sorted(skipped.items()):
        yield f"passed over, {reason}: {number}"


def _plain(node: str) -> str:
    return node.removeprefix("code:")


def _head(symbol: SymbolAnswer) -> str:
    where = f"{_plain(symbol.node)}:{symbol.line}" if symbol.kind != "file" else _plain(symbol.node)
    return f"{where}  {one_line(symbol.signature)}" if symbol.signature else where


def _steps(steps: Iterable[StepAnswer]) -> Iterator[str]:
    for step in steps:
        sure = "" if step.confidence >= 0.9 else f" ({step.confidence:.2f})"
        source, target = _plain(step.source), _plain(step.target)
        yield f"{'  ' * step.depth}{source} {step.relation} {target} ({_shown(step)}){sure}"


def _shown(step: StepAnswer) -> str:
    """Return where a relation is shown, and what made it where that is known."""
    return f"line {step.line}; {_by(step.made_by)}" if step.made_by is not None else f"line {step.line}"


def _by(made_by: str) -> str:
    """Return what made something, with names that are no longer than a person needs."""
    kind, _, name = made_by.partition(" ")
    return f"{kind} {name[:12] if kind == 'commit' else short(name)}".rstrip()


def _more(more: bool) -> Iterator[str]:
    if more:
        yield "... and more; raise --limit to see it"


def _walk(told: WalkAnswer) -> Iterator[str]:
    yield _head(told.symbol)
    yield from _steps(told.steps)
    if not told.steps:
        yield "  nothing is known"
    yield from _more(told.more)


def _impact(told: ImpactAnswer) -> Iterator[str]:
    yield _head(told.symbol)
    yield f"{counted(told.reached, 'symbol')} in {counted(len(told.files), 'file')} could feel a change"
    for depth, nodes in told.by_depth.items():
        yield f"{counted(int(depth), 'step')} away:"
        for node in nodes:
            yield f"  {_plain(node)}"
    if told.tests:
        yield "tests among them:"
        for node in told.tests:
            yield f"  {_plain(node)}"
    yield from _more(told.more)


def _path(told: PathAnswer) -> Iterator[str]:
    if not told.steps:
        yield f"There is no way from {_plain(told.source)} to {_plain(told.target)}."
    for step in told.steps:
        yield f"{_plain(step.source)} {step.relation} {_plain(step.target)} ({_shown(step)})"


def _why(told: WhyAnswer) -> Iterator[str]:
    yield _head(told.symbol)
    if told.symbol.made_by is not None:
        yield f"  made by: {_by(told.symbol.made_by)}"
    if told.gone is not None:
        yield f"gone since {local(told.gone)}"
    for reason in told.reasons:
        yield f"  {reason.tag} (line {reason.line}): {one_line(reason.text)}"
    for fact in told.facts:
        yield f"  {fact.kind}: {one_line(fact.text or fact.title)}"
    for session in told.sessions:
        deed = "edited it" if session.edited_symbol else "edited its file"
        at = local(session.at) if session.at is not None else "at a time not told"
        yield f"  {deed} {at}: {one_line(session.title or session.id)} ({session.host})"
    for error in told.errors:
        mended = f"; mended by: {error.fix}" if error.fix else "; mended" if error.fixed else ""
        yield f"  error in session {short(error.session)}: {error.text}{mended}"
    for run in told.runs:
        ended = {True: "passed", False: "failed", None: "ended, nobody knows how"}[run.ok]
        yield f"  tests in session {short(run.session)}: {run.command} ({ended})"
    for test in told.tests:
        yield f"  tested by {_plain(test)}"
    if not (told.reasons or told.facts or told.sessions or told.errors or told.tests):
        yield "  nothing is known"


def _status(told: CodeStatusAnswer) -> Iterator[str]:
    yield f"{told.project} ({told.root})"
    if told.looked_at is None:
        yield "never looked through as a whole; `memd graph index` does it"
    else:
        yield f"looked through {local(told.looked_at)}" + (f" at commit {told.head[:12]}" if told.head else "")
    for one in told.languages:
        waits = f", {counted(one.waiting, 'file')} waiting" if one.waiting else ""
        yield f"{one.language}: {counted(one.files, 'file')}, {counted(one.lines, 'line')}{waits}"
    relations = ", ".join(f"{name} {number}" for name, number in told.relations.items()) or "none"
    unresolved = counted(told.unresolved, "reference")
    yield f"{counted(told.symbols, 'symbol')}; relations: {relations}; {unresolved} without grounds"
    yield from _skipped(told.skipped)
    if told.working:
        yield "being looked through now"
    if told.error:
        yield told.error


def _found(told: FoundAnswer) -> Iterator[str]:
    for symbol in told.symbols:
        yield f"{symbol.kind} {_head(symbol)}"
    if not told.symbols:
        yield "There is none."


def _hubs(told: HubsAnswer) -> Iterator[str]:
    for one in told.hubs:
        yield f"{one.incoming:>5} in {one.outgoing:>5} out  {_plain(one.node)}"


def _bridges(told: BridgesAnswer) -> Iterator[str]:
    for one in told.bridges:
        yield f"{_plain(one.node)} holds {one.parts} parts together, the smallest of {counted(one.cut_off, 'symbol')}"


def _subsystems(told: SubsystemsAnswer) -> Iterator[str]:
    for one in told.subsystems:
        yield f"{one.name}: {counted(one.size, 'symbol')}, cohesion {one.cohesion:.2f}: {_some(one.files)}"
        yield f"  {', '.join(_plain(node) for node in one.busiest[:5])}"


def _some(files: Sequence[str]) -> str:
    more = f" and {counted(len(files) - _FILES, 'other')}" if len(files) > _FILES else ""
    return ", ".join(files[:_FILES]) + more


def _gaps(told: CodeGapsAnswer) -> Iterator[str]:
    yield f"{counted(told.unresolved_count, 'reference')} without grounds"
    for one in told.unresolved:
        yield f"  {_plain(one.node)} (line {one.line}): {one.name}, {one.reason}"
    for title, nodes in (("nothing leads to", told.unused), ("stands alone", told.loose)):
        for node in nodes:
            yield f"{title}: {_plain(node)}"


def _reasons(told: CodeReasonsAnswer) -> Iterator[str]:
    for one in told.reasons:
        yield f"{_plain(one.node)}:{one.line}  {one.tag}: {one_line(one.text)}"
    if not told.reasons:
        yield "There is none."
    yield from _more(told.more)


def _check(told: CodeCheckAnswer) -> Iterator[str]:
    yield f"{told.project}: {counted(told.files, 'file')}, " + (
        "the graph is as they are"
        if told.ok
        else ", ".join(f"{number} {issue}" for issue, number in told.counts.items())
    )
    for one in told.issues:
        yield f"  {one.issue}: {_plain(one.node)}"
    if not told.ok:
        yield "`memd graph index` brings it up to date"


_VIEWS: Final[dict[str, tuple[type[Any], Callable[[Any], Iterator[str]]]]] = {
    "status": (CodeStatusAnswer, _status),
    "find": (FoundAnswer, _found),
    "callers": (WalkAnswer, _walk),
    "callees": (WalkAnswer, _walk),
    "traverse": (WalkAnswer, _walk),
    "impact": (ImpactAnswer, _impact),
    "path": (PathAnswer, _path),
    "why": (WhyAnswer, _why),
    "hubs": (HubsAnswer, _hubs),
    "bridges": (BridgesAnswer, _bridges),
    "subsystems": (SubsystemsAnswer, _subsystems),
    "gaps": (CodeGapsAnswer, _gaps),
    "reasons": (CodeReasonsAnswer, _reasons),
    "check": (CodeCheckAnswer, _check),
}
