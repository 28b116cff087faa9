"""Rows of an invented host, short to write down, and a database to put them in."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path

from memd.adapter import (
    Batch,
    ChainLink,
    Cursor,
    Event,
    FileChange,
    MessageKind,
    MessagePart,
    Role,
    Source,
    ToolResult,
    ToolUse,
)
from memd.store.ingest import Ingested, Prepared, store_batch
from memd.store.migrate import migrations
from memd.text.tokens import prepare

HOST = "quill"
NOW = 1_800_000_000_000


def database() -> sqlite3.Connection:
    """A fresh database in memory, set up as the writer sets up its own."""
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.deserialize(_empty())
    conn.execute("PRAGMA foreign_keys = ON")
    return conn


@cache
def _empty() -> bytes:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as conn:
        for migration in migrations():
            conn.executescript(migration.sql)
        return conn.serialize()


def source(name: str) -> Source:
    return Source(HOST, Path(f"/home/ada/.quill/{name}.jsonl"), name)


def store(
    conn: sqlite3.Connection,
    name: str,
    events: Iterable[Event],
    *,
    cursor: Cursor | None = None,
    restarted: bool = False,
    skipped: dict[str, int] | None = None,
) -> Ingested:
    """Store events as one read of the file called `name`, in a transaction of its own."""
    events = tuple(events)
    batch = Batch(
        events, cursor or Cursor(offset=1, size=1), restarted=restarted, skipped=skipped or {}, lines=len(events)
    )
    bodies = tuple(prepare(event.text) if isinstance(event, MessagePart) else "" for event in events)
    conn.execute("BEGIN IMMEDIATE")
    done = store_batch(conn, source(name), Prepared(batch, bodies), NOW)
    conn.execute("COMMIT")
    return done


def part(
    session: str,
    name: str,
    seq: int,
    text: str = "",
    *,
    message: str | None = None,
    role: Role = "assistant",
    kind: MessageKind = "reply",
    at: int | None = None,
    thinking: str = "",
    calls: tuple[ToolUse, ...] = (),
    parent: str | None = None,
    copied_from: str | None = None,
    replace: bool = False,
) -> MessagePart:
    """A row of a reply; its message is the row alone unless named."""
    return MessagePart(
        session=session,
        message=message or name,
        part=name,
        seq=seq,
        role=role,
        kind=kind,
        at=1000 + seq if at is None else at,
        text=text,
        thinking=thinking,
        tool_calls=calls,
        parent=parent,
        copied_from=copied_from,
        replace=replace,
    )


def prompt(session: str, name: str, seq: int, text: str = "", *, parent: str | None = None) -> MessagePart:
    return part(session, name, seq, text or f"ask {name}", role="user", kind="prompt", parent=parent)


def link(session: str, name: str, seq: int, parent: str | None = None) -> ChainLink:
    return ChainLink(session, name, seq, parent)


def use(call_id: str, command: str = "make tide") -> ToolUse:
    return ToolUse(call_id, "Run", "shell", command)


def result(
    session: str,
    name: str,
    seq: int,
    call_id: str,
    output: str = "done",
    *,
    ok: bool | None = True,
    changes: tuple[FileChange, ...] = (),
    child: str | None = None,
) -> ToolResult:
    return ToolResult(
        session, call_id, name, seq, ok, output, at=1000 + seq, exit_code=0 if ok else 2, changes=changes, child=child
    )


def texts(conn: sqlite3.Connection, session: str) -> list[str]:
    """The texts of a session's own messages, in order."""
    rows = conn.execute(
        "SELECT m.text FROM messages m JOIN sessions s ON s.id = m.session_id WHERE s.native_id = ? ORDER BY m.seq",
        (session,),
    )
    return [text for (text,) in rows]


def copies(conn: sqlite3.Connection, session: str) -> list[str]:
    """The keys of the messages a session shares with the one it came from, in order."""
    rows = conn.execute(
        "SELECT m.key FROM message_copies c JOIN messages m ON m.id = c.message_id"
        " JOIN sessions s ON s.id = c.session_id WHERE s.native_id = ? ORDER BY c.seq",
        (session,),
    )
    return [key for (key,) in rows]


def found(conn: sqlite3.Connection, word: str, table: str = "messages") -> int:
    """How many rows an index has for a word."""
    return int(conn.execute(f"SELECT count(*) FROM {table}_fts WHERE {table}_fts MATCH ?", (word,)).fetchone()[0])
