"""Speed of questions to a code graph of 50,000 edges: `python -m tests.bench.bench_code_walks [EDGES]`.

The graph is made up: files with functions and methods, of which few are called by very many. Printed are callers,
callees, impact and a way, asked of the function that is called most, as elapsed and as CPU time of the asking thread.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from memd.model import Project
from memd.operations import code_walks
from memd.store.migrate import migrate

_EDGES = 50_000
_IN_A_FILE = 20
_ROUNDS = 25


def _fill(conn: sqlite3.Connection, edges: int) -> None:
    chance = random.Random(7)
    nodes = edges * 2 // 5
    conn.execute("INSERT INTO projects VALUES (1, 'u', '/home/ada/harbor', 'harbor', 0)")
    names = []
    for number in range(nodes):
        path = f"harbor/part{number // 400}/m{number // _IN_A_FILE}.py"
        names.append(path if number % _IN_A_FILE == 0 else f"{path}::Class{number % 3}.f{number}")
    conn.executemany(
        "INSERT INTO code_nodes VALUES (?, 1, ?, ?)",
        ((at, name, name.rpartition(".")[2] if "::" in name else name.rpartition("/")[2]) for at, name in
         enumerate(names, start=1)),
    )  # fmt: skip
    conn.executemany(
        "INSERT INTO code_symbols (node_id, kind, line, end_line, signature, doc, body, valid_from, changed_at)"
        " VALUES (?, ?, 1, 9, 'def f(self, number: int) -> None', 'What it does, in a sentence.', 1, 0, 0)",
        ((at, "method" if "::" in name else "file") for at, name in enumerate(names, start=1)),
    )
    pairs = ((chance.randrange(1, nodes + 1), int(nodes * chance.random() ** 4) + 1) for _ in range(edges))
    conn.executemany(
        "INSERT INTO code_edges (project_id, kind, src, dst, line, confidence, valid_from)"
        " VALUES (1, 'calls', ?, ?, 1, 0.9, 0)",
        pairs,
    )
    conn.execute("ANALYZE")
    conn.commit()


def _print(what: str, ask: Callable[[], object]) -> None:
    elapsed, spent = [], []
    for _ in range(_ROUNDS):
        began, own = time.perf_counter(), time.thread_time()
        ask()
        elapsed.append((time.perf_counter() - began) * 1000)
        spent.append((time.thread_time() - own) * 1000)
    median, cpu = statistics.median(elapsed), statistics.median(spent)
    print(f"{what:28} {median:5.1f} ms median, {max(elapsed):5.1f} ms at most; CPU {cpu:5.1f} ms median")


def main() -> None:
    """Print the figures."""
    edges = int(sys.argv[1]) if len(sys.argv) > 1 else _EDGES
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "memd.db"
        migrate(database, Path(folder), 0)
        with closing(sqlite3.connect(database)) as conn:
            _fill(conn, edges)
            project = Project(1, "u", "/home/ada/harbor", "harbor")
            (word, callers) = conn.execute(
                "SELECT n.node, count(*) FROM code_edges e JOIN code_nodes n ON n.id = e.dst WHERE n.node LIKE '%::%'"
                " GROUP BY n.id ORDER BY count(*) DESC LIMIT 1"
            ).fetchone()
            (far,) = conn.execute("SELECT node FROM code_nodes ORDER BY id DESC LIMIT 1").fetchone()
            start = code_walks.the_one(conn, project, word, None, "bench")
            end = code_walks.the_one(conn, project, far, None, "bench")
            felt = code_walks.impact(conn, project, start, 3, None, 100)
            print(f"{edges} edges, {word} with {callers} callers, {felt.reached} feel its change within 3 steps")
            walk = code_walks.walk
            _print("finding it by its name", lambda: code_walks.the_one(conn, project, word, None, "bench"))
            _print("its callers", lambda: walk(conn, project, start, ("in",), ("calls",), 1, None, 100))
            _print("callers of callers", lambda: walk(conn, project, start, ("in",), ("calls",), 2, None, 1000))
            _print("what it calls, 3 steps", lambda: walk(conn, project, start, ("out",), ("calls",), 3, None, 1000))
            _print("impact, 3 steps", lambda: code_walks.impact(conn, project, start, 3, None, 100))
            _print("impact, 10 steps", lambda: code_walks.impact(conn, project, start, 10, None, 1000))
            _print("the way between two", lambda: code_walks.path(conn, project, end, start, None))


if __name__ == "__main__":
    main()
