"""Measures every budget and writes the table into README.md: `python -m tests.bench.run_all [--readme PATH]`.

Each part runs in a process of its own, one after the other. What has no budget (text functions, adapter, store) is
measured by its own program and printed only.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import anyio

from memd.store import search
from memd.store.connection import connect_reader
from memd.text.tokens import match_query
from tests.bench import bench_backfill, bench_daemon, bench_hook, bench_mcp, bench_search
from tests.bench.bench_daemon import IDLE_S, p95
from tests.bench.make_transcripts import write_tree

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- benchmarks -->", "<!-- /benchmarks -->"
PRINTED_ONLY = ("bench_text", "bench_adapter", "bench_store", "bench_hosts")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `kept` is None where there is no budget."""

    what: str
    figure: str
    budget: str = ""
    kept: bool | None = None


def at_most(what: str, value: float, limit: float, unit: str, *, more: str = "", digits: int = 0) -> Figure:
    """A figure that must not be larger than its budget."""
    return Figure(what, f"{value:.{digits}f} {unit}{more}", f"≤ {limit:g} {unit}", value <= limit)


def hook() -> list[Figure]:
    """The hook from spawn to exit, against the bare interpreter under the same shell."""
    cases = bench_hook.measure(60)
    base = statistics.median(cases[0].times_ms)
    return [
        at_most(f"hook, {case.name}", statistics.median(case.times_ms) / base, 2, "x bare interpreter", digits=2)
        for case in cases[1:]
    ]


def backfill() -> list[Figure]:
    """Transcripts to rows and index: speed and memory."""
    with tempfile.TemporaryDirectory(prefix="memd-bench-") as folder:
        home = Path(folder)
        with ProcessPoolExecutor(1, get_context("spawn")) as other:
            size = other.submit(write_tree, home / ".claude", 150, 150).result() / 1e6
        measured = anyio.run(bench_backfill.measure, home, size, False)
    speed = measured.megabytes / measured.seconds
    return [
        Figure(f"backfill of {size:.0f} MB", f"{speed:.0f} MB/s", "≥ 30 MB/s", speed >= 30),
        at_most("memory during it, daemon and workers", measured.peak_mb, 250, "MB"),
    ]


def searching() -> list[Figure]:
    """Searches among 100,000 messages and 10,000 facts."""
    with tempfile.TemporaryDirectory(prefix="memd-bench-") as folder:
        path = Path(folder) / "memd.db"
        bench_search.fill(path, 100_000, 10_000)
        conn = connect_reader(path)
        asked = [query for query in bench_search.queries() if match_query(query)]

        def spread(find: Callable[[str], object]) -> float:
            taken = []
            for query in asked:
                begun = time.perf_counter()
                find(query)
                taken.append((time.perf_counter() - begun) * 1000)
            return p95(taken)

        lanes = {
            "messages": spread(lambda query: bench_search.by_words(conn, query)),
            "facts": spread(lambda query: search.facts(conn, match_query(query), None, all_projects=True)),
        }
        conn.close()
    return [at_most(f"search among 100,000 messages: {what}, p95", taken, 30, "ms") for what, taken in lanes.items()]


def daemon() -> list[Figure]:
    """A real daemon with 10,000 facts, during a backfill and after it."""
    measured = bench_daemon.measure(60, 10_000)
    bare = statistics.median(measured.bare_ms)
    status, start = statistics.median(measured.status_ms), statistics.median(measured.hook_ms)
    return [
        at_most("append to searchable, idle, p95", p95(measured.append_idle_ms), 1000, "ms"),
        at_most("append to searchable during a backfill, p95", p95(measured.append_busy_ms), 1000, "ms"),
        at_most("PreCompact hook to prompts kept, p95", p95(measured.compaction_ms), 300, "ms"),
        at_most("SessionStart hook at 10,000 facts", start, 250, "ms", more=f" ({start / bare:.1f} x bare)"),
        at_most("the same during a backfill, p95", p95(measured.hook_busy_ms), 250, "ms"),
        at_most("wakeup at 10,000 facts, p95", p95(measured.wakeup_ms), 40, "ms"),
        Figure("round trip over the socket", f"{statistics.median(measured.round_trip_ms):.1f} ms"),
        at_most("`memd status`, spawn to exit", status, 150, "ms", more=f" ({status / bare:.1f} x bare)"),
        at_most("start after a kill -9, to the first answer", measured.took_over_ms, 2000, "ms"),
        at_most("idle daemon at 10,000 facts, resident", measured.idle_mb, 80, "MB"),
        at_most(f"idle daemon, CPU in {IDLE_S} s", measured.idle_cpu_s, 0.1, "s", digits=2),
    ]


def mcp() -> list[Figure]:
    """The pump that agents start, and what is at its other end."""
    measured = bench_mcp.measure(20)
    return [
        at_most("MCP: spawn to the answer to initialize", statistics.median(measured.initialize_ms), 40, "ms"),
        at_most("MCP: client's CPU from spawn to tools/list", statistics.median(measured.cpu_up_ms), 120, "ms"),
        at_most("MCP: the same while no daemon runs", statistics.median(measured.cpu_down_ms), 600, "ms"),
        at_most("MCP: pump, resident", measured.pump_mb, 12, "MB"),
        Figure("MCP: the same when nobody has spoken it for a while", f"{measured.cold_ms:.0f} ms"),
        Figure("MCP: a tool's answer", f"{statistics.median(measured.call_ms):.1f} ms"),
        Figure("MCP: process for all agents, resident while they ask", f"{measured.process_mb:.0f} MB"),
    ]


PARTS: tuple[Callable[[], list[Figure]], ...] = (hook, backfill, searching, daemon, mcp)


def table(figures: list[Figure]) -> str:
    """The figures as Markdown."""
    lines = [f"Measured on {os.cpu_count()} shared cores with `make bench`:", ""]
    lines += ["| what | figure | budget |", "|---|---|---|"]
    lines += [
        f"| {figure.what} | {figure.figure}{' (missed)' if figure.kept is False else ''} | {figure.budget} |"
        for figure in figures
    ]
    return "\n".join(lines)


def write(readme: Path, text: str) -> None:
    """Put the table between its marks in the README."""
    before, begin, rest = readme.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{readme} has no {BEGIN} ... {END} to write between.")
    readme.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md")
    parser.add_argument("--only", choices=[part.__name__ for part in PARTS], help="measure one part, write nothing")
    given = parser.parse_args()
    say = partial(print, flush=True)
    figures: list[Figure] = []
    for part in PARTS:
        if given.only not in {None, part.__name__}:
            continue
        say(f"==> {part.__name__}: {(part.__doc__ or '').splitlines()[0]}")
        # Memory is measured in some of them, so each begins with a fresh process.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            found = process.submit(part).result()
        for figure in found:
            say(f"    {figure.what:56} {figure.figure:28} {figure.budget}{'  MISSED' if figure.kept is False else ''}")
        figures += found
    if given.only is None:
        for name in PRINTED_ONLY:
            say(f"==> {name}")
            subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], cwd=ROOT, check=True)
        write(given.readme, table(figures))
    missed = sum(figure.kept is False for figure in figures)
    say(f"{missed} of {sum(figure.kept is not None for figure in figures)} budgets were missed.")


if __name__ == "__main__":
    main()
