"""How long searches take at 100,000 messages and 10,000 facts: `python -m tests.bench.bench_search [messages]`."""

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memd.adapter import Cursor, Source
from memd.model import FactPart
from memd.store import facts, projects, search, sessions
from memd.store.connection import connect_reader, connect_writer
from memd.store.ingest import store_batch
from memd.store.migrate import migrate
from memd.text.tokens import match_query
from tests.bench.bench_store import prepared, session_events, words

_PROJECTS = 10
_TURNS = 100
_NOW = 1_800_000_000_000


def fill(path: Path, messages: int, fact_count: int) -> None:
    """Fill a database with sessions of ten projects, and facts."""
    chance = random.Random(3)
    migrate(path, path.parent, 0)
    conn = connect_writer(path)
    conn.execute("BEGIN")
    known = [projects.resolve(conn, f"/home/ada/p{n}", [], f"p{n}", _NOW).id for n in range(_PROJECTS)]
    conn.execute("COMMIT")
    for n in range(messages // (3 * _TURNS)):
        batch = prepared(session_events(chance, f"s{n}", _TURNS, _NOW + n * 10_000_000), Cursor(n, n))
        conn.execute("BEGIN")
        done = store_batch(conn, Source("quill", Path(f"/home/ada/{n}"), f"s{n}"), batch, _NOW)
        sessions.set_project(conn, done.sessions[0][0], known[n % _PROJECTS])
        conn.execute("COMMIT")
    conn.execute("BEGIN")
    for n in range(fact_count):
        parts = (FactPart("because", words(chance, 8)),)
        title, body, project = words(chance, 6), words(chance, 25), known[n % _PROJECTS]
        facts.add(conn, facts.NewFact("decision", title, body, "bench", _NOW + n, project, parts), _NOW)
    conn.execute("COMMIT")
    conn.close()


def queries() -> list[str]:
    """Questions of one to eight words, common and rare ones mixed as texts mix them; stop words alone as well."""
    chance = random.Random(11)
    return [words(chance, 1 + n % 8) for n in range(200)] + ["the", "the of", "test file can", "w3x w4x w5x"]


def measure(name: str, run: Callable[[str], object]) -> None:
    """Print how long a search takes over all queries, in processor time as well: others use the machine."""
    matches = [match for query in queries() if (match := match_query(query))]
    wall, cpu = [], []
    for match in matches:
        began, spent = time.perf_counter(), time.thread_time()
        run(match)
        wall.append((time.perf_counter() - began) * 1000)
        cpu.append((time.thread_time() - spent) * 1000)
    print(f"{name:24} {_spread('wall', wall)}   {_spread('cpu', cpu)}")


def _spread(name: str, took: list[float]) -> str:
    took.sort()
    return f"{name} ms: p50 {took[len(took) // 2]:5.1f} p95 {took[int(len(took) * 0.95)]:5.1f} most {took[-1]:5.1f}"


def main(messages: int) -> None:
    """Fill a database and measure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memd.db"
        fill(path, messages, messages // 10)
        conn: sqlite3.Connection = connect_reader(path)
        print(f"{messages:,} messages, {messages // 10:,} facts")
        measure("messages", lambda match: search.messages(conn, match))
        measure("messages of a project", lambda match: search.messages(conn, match, search.Where(project_id=3)))
        measure("messages of the user", lambda match: search.messages(conn, match, search.Where(role="user")))
        measure("messages of a session", lambda match: search.messages(conn, match, search.Where(session_id=5)))
        measure("tool calls", lambda match: search.calls(conn, match))
        measure("facts of a project", lambda match: search.facts(conn, match, 3))
        measure("facts of all projects", lambda match: search.facts(conn, match, None, all_projects=True))
        conn.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
