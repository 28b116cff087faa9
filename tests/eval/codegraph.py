"""Measure the code graph against graphs that compilers and precise indexers made.

Usage:
    python -m tests.eval.codegraph TREE                      print the edges of a tree, one JSON object a line
    python -m tests.eval.codegraph --trees DIR [--gold DIR]  score DIR/<id> against each set <id> of a folder
        [--only ID ...] [--fp N] [--fn N] [--readme]

A folder of sets holds `score_graph.py` (or lies beside one) and, for each set, `<id>/gold.jsonl[.xz]`; without
`--gold` it is the one that lies beside the checkout. The sources of a set lie in DIR/<id>, as its SOURCE.json says.
`--readme` writes the table into README.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio
import orjson

from memd.codegraph.index import index, resolve_tree
from memd.doors.cli.graph import edge_rows, symbol_rows
from memd.workers.pool import Workers
from memd.workers.turns import Priority

_ROOT: Final = Path(__file__).resolve().parents[2]
_BESIDE: Final = _ROOT.parent / "shared" / "eval" / "codegraph"
_BEGIN: Final = "<!-- code graph: begin -->"
_END: Final = "<!-- code graph: end -->"


@dataclass(frozen=True, slots=True)
class Scored:
    """The strict figures of one set."""

    id: str
    language: str
    lines: int
    calls: dict[str, Any]
    imports: dict[str, Any]
    inherits: dict[str, Any]
    symbols: dict[str, Any]
    seconds: float


async def graph_of(tree: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the edges and the symbols of a tree."""
    async with Workers() as workers:
        indexed = await index(workers, tree, priority=Priority.FOREGROUND)
        resolutions = await resolve_tree(workers, indexed, priority=Priority.FOREGROUND)
    return list(edge_rows(resolutions)), list(symbol_rows(indexed))


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write objects, one a line."""
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))


def sets_in(folder: Path, only: Sequence[str]) -> list[Path]:
    """Return the sets of a folder, by id; a folder that is a set itself is the only one."""
    if _gold(folder) is not None:
        return [folder]
    found = [one for one in sorted(folder.iterdir()) if one.is_dir() and _gold(one) is not None]
    return [one for one in found if not only or one.name in only]


def _gold(folder: Path) -> Path | None:
    return next((folder / "gold.jsonl" for name in ("gold.jsonl", "gold.jsonl.xz") if (folder / name).exists()), None)


def score(one: Path, tree: Path, out: Path, shown: Sequence[str]) -> Scored | None:
    """Make the graph of a tree and score it against a set; None where the scorer fails."""
    began = time.perf_counter()
    edges, symbols = anyio.run(partial(graph_of, tree.absolute()))
    seconds = time.perf_counter() - began
    write_rows(out / f"{one.name}.jsonl", edges)
    write_rows(out / f"{one.name}.symbols.jsonl", symbols)
    program = next(
        (p for p in (one / "score_graph.py", one.parent / "score_graph.py", _BESIDE / "score_graph.py") if p.exists()),
        None,
    )
    if program is None:
        print(f"{one}: there is no score_graph.py in it or beside it", file=sys.stderr)
        return None
    told = subprocess.run(
        [
            *(sys.executable, str(program), str(one / "gold.jsonl"), str(out / f"{one.name}.jsonl")),
            *("--symbols", str(out / f"{one.name}.symbols.jsonl"), "--json", *shown),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stderr.write(told.stderr)
    if told.returncode:
        return None
    result = json.loads(told.stdout)
    figures = result["edges"]
    return Scored(
        one.name,
        one.name.partition("-")[0],
        result["loc"] or 0,
        figures["calls/strict"],
        figures["imports/strict"],
        figures["inherits/strict"],
        result["symbols"] or {},
        seconds,
    )


def table(scored: Sequence[Scored]) -> list[str]:
    """Return the table of all sets as Markdown."""
    lines = [
        "| set | calls P | R | F1 | imports P | R | inherits F1 | symbols P | R | kLoC/s |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.id} | {_cells(one.calls, 'precision', 'recall', 'f1')} | {_cells(one.imports, 'precision', 'recall')}"
        f" | {_cells(one.inherits, 'f1')} | {_cells(one.symbols, 'precision', 'recall')}"
        f" | {one.lines / one.seconds / 1000:.0f} |"
        for one in scored
    ]
    by_language: dict[str, list[float]] = {}
    for one in scored:
        by_language.setdefault(one.language, []).append(one.calls["f1"] or 0.0)
    if by_language:
        macro = sum(sum(values) / len(values) for values in by_language.values()) / len(by_language)
        lines.append(f"| macro over languages | | | {macro:.3f} | | | | | | |")
    return lines


def _cells(figures: dict[str, Any], *names: str) -> str:
    return " | ".join("-" if figures.get(name) is None else f"{figures[name]:.3f}" for name in names)


def write_into_readme(lines: Sequence[str]) -> None:
    """Put the table between its marks in README.md."""
    path = _ROOT / "README.md"
    before, mark, rest = path.read_text("utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not mark or not end:
        raise SystemExit(f"README.md has no marks {_BEGIN} and {_END}")
    path.write_text("\n".join([before + mark, *lines, end + after]), "utf-8")


def main() -> int:
    """Print a graph, or score sets."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.codegraph")
    parser.add_argument("tree", nargs="?", type=Path)
    parser.add_argument("--trees", type=Path)
    parser.add_argument("--gold", type=Path, default=_BESIDE)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--fp", type=int, default=0)
    parser.add_argument("--fn", type=int, default=0)
    parser.add_argument("--readme", action="store_true")
    given = parser.parse_args()
    if given.tree is not None:
        for row in anyio.run(partial(graph_of, given.tree.absolute()))[0]:
            print(orjson.dumps(row).decode())
        return 0
    if given.trees is None or not given.gold.is_dir():
        parser.error("name a TREE, or --trees DIR (and --gold DIR where no sets lie beside the checkout)")
    scored: list[Scored] = []
    with tempfile.TemporaryDirectory() as scratch:
        out = given.out or Path(scratch)
        out.mkdir(parents=True, exist_ok=True)
        for one in sets_in(given.gold, given.only):
            tree = given.trees / one.name
            if not tree.is_dir():
                print(f"left out {one.name}: no sources at {tree}", file=sys.stderr)
                continue
            result = score(one, tree, out, ["--fp", str(given.fp), "--fn", str(given.fn)])
            if result is not None:
                scored.append(result)
    lines = table(scored)
    print("\n".join(lines))
    if given.readme:
        write_into_readme(lines)
    return 0 if scored else 1


if __name__ == "__main__":
    sys.exit(main())
