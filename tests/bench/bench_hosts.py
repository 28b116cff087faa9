"""How fast a tree of all hosts becomes searchable: `python -m tests.bench.bench_hosts [--copies N] [--mb N]`.

Prints megabytes a second, peak memory and how many sessions of each host came of it.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import anyio

from memd.config import CaptureConfig
from tests.bench.bench_backfill import Measured, measure
from tests.bench.make_hosts import write_hosts
from tests.bench.make_transcripts import write_tree

_COUNTS = "SELECT host, count(*), sum(messages) FROM sessions WHERE messages > 0 GROUP BY host ORDER BY host"


def run(copies: int, megabytes: float) -> tuple[Measured, list[tuple[str, int, int]]]:
    """Measure a backfill over so many copies of every host's fixtures and so much of Claude Code's."""
    with tempfile.TemporaryDirectory(prefix="memd-bench-") as folder:
        home = Path(folder)
        with ProcessPoolExecutor(1, get_context("spawn")) as other:
            other.submit(write_tree, home / ".claude", megabytes, max(int(megabytes), 1)).result()
            roots = other.submit(write_hosts, home / "hosts", copies).result()
        size = sum(path.stat().st_size for path in home.rglob("*") if path.is_file())
        config = replace(CaptureConfig(), extra_roots=roots)
        measured = anyio.run(measure, home, size / 1e6, False, config)
        with closing(sqlite3.connect(home / "memd.db")) as conn:
            return measured, conn.execute(_COUNTS).fetchall()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=40)
    parser.add_argument("--mb", type=float, default=20)
    given = parser.parse_args()
    measured, counts = run(given.copies, given.mb)
    print("\n".join(measured.lines()[:3]))
    total = sum(sessions for _, sessions, _ in counts)
    print(f"sessions            {total / measured.seconds:8.0f} a second ({total}, most of them small)")
    for host, sessions, messages in counts:
        print(f"{host:16} {sessions:6} sessions {messages:8} messages")


if __name__ == "__main__":
    main()
