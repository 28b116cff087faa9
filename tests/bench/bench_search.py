"""How long searches take: `python -m tests.bench.bench_search [messages] [--keep FOLDER] [--stages]`.

Without a number of messages there are 100,000, with 10,000 facts. Measured are the parts by themselves, and the whole
through the socket of a daemon: from its start, with nothing of the file in memory, warm, and while so many megabytes of
transcripts are read (`--ingest`, 40; 0 leaves a kept store as it is). `--keep` names a folder in which the filled store
stays for another run. `--stages` tells instead what the stages of each kind of question cost.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from memd.adapter import Cursor, Event, MessagePart, SessionUpdate, Source, ToolResult, ToolUse
from memd.distill import redistilling
from memd.model import FactPart
from memd.recall import embedding, question
from memd.recall.near import Indexes, NearRequest
from memd.recall.recall import recall
from memd.store import fact_vectors, facts, projects, search, sessions, vectors
from memd.store.chosen import Chosen
from memd.store.connection import connect_reader, connect_writer
from memd.store.ingest import store_batch
from memd.store.migrate import migrate
from memd.text.tokens import match_query
from tests.bench import search_stages
from tests.bench.bench_store import inputs_of, prepared
from tests.bench.made_up import CJK_QUERIES, COMMON_QUERIES, pasted_error, words
from tests.bench.search_daemon import Asked, forget_the_file, give_to_read, searching

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
    conn.close()
    leave_nothing_to_do(path)


def leave_nothing_to_do(path: Path) -> None:
    """Say of all sessions that they are distilled by the rules of now: a daemon has nothing to do but answer."""
    migrate(path, path.parent, 0)
    conn = connect_writer(path)
    conn.execute("BEGIN")
    redistilling.begin(conn)
    conn.execute("UPDATE sessions SET distilled = revision, state = 'ended'")
    conn.execute("COMMIT")
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
    parser.add_argument("--ingest", type=float, default=40)
    parser.add_argument("--stages", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        path = folder / "data" / "memd.db"
        if not path.exists():
            path.parent.mkdir(parents=True, mode=0o700)
            fill(path, given.messages, min(given.messages // 10, 10_000))
        leave_nothing_to_do(path)
        print(f"{given.messages:,} messages, {path.stat().st_size / 1e6:,.0f} MB")
        if given.stages:
            search_stages.show(path, _NOW, worst(), queries())
            return
        _parts(path, given.messages)
        _through_the_socket(folder, given.ingest)


def _parts(path: Path, messages: int) -> None:
    conn: sqlite3.Connection = connect_reader(path)
    _index_size(conn, messages)

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


def _through_the_socket(folder: Path, ingest_mb: float) -> None:
    """Print how long whole answers of a daemon take that has this store: cold, warm, and while it reads."""
    database = folder / "data" / "memd.db"
    with searching(folder) as daemon:
        daemon.rest()  # a store that no daemon has had is checked first
    forget_the_file(database)
    began = time.perf_counter()
    with searching(folder) as daemon:
        daemon.ask_whoever_comes_first()
        print(f"start to the first answer, file not in memory: {(time.perf_counter() - began) * 1e3:,.0f} ms")
        _tell("the first question", daemon.ask(["timeout of the database"]))
        daemon.rest()
        daemon.ask(["timeout of the database"])
        cold = Asked([], 0.0)
        for query in [words[0] for words in worst().values()]:
            forget_the_file(database)
            cold.wall_ms.extend(daemon.ask([query]).wall_ms)
        _tell("each kind, file not in memory", cold)
        daemon.ask([query for asked in worst().values() for query in asked])  # what they read is in memory again
        for kind, asked in worst().items():
            _tell(kind, daemon.ask(asked))
        _tell("in a project", daemon.ask(queries(), project="p3"))
        own, others = daemon.resident_mb()
        print(f"daemon: {own:.0f} MB after it, its processes {others:.0f} MB", flush=True)
        if ingest_mb:
            give_to_read(folder, ingest_mb)
            for kind, asked in worst().items():
                _tell(f"{kind}, reading", daemon.ask(asked[:20]))


def _tell(name: str, asked: Asked) -> None:
    print(f"socket: {name:30} {_spread('wall', asked.wall_ms)}   cpu ms a question: {asked.spent_ms:6.1f}", flush=True)


def _index_size(conn: sqlite3.Connection, messages: int) -> None:
    """Print how large the indexes are for every million messages."""
    text = sum(
        conn.execute(f"SELECT ifnull(sum(length(block)), 0) FROM {table}_data").fetchone()[0]
        for table in ("messages_fts", "calls_fts")
    )
    vector = conn.execute("SELECT ifnull(sum(length(signs) + length(code)), 0) FROM vectors").fetchone()[0]
    million = max(messages, 1) / 1e6
    print(f"for a million messages: words {text / million / 1e6:,.0f} MB, vectors {vector / million / 1e6:,.0f} MB")


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
    while due := fact_vectors.due(conn, embedding.MODEL, 1_000):
        coded = zip(due, embedding.encode([one.text for one in due]), strict=True)
        conn.execute("BEGIN")
        fact_vectors.add(conn, embedding.MODEL, coded)
        conn.execute("COMMIT")
    while (step := vectors.next_step(conn, embedding.MODEL, 20_000)) is not None:
        codes = embedding.encode([due.text for due in step.due])
        found = [vectors.Vector(due, signs, code) for due, (signs, code) in zip(step.due, codes, strict=True)]
        conn.execute("BEGIN")
        vectors.add(conn, embedding.MODEL, step, found)
        conn.execute("COMMIT")


def _spread(name: str, took: list[float]) -> str:
    took.sort()
    at = (took[min(int(len(took) * part), len(took) - 1)] for part in (0.5, 0.95, 0.99))
    return f"{name} ms: " + " ".join(f"p{part} {value:6.1f}" for part, value in zip((50, 95, 99), at, strict=True))


if __name__ == "__main__":
    main(sys.argv[1:])
