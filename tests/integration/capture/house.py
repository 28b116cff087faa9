"""What the tests of capture run in: a home folder, a real store, real worker processes, and rows of Claude Code."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.abc
import anyio.to_thread

from memd.adapter import HostEnv
from memd.capture.pipeline import Capture
from memd.capture.roots import find_roots
from memd.capture.watch import Watcher
from memd.clock import Clock, SystemClock
from memd.config import CaptureConfig
from memd.registry import adapters
from memd.store.dump import dump
from memd.store.migrate import migrate
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers

T = TypeVar("T")

SESSION = "5e551011-0000-4000-8000-000000000001"


@dataclass(slots=True)
class House:
    """A home with a running memd below it, without doors."""

    home: Path
    capture: Capture
    writer: Writer
    readers: Readers
    workers: Workers
    group: anyio.abc.TaskGroup
    woken: list[None]
    """Grows each time sessions became ready to be distilled."""

    async def query(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Rows of the store."""
        return await self.readers.run(lambda conn: conn.execute(sql, values).fetchall())

    async def texts(self, session: str = SESSION) -> list[str]:
        """The texts of a session's messages in order."""
        rows = await self.query(
            "SELECT m.text FROM messages m JOIN sessions s ON s.id = m.session_id WHERE s.native_id = ? ORDER BY m.seq",
            session,
        )
        return [str(text) for (text,) in rows]

    async def until(self, condition: Callable[[list[tuple[object, ...]]], object], sql: str, *values: object) -> None:
        """Wait until the rows of a query are as they should be."""
        with anyio.fail_after(120):
            while not condition(await self.query(sql, *values)):  # noqa: ASYNC110 - a database tells nobody
                await anyio.sleep(0.02)

    async def until_texts(self, *texts: str, session: str = SESSION) -> None:
        """Wait until a session holds exactly these texts."""
        with anyio.fail_after(120):
            while await self.texts(session) != list(texts):  # noqa: ASYNC110 - a database tells nobody
                await anyio.sleep(0.02)

    async def dump(self) -> object:
        """All that the store holds, in a form that two runs can be compared by."""
        return await self.readers.run(dump)


@asynccontextmanager
async def house(
    home: Path,
    *,
    config: CaptureConfig | None = None,
    workers: Workers | None = None,
    watcher: Callable[[Iterable[Path]], Watcher] | None = None,
    serve: bool = True,
    tick_s: float = 0.1,
    retry_s: float = 0.01,
    hosts: Iterable[str] = ("claude_code",),
    clock: Clock | None = None,
) -> AsyncIterator[House]:
    """Run capture over a home folder; the database is `memd.db` in it and outlives the block."""
    database = home / "memd.db"
    migrate(database, home / "backups", 0)
    woken: list[None] = []
    async with (
        Writer.open(database) as writer,
        Readers.open(database) as readers,
        workers or Workers() as pool,
        anyio.create_task_group() as group,
    ):
        known = {name: adapters()[name] for name in hosts}
        config = config or CaptureConfig()
        env = HostEnv(home, {"CLAUDE_CONFIG_DIR": str(home / ".claude")}, "linux")
        capture = Capture(
            config,
            env,
            known,
            roots=await anyio.to_thread.run_sync(find_roots, config, env, known),
            writer=writer,
            readers=readers,
            workers=pool,
            clock=clock or SystemClock(),
            on_ended=lambda: woken.append(None),
            watcher=watcher or (lambda roots: Watcher(roots, drain_s=0.02, check_s=0.1, poll_s=0.2)),
            tick_s=tick_s,
            retry_s=retry_s,
        )
        if serve:
            await group.start(capture.serve)
        yield House(home, capture, writer, readers, pool, group, woken)
        group.cancel_scope.cancel()


class Talk:
    """A transcript of Claude Code being written, one row a message."""

    def __init__(self, home: Path, session: str = SESSION, cwd: str = "/home/ada/harbor", slug: str = "-p") -> None:
        self.path = home / ".claude" / "projects" / slug / f"{session}.jsonl"
        self.session = session
        self.cwd = cwd
        self.rows = 0
        self._last: str | None = None

    def row(self, text: str) -> bytes:
        """The next row: prompts and replies take turns."""
        prompt = self.rows % 2 == 0
        self.rows += 1
        row_id = str(uuid.uuid5(uuid.UUID(self.session), str(self.rows)))
        message: dict[str, object] = {"role": "user", "content": text}
        if not prompt:
            blocks = [{"type": "text", "text": text}]
            message = {"role": "assistant", "id": f"msg_{self.rows}", "model": "claude-opus-5-5", "content": blocks}
        row = {
            "parentUuid": self._last,
            "isSidechain": False,
            "type": "user" if prompt else "assistant",
            "message": message,
            "uuid": row_id,
            "timestamp": f"2026-03-01T10:{self.rows // 60 % 60:02}:{self.rows % 60:02}.000Z",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.332",
        }
        self._last = row_id
        return json.dumps(row).encode() + b"\n"

    def say(self, *texts: str) -> Talk:
        """Append rows to the file."""
        self.append(b"".join(self.row(text) for text in texts))
        return self

    def append(self, content: bytes) -> None:
        """Append bytes to the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(content)


def rows_of(database: Path, sql: str) -> list[tuple[object, ...]]:
    """Rows of a database that no memd has open."""
    with sqlite3.connect(database) as conn:
        rows = conn.execute(sql).fetchall()
    conn.close()
    return rows
