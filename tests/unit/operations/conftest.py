"""A memory of real parts in a home of its own, with a harbour's sessions and facts in it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import (
    Batch,
    Cursor,
    Event,
    HostEnv,
    MessagePart,
    SessionUpdate,
    Source,
    ToolResult,
    ToolUse,
)
from memd.capture.pipeline import Capture
from memd.codegraph.indexer import Indexer
from memd.config import Config
from memd.distill.distiller import Distiller
from memd.inject.service import Injector
from memd.model import Distilled, Events, Evidence, FactPart, Summary
from memd.operations.board import Board
from memd.operations.memory import Memory
from memd.operations.tracing import Traces
from memd.paths import resolve
from memd.recall.linking import follow
from memd.registry import adapters
from memd.store import facts, projects, sessions, summaries
from memd.store.ingest import Prepared, store_batch
from memd.store.migrate import migrate
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.answering import Answering
from memd.workers.pool import Workers

NOW = 1_795_946_400_000  # 2026-11-29T10:00:00Z
HOST = "claude_code"
FIRST = "0a11ce00-0000-4000-8000-000000000001"
AGENT = "agent-0a11ce0000000002"
ELSEWHERE = "0a11ce00-0000-4000-8000-000000000003"


class FrozenClock:
    """A clock that stands, an hour after the daemon started."""

    def now_ms(self) -> int:
        return NOW + 3_600_000

    def monotonic_s(self) -> float:
        return 3600.0


@dataclass(slots=True)
class Harbor:
    """The memory and what a test may want to look at."""

    memory: Memory
    home: Path
    root: Path
    stopped: list[None] = field(default_factory=list)


@asynccontextmanager
async def memory_in(home: Path) -> AsyncIterator[Harbor]:
    """A memory with nothing in it, in a home of its own with the folder of one project."""
    paths = resolve({"HOME": str(home), "MEMD_DATA_DIR": str(home / "data")})
    paths.data_dir.mkdir()
    root = home / "work" / "harbor"
    (root / "docs").mkdir(parents=True)
    migrate(paths.database, paths.backups_dir, NOW)
    stopped: list[None] = []
    async with (
        Writer.open(paths.database) as writer,
        Readers.open(paths.database) as readers,
        Workers(1) as workers,
    ):
        clock, config = (
            FrozenClock(),
            Config(warnings=("config.toml: there is no setting inject.tokns; it is ignored.",)),
        )

        async def place(folder: Path) -> Path | None:
            return root if folder.is_relative_to(root) else None

        capture = Capture(
            config.capture,
            HostEnv(home, {}, "linux"),
            {"claude_code": adapters()["claude_code"]},
            writer=writer,
            readers=readers,
            workers=workers,
            clock=clock,
        )
        memory = Memory(
            config=config,
            paths=paths,
            clock=clock,
            writer=writer,
            readers=readers,
            capture=capture,
            distiller=Distiller(workers, writer, readers, clock),
            # What a prompt is given must not depend on how busy the machine is.
            injector=Injector(
                replace(config.inject, prompt_ms=60_000), readers, writer, clock, place, answering=Answering()
            ),
            indexer=Indexer(paths.database, workers, writer, readers, clock),
            workers=workers,
            traces=Traces(config.trace, clock),
            board=Board(),
            started_at=NOW,
            stop=lambda: stopped.append(None),
        )
        yield Harbor(memory, home, root, stopped)


@pytest.fixture(autouse=True)
def _what_is_related_is_found_on_a_busy_machine_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults: Any = follow.__kwdefaults__
    monkeypatch.setitem(defaults, "cap_s", 60.0)


@pytest.fixture
async def harbor(tmp_path: Path) -> AsyncIterator[Harbor]:
    async with memory_in(tmp_path) as opened:
        await opened.memory.writer.run(lambda conn: _fill(conn, opened.root))
        yield opened


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that workers were given, in order."""
    tasks: list[str] = []
    run = Workers.run

    async def noted(self: Workers, task: str, *given: object, **more: Any) -> Any:
        tasks.append(task)
        return await run(self, task, *given, **more)

    monkeypatch.setattr(Workers, "run", noted)
    return tasks


def _fill(conn: facts.Connection, root: Path) -> None:
    _store(
        conn,
        FIRST,
        SessionUpdate(FIRST, cwd=str(root), branch="main", model="claude-opus-5-5", title="Where the tides live"),
        _part(FIRST, "p1", 1, "Let's use SQLite instead of Postgres for the tide table."),
        _part(FIRST, "p2", 2, "Agreed, SQLite it is. 潮汐表存放在本地。", ToolUse("c1", "Bash", "shell", "make tide")),
        ToolResult(FIRST, "c1", "p3", 3, False, "barnacle not found", at=NOW + 3, exit_code=2, child=AGENT),
        _part(FIRST, "p4", 4, "Forget it, use a text file.", parent="p2"),
        _part(FIRST, "p5", 5, "Keep SQLite, and copy it every night.", parent="p2"),
    )
    _store(
        conn,
        AGENT,
        SessionUpdate(AGENT, kind="subagent", parent=FIRST, cwd=str(root), agent="Explore"),
        _part(AGENT, "a1", 1, "Count the piers."),
    )
    _store(conn, ELSEWHERE, SessionUpdate(ELSEWHERE), _part(ELSEWHERE, "e1", 1, "How do tides work in SQLite?"))
    project = projects.resolve(conn, root, [], "harbor", NOW)
    for native in (FIRST, AGENT):
        found = sessions.by_native(conn, HOST, native)
        assert found is not None
        sessions.set_project(conn, found.id, project.id)
        sessions.mark_ended(conn, found.id, NOW + 60_000, "exit")
    first = sessions.by_native(conn, HOST, FIRST)
    assert first is not None
    said = conn.execute("SELECT id FROM messages WHERE session_id = ? AND seq = 1", (first.id,)).fetchone()[0]
    new = facts.NewFact(
        "decision",
        "SQLite for the tide table",
        "Use SQLite instead of Postgres for the tide table",
        "distill",
        NOW,
        project.id,
        parts=(FactPart("because", "the office has no server"),),
        evidence=(Evidence(said, first.id, "Let's use SQLite instead of Postgres", NOW),),
        session_id=first.id,
    )
    kept = facts.add(conn, new, NOW)
    old = facts.add(conn, facts.NewFact("decision", "Postgres", "Use Postgres", "distill", NOW - 9, project.id), NOW)
    facts.supersede(conn, old.id, kept.id, NOW, "SQLite was chosen instead")
    everywhere = facts.NewFact("preference", "Lint first", "Always run the linter before committing", "distill", NOW)
    facts.add(conn, everywhere, NOW)
    distilled = Distilled(Summary("Tides in SQLite", "## Asked\n- Where?", ("No test yet",)), (), Events())
    summaries.save(conn, first.id, distilled, 1, NOW)


def _store(conn: facts.Connection, native: str, *events: Event) -> None:
    batch = Batch(
        events, Cursor(offset=1, size=1), skipped={"unknown row kind: hologram": 2} if native == FIRST else {}
    )
    bodies = tuple("" for _ in events)
    source = Source(HOST, Path(f"/home/ada/.claude/projects/-harbor/{native}.jsonl"), native)
    store_batch(conn, source, Prepared(batch, bodies), NOW)


def _part(session: str, name: str, seq: int, text: str, *calls: ToolUse, parent: str | None = None) -> MessagePart:
    prompt = not calls and seq != 2
    return MessagePart(
        session=session,
        message=name,
        part=name,
        seq=seq,
        role="user" if prompt else "assistant",
        kind="prompt" if prompt else "reply",
        at=NOW + seq,
        text=text,
        tool_calls=calls,
        parent=parent or (f"p{seq - 1}" if name.startswith("p") and seq > 1 else None),
    )
