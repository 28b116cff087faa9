"""`memd graph`: what calls, imports and inherits what in a tree of code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from memd.doors.cli import graph_view, reach
from memd.doors.cli.columns import one_line
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import project_word
from memd.doors.cli.wording import counted
from memd.errors import DaemonUnavailable, MemdError, UsageError

_INDEX_S: Final = 900.0

if TYPE_CHECKING:
    from memd.codegraph.edges import Resolution
    from memd.codegraph.index import Indexed


def run(invocation: Invocation) -> int:
    """Answer a question of the graph that the daemon keeps, or read a tree and print what is in it or its edges."""
    action = invocation.given.action
    if action == "export":
        return _export(invocation)
    if action == "index":
        return _index(invocation)
    return graph_view.answer(invocation)


def _index(invocation: Invocation) -> int:
    """Have the daemon look through a tree; where there is none, say what is in it all the same."""
    given = invocation.given
    project = project_word(given.project) or str(_folder(given.path))
    try:
        raw = reach.ask(invocation, "code.index", {"project": project}, deadline_s=_INDEX_S)
    except (DaemonUnavailable, reach.NotRunning):
        return _tell(invocation, *_graph_of(_folder(project)))
    return graph_view.indexed(invocation, raw)


def _export(invocation: Invocation) -> int:
    """Print the edges of a tree, without daemon or store."""
    given = invocation.given
    indexed, resolutions = _graph_of(_folder(given.path))
    if given.symbols:
        _write(Path(given.symbols), symbol_rows(indexed))
    if given.unresolved:
        _write(Path(given.unresolved), unresolved_rows(resolutions))
    for row in edge_rows(resolutions):
        if given.jsonl:
            invocation.terminal.say(orjson.dumps(row).decode())
        else:
            invocation.terminal.say(one_line(f"{row['kind']} {row['src']} -> {row['dst']} (line {row['line']})"))
    return 0


def _folder(path: str) -> Path:
    root = Path(path).absolute()
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder; name one with sources in it.")
    return root


def _graph_of(root: Path) -> tuple[Indexed, list[Resolution]]:
    import anyio

    return anyio.run(partial(_read, root))


async def _read(root: Path) -> tuple[Indexed, list[Resolution]]:
    from memd.codegraph.index import index, resolve_tree
    from memd.workers.pool import Workers
    from memd.workers.turns import Priority

    async with Workers() as workers:
        try:
            indexed = await index(workers, root, priority=Priority.FOREGROUND)
            return indexed, await resolve_tree(workers, indexed, priority=Priority.FOREGROUND)
        except (MemdError, OSError) as error:
            problem = error  # raised where no task group wraps it
    raise problem


def edge_rows(resolutions: Iterable[Resolution]) -> Iterator[dict[str, Any]]:
    """Yield each edge as an object: kind, src, dst, and the line and confidence that go with it."""
    for resolution in resolutions:
        for edge in resolution.edges:
            yield {
                "kind": edge.kind,
                "src": edge.src,
                "dst": edge.dst,
                "line": edge.line,
                "confidence": edge.confidence,
            }


def unresolved_rows(resolutions: Iterable[Resolution]) -> Iterator[dict[str, Any]]:
    """Yield each reference that has no grounds as an object."""
    for resolution in resolutions:
        for one in resolution.unresolved:
            yield {"src": one.src, "name": one.name, "line": one.line, "reason": one.reason}


def symbol_rows(indexed: Indexed) -> Iterator[dict[str, Any]]:
    """Yield each symbol as an object; one that is declared and defined stands where it is defined."""
    for facts, index in indexed.nodes():
        symbol = facts.symbols[index]
        yield {
            "path": facts.path,
            "qualname": facts.qualname(index),
            "kind": symbol.kind,
            "line": symbol.line,
            "end_line": symbol.end_line,
            "signature": symbol.signature,
            "doc": symbol.doc,
        }


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("wb") as file:
        for row in rows:
            file.write(orjson.dumps(row) + b"\n")


def _tell(invocation: Invocation, indexed: Indexed, resolutions: list[Resolution]) -> int:
    languages: Counter[str] = Counter()
    lines = symbols = reasons = 0
    for facts in indexed.files():
        languages[facts.language] += 1
        lines += facts.lines
        symbols += len(facts.symbols)
        reasons += len(facts.comments)
    edges = Counter(edge.kind for resolution in resolutions for edge in resolution.edges)
    unresolved = sum(len(resolution.unresolved) for resolution in resolutions)
    outside = sum(resolution.outside for resolution in resolutions)
    terminal = invocation.terminal
    if invocation.given.json:
        document = {
            "files": len(indexed.facts),
            "languages": dict(languages),
            "lines": lines,
            "symbols": symbols,
            "edges": dict(edges),
            "unresolved": unresolved,
            "outside": outside,
            "reasons": reasons,
            "skipped": dict(indexed.skipped),
        }
        terminal.say(reach.json_text(document))
        return 0
    told = ", ".join(f"{name} {number}" for name, number in languages.most_common())
    terminal.say(f"{counted(len(indexed.facts), 'file')}, {counted(lines, 'line')}{f' ({told})' if told else ''}")
    terminal.say(
        f"{counted(symbols, 'symbol')}, {counted(reasons, 'comment that gives', 'comments that give')} reasons"
    )
    for kind in ("calls", "imports", "inherits"):
        terminal.say(f"{kind}: {counted(edges[kind], 'edge')}")
    terminal.say(f"{counted(unresolved, 'call')} without grounds, {outside} out of the tree")
    for reason, number in sorted((+indexed.skipped).items()):
        terminal.say(f"passed over, {reason}: {number}")
    return 0
