"""A stand-in for OpenCode at its database: it inserts, updates and deletes rows as the program does."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, Event, ReadLimits, Source
from memd.fold import fold
from memd.model import Message, Transcript
from memd_adapters.opencode import ADAPTER

START: Final = 1_796_000_000_000

_COMMON: Final = """
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
        time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
        time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE credential (id text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE account (id text PRIMARY KEY, access_token text NOT NULL);
"""
SCHEMAS: Final[Mapping[str, str]] = {
    "1.2": _COMMON
    + """
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
        directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text,
        time_created integer NOT NULL, time_updated integer NOT NULL);
    CREATE INDEX message_session_idx ON message (session_id);
    CREATE INDEX part_message_idx ON part (message_id);
    CREATE INDEX part_session_idx ON part (session_id);
    """,
    "1.18": _COMMON
    + """
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text,
        slug text NOT NULL, directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL,
        metadata text, revert text, agent text, model text, time_created integer NOT NULL,
        time_updated integer NOT NULL);
    CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer,
        data text NOT NULL);
    CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
    CREATE INDEX part_message_id_id_idx ON part (message_id, id);
    CREATE INDEX part_session_idx ON part (session_id);
    """,
}


class OpenCodeHost:
    """The host's side of a database; `clock` is its time, which each write moves on."""

    def __init__(self, path: Path, schema: str = "1.18") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.clock = START
        self.conn = sqlite3.connect(path, isolation_level=None)
        self.conn.execute("PRAGMA journal_mode = WAL")
        self.conn.execute("PRAGMA wal_autocheckpoint = 0")
        self.conn.execute("PRAGMA busy_timeout = 0")
        self.conn.executescript(SCHEMAS[schema])
        self._number = 0
        self.schema = schema

    def close(self) -> None:
        self.conn.close()

    def tick(self, ms: int = 100) -> int:
        self.clock += ms
        return self.clock

    def count_from(self, number: int) -> None:
        """Have the next id be made of the number after this one."""
        self._number = number

    def name(self, kind: str) -> str:
        self._number += 1
        return f"{kind}_{self._number:012x}ab01CDefGhIjKlMn"

    def session(self, title: str = "Harbour lights", *, parent: str | None = None, created: int | None = None) -> str:
        session = self.name("ses")
        at = self.tick() if created is None else created
        row: dict[str, object] = {
            "id": session,
            "project_id": "p1",
            "parent_id": parent,
            "slug": "calm-pier",
            "directory": "/home/ada/harbor",
            "title": title,
            "version": "1.18.33",
            "time_created": at,
            "time_updated": at,
        }
        if self.schema == "1.18":
            row |= {"agent": "build", "model": '{"id":"sol-2","providerID":"sun"}'}
        self._insert("session", row)
        return session

    def message(self, session: str, role: str, *, created: int | None = None, **data: object) -> str:
        message = self.name("msg")
        at = self.tick() if created is None else created
        times = {"created": at, **({"completed": at + 5} if role == "assistant" else {})}
        if role == "assistant":
            data = {"modelID": "sol-2", "agent": "build", **data}
        else:
            data = {"model": {"providerID": "sun", "modelID": "sol-2"}, "agent": "build", **data}
        value = {"role": role, "time": times, **data}
        now = self.clock
        self._insert(
            "message",
            {"id": message, "session_id": session, "time_created": at, "time_updated": now, "data": json.dumps(value)},
        )
        return message

    def part(self, session: str, message: str, **data: object) -> str:
        part = self.name("prt")
        now = self.tick(10)
        row = {
            "id": part,
            "message_id": message,
            "session_id": session,
            "time_created": now,
            "time_updated": now,
            "data": json.dumps(data),
        }
        self._insert("part", row)
        return part

    def prompt(self, session: str, text: str) -> str:
        message = self.message(session, "user")
        self.part(session, message, type="text", text=text)
        return message

    def reply(self, session: str, text: str) -> str:
        message = self.message(session, "assistant")
        self.part(session, message, type="text", text=text)
        return message

    def update(self, table: str, row: str, **data: object) -> None:
        self.conn.execute(
            f"UPDATE {table} SET data = ?, time_updated = ? WHERE id = ?", (json.dumps(data), self.tick(10), row)
        )

    def touch(self, session: str, **columns: object) -> None:
        sets = "".join(f", {name} = ?" for name in columns)
        self.conn.execute(
            f"UPDATE session SET time_updated = ?{sets} WHERE id = ?", (self.tick(1), *columns.values(), session)
        )

    def delete(self, message: str) -> None:
        self.conn.execute("DELETE FROM part WHERE message_id = ?", (message,))
        self.conn.execute("DELETE FROM message WHERE id = ?", (message,))

    def fork(self, session: str, until: str | None = None) -> str:
        """Copy a session's messages before one under new ids, as the program's fork does."""
        fork = self.session("Harbour lights (fork #1)")
        rows = self.conn.execute(
            "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id", (session,)
        ).fetchall()
        for message, created, data in rows:
            if message == until:
                break
            copy = self.name("msg")
            self._insert(
                "message",
                {
                    "id": copy,
                    "session_id": fork,
                    "time_created": created,
                    "time_updated": self.tick(1),
                    "data": data,
                },
            )
            parts = self.conn.execute("SELECT data FROM part WHERE message_id = ? ORDER BY id", (message,)).fetchall()
            for (part_data,) in parts:
                self.part(fork, copy, **json.loads(part_data))
        return fork

    def _insert(self, table: str, row: Mapping[str, object]) -> None:
        marks = ", ".join("?" for _ in row)
        self.conn.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


class Reader:
    """Reads a database on and on, as capture does."""

    def __init__(self, path: Path, batch_bytes: int = 1 << 20) -> None:
        self.source = Source("opencode", path)
        self.limits = ReadLimits(batch_bytes=batch_bytes)
        self.cursor: Cursor | None = None
        self.events: list[Event] = []
        self.skipped: dict[str, int] = {}

    def read(self) -> list[Event]:
        """Read to the end and return what was new."""
        new: list[Event] = []
        more = True
        while more:
            batch = self.step()
            new += batch.events
            more = batch.more
        return new

    def step(self) -> Batch:
        """Read one batch."""
        batch = ADAPTER.read(self.source, self.cursor, self.limits)
        self.cursor = batch.cursor
        self.events += batch.events
        for reason, count in batch.skipped.items():
            self.skipped[reason] = self.skipped.get(reason, 0) + count
        return batch

    def told(self) -> dict[str, Transcript]:
        """Return the sessions as they are by now."""
        return by_id(fold("opencode", self.events))


def by_id(transcripts: Sequence[Transcript]) -> dict[str, Transcript]:
    return {transcript.session.native_id: transcript for transcript in transcripts}


def said(transcript: Transcript) -> list[str]:
    """Return each message as `kind: text`, with a minus before those that were abandoned."""
    return [f"{'-' * message.abandoned}{message.kind}: {message.text}" for message in transcript.messages]


def calls(messages: Sequence[Message]) -> list[tuple[str, bool | None, int | None]]:
    return [(call.name, call.ok, call.exit_code) for message in messages for call in message.tool_calls]
