"""How fast batches become rows: `python -m tests.bench.bench_store [messages]`."""

from __future__ import annotations

import gc
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from memd.adapter import Batch, Cursor, Event, MessagePart, SessionUpdate, Source, ToolResult, ToolUse
from memd.capture.pace import Pace, weight
from memd.operations.deleting import AT_ONCE
from memd.operations.pieces import next_size
from memd.store import deleting
from memd.store.calls import call_text
from memd.store.connection import connect_writer
from memd.store.ingest import Prepared, store_batch
from memd.store.migrate import migrate
from memd.store.writer import FOLD_AFTER
from memd.text.tokens import prepare

_COMMON = "the to of and a in is that for it we this with be on not are as use can file test so if you".split()


def words(chance: random.Random, count: int) -> str:
    """Text with a word frequency like that of English: a few common words, a long tail."""
    return " ".join(
        chance.choice(_COMMON) if chance.random() < 0.45 else f"w{int(chance.paretovariate(0.7)) % 40_000}x"
        for _ in range(count)
    )


def session_events(chance: random.Random, session: str, turns: int, start: int) -> list[Event]:
    """A session of turns: a prompt, a reply of three rows (thinking, text, call), its result, a closing reply."""
    events: list[Event] = [SessionUpdate(session, cwd="/home/ada/harbor", title=session)]
    for turn in range(turns):
        seq, at, name = turn * 10, start + turn * 60_000, f"{session}-{turn}"
        prompt, last = words(chance, 25), f"{session}-{turn - 1}e"
        events += [
            MessagePart(session, f"{name}p", f"{name}p", seq, "user", "prompt", at, prompt, parent=last),
            MessagePart(session, f"{name}r", f"{name}a", seq + 1, "assistant", "reply", at, "", words(chance, 60)),
            MessagePart(session, f"{name}r", f"{name}b", seq + 2, "assistant", "reply", at, words(chance, 40)),
            MessagePart(
                session, f"{name}r", f"{name}c", seq + 3, "assistant", "reply", at,
                tool_calls=(ToolUse(f"{name}t", "Bash", "shell", words(chance, 10)),),
            ),
            ToolResult(session, f"{name}t", f"{name}d", seq + 4, True, words(chance, 120), at),
            MessagePart(session, f"{name}e", f"{name}e", seq + 5, "assistant", "reply", at, words(chance, 50)),
        ]  # fmt: skip
    return events


def inputs_of(events: list[Event]) -> dict[str, str]:
    """What tool calls were given, by their ids."""
    return {use.call_id: use.input for e in events if isinstance(e, MessagePart) for use in e.tool_calls}


def prepared(events: list[Event], inputs: dict[str, str], cursor: Cursor) -> Prepared:
    """What a parse worker hands over."""
    bodies = []
    for event in events:
        if isinstance(event, MessagePart):
            bodies.append(prepare(event.text))
        elif isinstance(event, ToolResult):
            bodies.append(prepare(call_text(inputs[event.call_id], event.output)))
        else:
            bodies.append("")
    return Prepared(Batch(tuple(events), cursor, lines=len(events)), tuple(bodies))


@dataclass(slots=True)
class Transactions:
    """How long write transactions took, from BEGIN to COMMIT: by the clock, and by the processor alone."""

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)

    @contextmanager
    def one(self, conn: sqlite3.Connection) -> Iterator[float]:
        """Measure one transaction."""
        wall, cpu = time.perf_counter(), time.thread_time()
        conn.execute("BEGIN IMMEDIATE")
        yield wall
        conn.execute("COMMIT")
        self.cpu_ms.append((time.thread_time() - cpu) * 1000)
        self.wall_ms.append((time.perf_counter() - wall) * 1000)

    def line(self, what: str) -> str:
        """The result as people read it."""
        wall, cpu = sorted(self.wall_ms), sorted(self.cpu_ms)
        p95 = round(0.95 * (len(wall) - 1))
        return (
            f"{what}: {len(wall)} transactions, {wall[p95]:.0f} ms p95, {wall[-1]:.0f} ms at most"
            f" (cpu {cpu[p95]:.0f} and {cpu[-1]:.0f} ms); {sum(one > 50 for one in wall)} above 50 ms"
        )


@dataclass(slots=True)
class Log:
    """The log, folded into the file between transactions as often as the writer does."""

    conn: sqlite3.Connection
    folded_at: int = 0

    def fold(self) -> None:
        """Fold it if enough was written."""
        if self.conn.total_changes - self.folded_at >= FOLD_AFTER:
            self.conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self.folded_at = self.conn.total_changes


def paced(events: list[Event], pace: Pace) -> Iterator[Prepared]:
    """A session in batches as large as capture makes them, by what the last ones took."""
    start, inputs = 0, inputs_of(events)
    while start < len(events):
        stop, size, most = start, 0, pace.batch_bytes()
        while stop < len(events) and size < most:
            stop, size = stop + 1, size + len(repr(events[stop]))
        batch = prepared(events[start:stop], inputs, Cursor(stop, stop))
        smaller = pace.smaller(most, weight(batch))
        if smaller is not None:
            stop = start + max(1, (stop - start) * smaller // most)
            batch = prepared(events[start:stop], inputs, Cursor(stop, stop))
        yield batch
        start = stop


def main(messages: int) -> None:
    """Fill a database on disk with sessions of 200 turns as capture does, delete one, and say how long it took."""
    chance = random.Random(7)
    turns = 200
    sessions = [
        (f"s{n}", session_events(chance, f"s{n}", turns, 1_800_000_000_000 + n * 10_000_000))
        for n in range(max(1, messages // (3 * turns)))
    ]
    parts = sum(isinstance(event, MessagePart | ToolResult) for _, events in sessions for event in events)
    gc.collect()
    gc.freeze()  # as the daemon does; what is made here is no part of the store
    stored, deleted, pace = Transactions(), Transactions(), Pace()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memd.db"
        migrate(path, Path(folder), 0)
        conn = connect_writer(path)
        log, spent = Log(conn), 0.0
        for name, events in sessions:
            source = Source("quill", Path(f"/home/ada/{name}"), name)
            for batch in paced(events, pace):
                size = sum(len(repr(event)) for event in batch.batch.events)
                with stored.one(conn):
                    store_batch(conn, source, batch, 1_800_000_000_000)
                pace.note(size, weight(batch), stored.wall_ms[-1] / 1000)
                log.fold()
                spent += stored.wall_ms[-1] / 1000
        own = deleting.messages_of(conn, (1,))
        start, size = 0, 4
        while start < len(own):
            with deleted.one(conn) as began:
                deleting.delete(conn, own[start : start + size])
            start, size = start + size, next_size(size, time.perf_counter() - began, AT_ONCE)
            log.fold()
        conn.close()
        megabytes = path.stat().st_size / 1e6
    print(f"{parts} parts in {spent:.2f} s: {parts / spent:,.0f} parts/s; {megabytes:.0f} MB")
    print(stored.line("storing"))
    print(deleted.line(f"deleting {len(own)} messages"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
