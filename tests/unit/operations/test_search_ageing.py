"""A fact that names what was changed since is marked where it is found, and comes behind one that is as good."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Batch, Cursor, FileChange, MessagePart, SessionUpdate, Source, ToolResult, ToolUse
from memd.operations import code_staleness
from memd.operations.answers import HitAnswer
from memd.operations.catalog import OPERATIONS
from memd.store import fact_marks, sessions
from memd.store.facts import Connection
from memd.store.ingest import Prepared, store_batch
from tests.unit.operations.conftest import NOW, Harbor

DAY_MS = 86_400_000


async def do(harbor: Harbor, name: str, **params: object) -> Any:
    return await OPERATIONS[name].call(harbor.memory, params)


async def found(harbor: Harbor, query: str, **params: object) -> list[HitAnswer]:
    return list((await do(harbor, "search", query=query, kinds=["facts"], explain=True, **params)).hits)


async def remember(harbor: Harbor, text: str, **params: object) -> str:
    answer = await do(harbor, "facts.remember", text=text, project="harbor", since="2026-11-01", again=True, **params)
    return str(answer.fact.id)


def edited(conn: Connection, harbor: Harbor, native: str, days: int) -> None:
    """Let a session change docs/tide.py some days after the first of November."""
    path, at = str(harbor.root / "docs" / "tide.py"), NOW - 28 * DAY_MS + days * DAY_MS
    change = FileChange(path, "update")
    use, message = ToolUse(f"{native}-c", "Edit", "edit", "{}"), f"{native}-m"
    events = (
        SessionUpdate(native, cwd=str(harbor.root)),
        MessagePart(native, message, message, 1, "assistant", "reply", at, "Changed it.", tool_calls=(use,)),
        ToolResult(native, f"{native}-c", f"{native}-r", 2, True, "", at, changes=(change,)),
    )
    source = Source("claude_code", Path(f"/home/ada/{native}.jsonl"), native)
    store_batch(conn, source, Prepared(Batch(events, Cursor(offset=1)), ("",) * len(events)), at)
    session = sessions.by_native(conn, "claude_code", native)
    project = conn.execute("SELECT id FROM projects WHERE name = 'harbor'").fetchone()[0]
    assert session is not None
    sessions.set_project(conn, session.id, project)
    fact = conn.execute("SELECT max(id) FROM facts").fetchone()[0]
    fact_marks.mark_stale(conn, fact, path, "changed", at, session.id, "1 edits")


async def test_a_fact_whose_file_was_edited_later_says_by_how_many_sessions_and_after_how_long(harbor: Harbor) -> None:
    await remember(harbor, "The depth in docs/tide.py is read by `read_depth` in metres")
    for native, days in (("later-1", 3), ("later-2", 9)):
        await harbor.memory.writer.run(lambda conn, n=native, d=days: edited(conn, harbor, n, d))  # type: ignore[misc]

    (hit,) = await found(harbor, "depth metres")

    (doubt,) = hit.stale
    assert (doubt.name, doubt.change) == (str(harbor.root / "docs" / "tide.py"), "changed")
    assert (doubt.sessions, doubt.weight) == (2, 0.3)
    assert doubt.lag_days == pytest.approx(9, abs=1)
    assert hit.why["stale"] == pytest.approx(0.91)
    assert hit.score == pytest.approx(math.prod(hit.why.values()), abs=2e-3)


async def test_where_all_symbols_are_there_still_a_change_counts_less_and_those_missing_are_named(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[str] = []
    monkeypatch.setattr(code_staleness, "missing", lambda conn, fact: tuple(gone))
    await remember(harbor, "The depth in docs/tide.py is read by `read_depth` in metres")
    await harbor.memory.writer.run(lambda conn: edited(conn, harbor, "later", 3))

    (hit,) = await found(harbor, "depth metres")
    assert (hit.stale[0].missing, hit.stale[0].weight) == ((), 0.3)
    assert hit.why["stale"] == pytest.approx(0.91)

    gone.append("read_depth")
    (hit,) = await found(harbor, "depth metres")
    assert (hit.stale[0].missing, hit.stale[0].weight) == (("read_depth",), 1.0)


async def test_of_two_as_good_the_one_whose_file_is_as_it_was_comes_first_unless_that_is_switched_off(
    harbor: Harbor,
) -> None:
    old = await remember(harbor, "The lamp of docs/tide.py burns diesel")
    await harbor.memory.writer.run(lambda conn: edited(conn, harbor, "later", 3))
    new = await remember(harbor, "The lamp of docs/mole.py burns diesel")

    assert [hit.id for hit in await found(harbor, "lamp burns diesel")] == [new, old]
    plain = await found(harbor, "lamp burns diesel", standing=False)
    assert {round(hit.score, 6) for hit in plain} == {round(plain[0].score, 6)}
    assert all(set(hit.why) == {"place", "covered"} for hit in plain)
    assert [hit.stale != () for hit in sorted(plain, key=lambda hit: hit.id != old)] == [True, False]


async def test_a_fact_that_was_checked_since_is_not_marked(harbor: Harbor) -> None:
    fact = await remember(harbor, "The depth in docs/tide.py is in metres")
    await harbor.memory.writer.run(lambda conn: edited(conn, harbor, "later", 3))

    await do(harbor, "facts.verify", fact=fact)

    (hit,) = await found(harbor, "depth metres")
    assert hit.stale == ()
    assert "stale" not in hit.why


async def test_of_facts_that_were_folded_together_one_is_found_and_all_can_be_read(harbor: Harbor) -> None:
    one = await remember(harbor, "The tide gauge is read every ten minutes by cron")
    other = await remember(harbor, "The tide gauge is read every 10 minutes by cron")

    folded = await do(harbor, "facts.consolidate", project="harbor", threshold=0.5, apply=True)

    hits = [hit for hit in await found(harbor, "tide gauge cron") if "gauge" in hit.text]
    assert folded.folded == 1
    assert len(hits) == 1
    gone = other if hits[0].id == one else one
    shown = await do(harbor, "facts.show", fact=gone)
    assert shown.fact.status != "current"
    assert "tide gauge" in shown.fact.text
