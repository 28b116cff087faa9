"""What single operations cost: `python -m tests.bench.bench_micro [ROWS ...] [--json FILE] [--against FILE]`.

Among 2,000 and 10,000 facts, unless other numbers are given: filling them in, the first search and later ones, saving
one, listing fifty, and looking for those that say the same. Told are the median time and the processor time of an
operation in milliseconds, that of worker processes with it; the latter does not depend on what else the machine does.
`--json` writes the figures, `--against` compares them with those of such a file, of another day or another memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio

from memd.operations.catalog import OPERATIONS
from memd.store import facts, projects
from memd.store.facts import Connection
from tests.bench.made_up import words
from tests.unit.operations.conftest import NOW, Harbor, memory_in

_TIMES: Final = 15
_SEEDED: Final = 250
_TICK_MS: Final = 1000 / os.sysconf("SC_CLK_TCK")

Figures = dict[str, dict[str, float]]
"""By operation: `median_ms` and `cpu_ms`."""


async def measure(rows: int) -> Figures:
    """Return the figures of a memory with so many facts."""
    with tempfile.TemporaryDirectory(prefix="memd-micro-") as folder:
        async with memory_in(Path(folder)) as harbor:
            chance = random.Random(5)
            found = {"seed": await _seed(harbor, rows, chance)}
            asked = [words(chance, 1 + n % 5) for n in range(_TIMES)]
            found["search cold"] = await _timed(partial(_do, harbor, "search", query=asked[0], kinds=["facts"]), 1)
            for name, call in {
                "search warm": lambda n: _do(harbor, "search", query=asked[n], kinds=["facts"]),
                "add": lambda n: _do(harbor, "facts.remember", text=f"{words(chance, 12)} {n}", project="micro"),
                "list": lambda n: _do(harbor, "facts.list", project="micro", limit=50),
            }.items():
                found[name] = await _timed(call, _TIMES)
            found["consolidate"] = await _timed(lambda n: _do(harbor, "facts.consolidate", project="micro"), 3)
            return found


async def _do(harbor: Harbor, name: str, number: int = 0, **params: object) -> Any:
    return await OPERATIONS[name].call(harbor.memory, params)


async def _seed(harbor: Harbor, rows: int, chance: random.Random) -> dict[str, float]:
    """Fill the memory, and return what one fact costs."""
    project = await harbor.memory.writer.run(lambda conn: projects.resolve(conn, harbor.root, [], "micro", NOW).id)

    def fill(conn: Connection, number: int) -> None:
        for at in range(number, min(number + _SEEDED, rows)):
            text = words(chance, 20)
            facts.add(conn, facts.NewFact("decision", text[:60], text, "user", NOW + at, project), NOW)

    before = []
    for number in range(0, rows, _SEEDED):
        began, spent = time.perf_counter(), _cpu_ms()
        await harbor.memory.writer.run(partial(fill, number=number))
        before.append(((time.perf_counter() - began) * 1000 / _SEEDED, (_cpu_ms() - spent) / _SEEDED))
    return _figures(before)


async def _timed(call: Callable[[int], Awaitable[object]], times: int) -> dict[str, float]:
    taken = []
    for number in range(times):
        began, spent = time.perf_counter(), _cpu_ms()
        await call(number)
        taken.append(((time.perf_counter() - began) * 1000, _cpu_ms() - spent))
    return _figures(taken)


def _figures(taken: list[tuple[float, float]]) -> dict[str, float]:
    return {
        "median_ms": round(statistics.median(wall for wall, _ in taken), 3),
        "cpu_ms": round(statistics.fmean(cpu for _, cpu in taken), 3),
    }


def _cpu_ms() -> float:
    """Return the processor time of this process and, where /proc tells it, of its workers."""
    own, spent = str(os.getpid()), time.process_time() * 1000
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            values = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if values[1] == own:
            spent += (int(values[11]) + int(values[12])) * _TICK_MS
    return spent


def table(found: dict[str, Figures], other: dict[str, Figures]) -> list[str]:
    """Return the figures as a Markdown table, with how many times as long the other ones took."""
    lines = ["| facts | operation | median ms | cpu ms | the other |", "|---|---|---|---|---|"]
    for rows, figures in found.items():
        for name, one in figures.items():
            theirs = other.get(rows, {}).get(name, {}).get("median_ms")
            ratio = "" if theirs is None else f"{theirs / max(one['median_ms'], 1e-3):.1f} x"
            lines.append(f"| {rows} | {name} | {one['median_ms']} | {one['cpu_ms']} | {ratio} |")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.bench_micro", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("rows", nargs="*", type=int, default=[2_000, 10_000])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--against", type=Path, help="compare with the figures of this file")
    given = parser.parse_args()
    found = {str(rows): anyio.run(measure, rows) for rows in given.rows}
    other = {} if given.against is None else json.loads(given.against.read_text("utf-8"))
    print("\n".join(table(found, other)))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), "utf-8")


if __name__ == "__main__":
    main()
