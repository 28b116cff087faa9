"""How long searches take: `python -m tests.bench.bench_search [messages] [--keep FOLDER]`.

Without a number of messages there are 100,000, with 10,000 facts. Measured are the parts by themselves and the whole
through the socket of a daemon. `--keep` names a folder in which the filled store stays for another run.
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from memd.adapter import Cursor, Event, MessagePart, SessionUpdate, Source, ToolResult, ToolUse
from memd.doors.cli.client import call
from memd.model import FactPart
from memd.paths import resolve
from memd.recall import embedding, question
from memd.recall.near import Indexes, NearRequest
from memd.recall.recall import recall
from memd.store import facts, projects, search, sessions, vectors
from memd.store.chosen import Chosen
from memd.store.connection import connect_reader, connect_writer
from memd.store.ingest import store_batch
from memd.store.migrate import migrate
from memd.text.tokens import match_query
from tests.bench.bench_store import inputs_of, prepared
from tests.bench.made_up import CJK_QUERIES, COMMON_QUERIES, pasted_error, words
from tests.integration.daemon.daemon_under_test import wait_until

_PROJECTS = 10
_TURNS = 100
_NOW = 1_790_000_000_000


def fill(path: Path, messages: int, fact_count: int) -> None:
    """Fill a database with sessions of ten projects, and facts."""
    chance = random.Random(3)
    migrate(path, path.parent, 0)
    conn = connect_writer(path)
    conn.execute("BEGIN")
    known = [projects.resolve(conn, f"/home/ada/p{n}", [], f"p{n}", _NOW).id for n in range(_PROJECTS)]
    conn.execute("COMMIT")
    for n in range(messages // (3 * _TURNS)):
        events = _session(chance, f"s{n}", _NOW + n * 10_000)
        batch = prepared(events, inputs_of(events), Cursor(n, n))
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
    if embedding.missing() is None:
        _embed(conn)
    # The daemon that is measured shall have nothing else to do.
    conn.execute("UPDATE sessions SET distilled = revision, state = 'ended'")
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()


def by_words(conn: sqlite3.Connection, query: str) -> object:
    """Search messages as an operation does, without the semantic lane."""
    return recall(conn, question.read(query, _NOW), Chosen(), 20)


def queries() -> list[str]:
    """Questions of one to eight words, common and rare ones mixed as texts mix them; stop words alone as well."""
    chance = random.Random(11)
    return [words(chance, 1 + n % 8) for n in range(150)] + ["the", "the of", "test file can", *COMMON_QUERIES]


def worst() -> Mapping[str, list[str]]:
    """Questions that cost most, by kind."""
    chance = random.Random(12)
    return {
        "mixed words": queries(),
        "common words": [*COMMON_QUERIES] * 10,
        "Chinese": [*CJK_QUERIES] * 6,
        "pasted errors": [pasted_error(chance) for _ in range(20)],
        "typing errors": ["databse timeuot", "cofnig sevrer", "permision denied"] * 5,
    }


def measure(name: str, run: Callable[[str], object], asked: list[str] | None = None) -> None:
    """Print how long a search takes over all queries, in processor time as well: others use the machine."""
    wall, cpu = [], []
    for query in asked if asked is not None else queries():
        began, spent = time.perf_counter(), time.thread_time()
        run(query)
        wall.append((time.perf_counter() - began) * 1000)
        cpu.append((time.thread_time() - spent) * 1000)
    print(f"{name:32} {_spread('wall', wall)}   {_spread('cpu', cpu)}", flush=True)


def main(arguments: list[str]) -> None:
    """Fill a database and measure."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_search")
    parser.add_argument("messages", nargs="?", type=int, default=100_000)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        path = folder / "data" / "memd.db"
        if not path.exists():
            path.parent.mkdir(parents=True, mode=0o700)
            fill(path, given.messages, min(given.messages // 10, 10_000))
        print(f"{given.messages:,} messages, {path.stat().st_size / 1e6:,.0f} MB")
        _parts(path)
        _through_the_socket(folder)


def _parts(path: Path) -> None:
    conn: sqlite3.Connection = connect_reader(path)

    def recalled(query: str) -> object:
        return by_words(conn, query)

    def by(lane: Callable[[str], object]) -> Callable[[str], object]:
        return lambda query: lane(match) if (match := match_query(query)) else None

    for kind, asked in worst().items():
        measure(f"words: {kind}", recalled, asked)
    measure("words, in a project", lambda query: recall(conn, question.read(query, _NOW), Chosen(project_id=3), 20))
    measure("words, in a session", lambda query: recall(conn, question.read(query, _NOW), Chosen(session_id=5), 20))
    measure("tool calls", by(lambda match: search.calls(conn, match)))
    measure("facts of a project", by(lambda match: search.facts(conn, match, 3)))
    measure("facts of all projects", by(lambda match: search.facts(conn, match, None, all_projects=True)))
    if vectors.how_many(conn, embedding.MODEL):
        index = Indexes()
        measure(
            f"meaning: {vectors.how_many(conn, embedding.MODEL):,} vectors read", lambda _: index.refresh(conn), [""]
        )
        measure("meaning", lambda query: index.search(conn, NearRequest(path, query)))
    conn.close()


def _through_the_socket(folder: Path) -> None:
    """Measure whole answers of a daemon that has this store and watches nothing."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MEMD_"))}
    env |= {"HOME": str(folder), "MEMD_DATA_DIR": str(folder / "data")}
    door = resolve(env).socket
    daemon = subprocess.Popen([sys.executable, "-m", "memd", "up"], env=env, stderr=subprocess.DEVNULL)
    try:
        wait_until(door.exists, "the daemon's socket", 120)

        def ask(query: str, **more: object) -> bytes:
            return call(door, "search", {"query": query, **more})

        measure("socket: the first one", ask, ["timeout of the database"])
        for kind, asked in worst().items():
            spent = _spent_ms(daemon.pid)
            measure(f"socket: {kind}", ask, asked)
            print(
                f"{'':32} daemon and its process, cpu ms a question: {(_spent_ms(daemon.pid) - spent) / len(asked):.1f}"
            )
        measure("socket: in a project", lambda query: ask(query, project="p3"))
        print(f"daemon: {_resident_mb(daemon.pid):.0f} MB after it")
    finally:
        daemon.terminate()
        daemon.wait(30)


def _session(chance: random.Random, session: str, start: int) -> list[Event]:
    """A session of turns: a prompt, a reply with a call, its result, a closing reply."""
    events: list[Event] = [SessionUpdate(session, cwd="/home/ada/harbor", title=session)]
    for turn in range(_TURNS):
        seq, at, name = turn * 10, start + turn * 60_000, f"{session}-{turn}"
        use = ToolUse(f"{name}t", "Bash", "shell", words(chance, 10))
        events += [
            MessagePart(session, f"{name}p", f"{name}p", seq, "user", "prompt", at, words(chance, 25)),
            MessagePart(session, f"{name}r", f"{name}b", seq + 2, "assistant", "reply", at, words(chance, 40),
                        tool_calls=(use,)),
            ToolResult(session, f"{name}t", f"{name}d", seq + 4, True, words(chance, 60), at),
            MessagePart(session, f"{name}e", f"{name}e", seq + 5, "assistant", "reply", at, words(chance, 90)),
        ]  # fmt: skip
    return events


def _embed(conn: sqlite3.Connection) -> None:
    while (step := vectors.next_step(conn, embedding.MODEL, 20_000)) is not None:
        codes = embedding.encode([due.text for due in step.due])
        found = [vectors.Vector(due, signs, code) for due, (signs, code) in zip(step.due, codes, strict=True)]
        conn.execute("BEGIN")
        vectors.add(conn, embedding.MODEL, step, found)
        conn.execute("COMMIT")


def _spent_ms(pid: int) -> float:
    """Return the processor time of a process and its children; 0 where the system does not tell."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        stats = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in (str(pid), *children)]
    except FileNotFoundError:
        return 0.0
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) * 1000 / os.sysconf("SC_CLK_TCK")


def _resident_mb(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except FileNotFoundError:
        return float("nan")


def _spread(name: str, took: list[float]) -> str:
    took.sort()
    return f"{name} ms: p50 {took[len(took) // 2]:6.1f} p95 {took[int(len(took) * 0.95)]:6.1f} most {took[-1]:6.1f}"


if __name__ == "__main__":
    main(sys.argv[1:])
