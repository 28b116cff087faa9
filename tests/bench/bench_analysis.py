"""Measures what looks at the memory as a whole: `python -m tests.bench.bench_analysis [--facts N] [--edges N]`.

A database of made-up facts, entities (half as many) and relations, and each operation that analyses it: the time of
the first answer and of the next, and the processor time that the daemon and its workers took for each (Linux).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from memd.doors.cli import client
from memd.store import entities, facts, projects
from memd.store.connection import connect_writer
from memd.store.migrate import migrate
from tests.integration.daemon.daemon_under_test import Home, running

NOW = 1_795_946_400_000
ASKED: tuple[tuple[str, dict[str, object]], ...] = (
    ("facts.consolidate", {}),
    ("facts.contradictions", {}),
    ("facts.stale", {}),
    ("facts.unused", {}),
    ("facts.promote", {}),
    ("relations.hubs", {}),
    ("relations.bridges", {}),
    ("relations.groups", {}),
    ("relations.gaps", {}),
    ("relations.summary", {}),
    ("entities.search", {"query": "quay", "limit": 20}),
    ("entities.search", {"query": "rope", "kind": "tool", "limit": 20, "offset": 40}),
    ("entities.open", {"names": ["quay lamp 7"]}),
    ("search.gaps", {}),
    ("brief", {"project": "harbor"}),
)
_WORDS = "quay ebb lamp buoy crane dredge wick rope mast keel anchor pilot tide lock pier hull".split()


def fill(path: Path, count: int, edges: int) -> None:
    """Write facts of one project and relations between them."""
    chance = random.Random(7)
    conn = connect_writer(path)
    try:
        conn.execute("BEGIN")
        project = projects.resolve(conn, "/srv/harbor", [], "harbor", NOW)
        nodes = [_fact(conn, chance, number, project.id) for number in range(count)]
        for number in range(count // 2):
            name = f"{chance.choice(_WORDS)} {chance.choice(_WORDS)} {number}"
            nodes.append(entities.add(conn, name, chance.choice(("tool", "place")), project.id, "user", NOW)[0].node)
        for number in range(edges):
            src, dst = chance.sample(nodes, 2)
            conn.execute(
                "INSERT OR IGNORE INTO edges (uid, project_id, src, rel, dst, origin, valid_from, created_at)"
                " VALUES (?, ?, ?, 'related_to', ?, 'user', ?, ?)",
                (f"e{number}", project.id, src, dst, NOW, NOW),
            )
        conn.execute("COMMIT")
    finally:
        conn.close()


def _fact(conn: sqlite3.Connection, chance: random.Random, number: int, project: int) -> str:
    words = " ".join(chance.choices(_WORDS, k=6))
    new = facts.NewFact("note", f"{words} {number}", f"The {words} of berth {number} is checked", "user", NOW, project)
    return f"fact:{facts.add(conn, new, NOW).uid}"


def measure(count: int, edges: int) -> list[str]:
    """Return a line for each operation."""
    with tempfile.TemporaryDirectory(prefix="memd-b-", dir="/tmp") as folder:
        home = Home(Path(folder))
        home.paths.data_dir.mkdir(parents=True)
        migrate(home.paths.database, home.paths.backups_dir, NOW)
        fill(home.paths.database, count, edges)
        with running(home):
            pid = json.loads(client.call(home.paths.socket, "status", {}))["pid"]
            lines = [f"{count:,} facts, {edges:,} relations: first and next answer, of that processor time"]
            for op, params in ASKED:
                told, size = f"{op:24}", 0
                for _ in range(2):
                    began, spent = time.perf_counter(), _spent_ms(pid)
                    size = len(client.call(home.paths.socket, op, params, deadline_s=300))
                    told += f" {(time.perf_counter() - began) * 1e3:9.1f} ms ({_spent_ms(pid) - spent:6.0f} ms)"
                lines.append(f"{told} {size:11,} bytes")
            return lines


def _spent_ms(pid: int) -> float:
    """Return the processor time of a process, its children and those that have ended (proc(5)); 0 elsewhere."""
    here = Path("/proc")
    try:
        children = (here / str(pid) / "task" / str(pid) / "children").read_text().split()
    except OSError:
        return 0.0
    ticks = 0
    for one in (str(pid), *children):
        with suppress(OSError):
            ticks += sum(map(int, (here / one / "stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks * 1e3 / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--edges", type=int, default=50_000)
    given = parser.parse_args()
    print("\n".join(measure(given.facts, given.edges)))


if __name__ == "__main__":
    main()
