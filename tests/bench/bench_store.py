"""How fast batches become rows: `python -m tests.bench.bench_store [messages]`."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from memd.adapter import Batch, Cursor, Event, MessagePart, SessionUpdate, Source, ToolResult, ToolUse
from memd.store.calls import call_text
from memd.store.connection import connect_writer
from memd.store.ingest import Prepared, store_batch
from memd.store.migrate import migrate
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


def prepared(events: list[Event], cursor: Cursor) -> Prepared:
    """What a parse worker hands over."""
    inputs = {use.call_id: use.input for e in events if isinstance(e, MessagePart) for use in e.tool_calls}
    bodies = []
    for event in events:
        if isinstance(event, MessagePart):
            bodies.append(prepare(event.text))
        elif isinstance(event, ToolResult):
            bodies.append(prepare(call_text(inputs[event.call_id], event.output)))
        else:
            bodies.append("")
    return Prepared(Batch(tuple(events), cursor, lines=len(events)), tuple(bodies))


def main(messages: int) -> None:
    """Fill a database on disk with sessions of 200 turns and say how long it took."""
    chance = random.Random(7)
    turns = 200
    batches = [
        (f"s{n}", prepared(session_events(chance, f"s{n}", turns, 1_800_000_000_000 + n * 10_000_000), Cursor(n, n)))
        for n in range(max(1, messages // (3 * turns)))
    ]
    parts = sum(isinstance(event, MessagePart | ToolResult) for _, batch in batches for event in batch.batch.events)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memd.db"
        migrate(path, Path(folder), 0)
        conn = connect_writer(path)
        longest, started, cpu = 0.0, time.perf_counter(), time.process_time()
        for name, batch in batches:
            began = time.perf_counter()
            conn.execute("BEGIN IMMEDIATE")
            store_batch(conn, Source("quill", Path(f"/home/ada/{name}"), name), batch, 1_800_000_000_000)
            conn.execute("COMMIT")
            longest = max(longest, time.perf_counter() - began)
        took, cpu = time.perf_counter() - started, time.process_time() - cpu
        conn.close()
        size = path.stat().st_size / 1e6
    print(f"{parts} parts in {took:.2f} s ({cpu:.2f} s cpu): {parts / took:,.0f} parts/s;"
          f" longest transaction {longest * 1000:.0f} ms for {parts // len(batches)} parts; {size:.0f} MB")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
