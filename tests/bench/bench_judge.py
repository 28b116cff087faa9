"""How long it takes to judge a session in a project of which much is known.

Usage: python -m tests.bench.bench_judge [CLAIMS] [--json]

Fills a project with claims made of random words and commands, then measures, over some sessions of eight statements:
preparing (reading and comparing, outside a transaction) and settling (the write transaction), in CPU time.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from memd.adapter import SessionUpdate
from memd.distill import settling
from memd.model import Candidate, Evidence, FactKind, FactPart
from memd.store import projects, sessions
from memd.store.connection import connect_writer
from memd.store.migrate import migrate
from tests.unit.store.rows import HOST, NOW, prompt, store

KINDS: tuple[FactKind, ...] = ("decision", "convention", "config", "discovery", "bugfix", "architecture")
VERBS = "use keep run store call prefer write read drop remove never always cache retry index".split()


def word(chance: random.Random, size: int = 20_000) -> str:
    """A word of a vocabulary in which few words are frequent, as in prose."""
    return f"w{int(size ** chance.random())}"


def statement(chance: random.Random, at: int) -> Candidate:
    words = [word(chance) for _ in range(chance.randint(5, 25))]
    text = f"{chance.choice(VERBS)} {' '.join(words)} in `src/{word(chance)}/{word(chance)}.py`"
    slot = chance.choice((None,) * 60 + ("command:test", "command:build"))
    parts = (FactPart("decided", " ".join(text.split()[:14])),)
    quote = (Evidence(0, 0, text[:80], at),)
    return Candidate(chance.choice(KINDS), text[:60], text, parts, quote, 0.7, at, slot=slot)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("claims", nargs="?", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memd.db"
        migrate(path, Path(folder), NOW)
        with closing(connect_writer(path)) as conn:
            project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
            made = asked.claims // 8
            prepare_ms, settle_ms = [], []
            for number in range(made + 40):
                name = f"s{number}"
                store(conn, name, [SessionUpdate(name), prompt(name, f"{name}-p", 1)])
                known = sessions.by_native(conn, HOST, name)
                assert known is not None
                sessions.set_project(conn, known.id, project.id)
                said = [statement(chance, number * 1000 + place) for place in range(8)]
                begun = time.thread_time()
                prepared = settling.prepare(conn, sessions.get(conn, known.id), said)
                ready = time.thread_time()
                conn.execute("BEGIN IMMEDIATE")
                settling.settle(conn, known.id, prepared, NOW)
                conn.execute("COMMIT")
                done = time.thread_time()
                if number >= made:
                    prepare_ms.append((ready - begun) * 1000)
                    settle_ms.append((done - ready) * 1000)
            size = conn.execute("PRAGMA page_count").fetchone()[0] * conn.execute("PRAGMA page_size").fetchone()[0]
            links = conn.execute("SELECT count(*) FROM statement_links").fetchone()[0]
    figures = {
        "claims": asked.claims,
        "links": links,
        "prepare_ms": round(statistics.median(prepare_ms), 1),
        "prepare_p95_ms": round(sorted(prepare_ms)[int(len(prepare_ms) * 0.95)], 1),
        "settle_ms": round(statistics.median(settle_ms), 1),
        "settle_p95_ms": round(sorted(settle_ms)[int(len(settle_ms) * 0.95)], 1),
        "megabytes": round(size / 1e6, 1),
    }
    if asked.json:
        print(json.dumps(figures))
    else:
        print(*(f"{name:16} {value}" for name, value in figures.items()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
