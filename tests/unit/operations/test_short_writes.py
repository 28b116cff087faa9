"""However much there is to write, one transaction changes few rows, so that nobody waits for it for long."""

from __future__ import annotations

from pathlib import Path

import pytest

from memd.adapter import Batch, Cursor, Event, MessagePart, SessionUpdate, Source
from memd.capture.finder import Finder
from memd.capture.known import KnownSources
from memd.capture.queue import SourceQueue
from memd.capture.storage import Storage
from memd.capture.watch import Watcher
from memd.operations.catalog import OPERATIONS
from memd.store import facts, maintenance, projects, sessions, sources
from memd.store.ingest import Prepared, store_batch
from memd.text.tokens import prepare
from tests.unit.operations.conftest import HOST, NOW, Harbor

_MOST_ROWS = 1500
"""A piece is at most 50 messages or 20 facts; each has rows in a dozen tables, and its words in an index."""
_MANY = 400
LONG = "0a11ce00-0000-4000-8000-0000000000ff"


async def filled(harbor: Harbor) -> str:
    """Give the harbour a long session and many facts; return the session's id, with the counting begun anew."""

    def write(conn: facts.Connection) -> str:
        said = [
            MessagePart(LONG, f"m{n}", f"m{n}", n, "user", "prompt", NOW + n, f"Ship {n} has moored at pier {n % 7}.")
            for n in range(_MANY)
        ]
        events: tuple[Event, ...] = (SessionUpdate(LONG, cwd=str(harbor.root), title="A long day"), *said)
        bodies = ("", *(prepare(one.text) for one in said))
        source = Source(HOST, Path(f"/home/ada/.claude/projects/-harbor/{LONG}.jsonl"), LONG)
        store_batch(conn, source, Prepared(Batch(events, Cursor(1, 1)), bodies), NOW)
        project = projects.resolve(conn, harbor.root, [], "harbor", NOW)
        session = sessions.by_native(conn, HOST, LONG)
        assert session is not None
        sessions.set_project(conn, session.id, project.id)
        for n in range(_MANY):
            text = f"Pier {n} holds ships of up to {n} metres"
            facts.add(conn, facts.NewFact("note", f"Pier {n}", text, "manual", NOW, project.id), NOW)
        return session.uid

    uid = await harbor.memory.writer.run(write)
    harbor.memory.writer.transactions.most_rows = 0
    return uid


@pytest.mark.parametrize("what", ["session", "facts", "project"])
async def test_what_is_deleted_goes_in_small_pieces(what: str, harbor: Harbor) -> None:
    session = await filled(harbor)
    match what:
        case "session":
            await OPERATIONS["sessions.forget"].call(harbor.memory, {"session": session, "apply": True})
        case "facts":
            await OPERATIONS["facts.clear"].call(
                harbor.memory, {"project": str(harbor.root), "confirm": harbor.root.name}
            )
        case _:
            await OPERATIONS["projects.delete"].call(harbor.memory, {"project": str(harbor.root), "apply": True})
    done = harbor.memory.writer.transactions
    assert 0 < done.most_rows <= _MOST_ROWS, done.largest


async def test_thousands_of_files_that_are_gone_are_noted_in_small_pieces(harbor: Harbor) -> None:
    paths = [Path(f"/home/ada/.claude/projects/-harbor/{number}.jsonl") for number in range(2000)]

    def write(conn: facts.Connection) -> None:
        for path in paths:
            source = Source(HOST, path, path.stem)
            sources.save(conn, source, Cursor(9, 9), NOW, lines=1, skipped={}, restarted=False)

    await harbor.memory.writer.run(write)
    done = harbor.memory.writer.transactions
    done.most_rows = 0
    finder = Finder(
        roots=[],
        watcher=Watcher([]),
        known=KnownSources(),
        queue=SourceQueue(),
        storage=Storage(harbor.memory.writer),
        clock=harbor.memory.clock,
    )

    await finder.vanished(HOST, paths)

    gone = await harbor.memory.readers.run(
        lambda conn: conn.execute("SELECT count(*) FROM sources WHERE gone_at IS NOT NULL").fetchone()[0]
    )
    assert gone == len(paths)
    assert 0 < done.most_rows <= _MOST_ROWS


async def test_each_index_is_emptied_by_itself(harbor: Harbor, monkeypatch: pytest.MonkeyPatch) -> None:
    done, emptied = harbor.memory.writer.transactions, dict[str, int]()
    rebuild = maintenance.rebuild

    def counted(conn: facts.Connection, table: str) -> None:
        emptied[table] = done.count
        rebuild(conn, table)

    monkeypatch.setattr(maintenance, "rebuild", counted)
    await OPERATIONS["index.rebuild"].call(harbor.memory, {})

    assert set(emptied) == set(maintenance.TABLES)
    assert len(set(emptied.values())) == len(maintenance.TABLES)
