"""What a prompt is given in a memory of real parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from memd.adapter import SessionUpdate
from memd.config import InjectConfig
from memd.inject.service import Injector
from memd.model import Evidence, FactKind, FactPart
from memd.registry import adapters
from memd.store import facts, injections, sessions
from memd.store.injections import Injection
from tests.unit.operations.conftest import FIRST, HOST, NOW, Harbor, _part, _store

NEW = "0a11ce00-0000-4000-8000-00000000000a"


async def _learn(harbor: Harbor, body: str, kind: FactKind = "decision", *parts: FactPart) -> int:
    new = facts.NewFact(kind, body[:80], body, "distill", NOW, await _project(harbor), parts=parts)
    return (await harbor.memory.writer.run(lambda conn: facts.add(conn, new, NOW))).id


async def _project(harbor: Harbor) -> int:
    project = await harbor.memory.injector.project_of(harbor.root)
    assert project is not None
    return project.id


async def _ask(harbor: Harbor, prompt: str, session: str = NEW, *, prompt_ms: int = 60_000) -> str:
    async def place(folder: Path) -> Path | None:
        return harbor.root if folder.is_relative_to(harbor.root) else None

    memory = harbor.memory
    config = InjectConfig(prompt_ms=prompt_ms)
    injector = Injector(config, memory.readers, memory.writer, memory.clock, place, answering=memory.answering)
    return (await injector.prompt(HOST, session, harbor.root, prompt)).text


async def test_what_takes_too_long_is_left_unsaid(harbor: Harbor) -> None:
    assert await _ask(harbor, "where does the tide table live, Postgres or SQLite?", prompt_ms=0) == ""
    assert "SQLite" in await _ask(harbor, "where does the tide table live, Postgres or SQLite?")


async def test_what_a_session_knows_already_takes_no_place_among_the_few(harbor: Harbor) -> None:
    bodies = [f"The ferry timetable of pier {n} is read from the ferry office" for n in range(7)]

    def fill(conn: facts.Connection) -> None:
        added = [facts.add(conn, facts.NewFact("discovery", body, body, "distill", NOW + n), NOW)
                 for n, body in enumerate(bodies)]  # fmt: skip
        known = [fact.id for fact in added[2:]]
        injections.record(conn, Injection(HOST, NEW, "wakeup", dict.fromkeys(known), 100), NOW)

    await harbor.memory.writer.run(fill)

    bundle = await harbor.memory.injector.prompt(HOST, NEW, None, "where is the ferry timetable read from?")

    assert [n for n, body in enumerate(bodies) if body in bundle.text] == [0, 1]


@pytest.mark.parametrize(
    "prompt", ["run the test suite please", "how do I start the tests here?", "跑一下测试", "跑一遍 unit tests"]
)
async def test_who_wants_the_tests_run_is_told_how_that_is_done_here(harbor: Harbor, prompt: str) -> None:
    command = FactPart("command", "make unit")
    await _learn(harbor, "always `make unit`, plain pytest hangs", "convention", command)
    await _learn(harbor, "The lamp of pier 12 is lit at dusk")
    assert "make unit" in await _ask(harbor, prompt)


async def test_a_later_prompt_about_something_else_is_given_what_is_surely_meant_and_nothing_twice(
    harbor: Harbor,
) -> None:
    await _learn(harbor, "The storm warning goes out by pigeon since the telegraph breaks")
    first = await _ask(harbor, "where does the tide table live, Postgres or SQLite?")
    again = await _ask(harbor, "the tide table, does it live in Postgres or SQLite?")
    later = await _ask(harbor, "who sends the storm warning, a pigeon or the telegraph?")
    assert "SQLite instead of Postgres" in first
    assert "SQLite instead of Postgres" not in again
    assert "pigeon" in later


@pytest.mark.parametrize("passed_over", ["/compact", "!git status", "go on", "# a note", "ok", "好的"])
async def test_what_is_passed_over_takes_nothing_from_the_first_real_prompt(harbor: Harbor, passed_over: str) -> None:
    assert await _ask(harbor, passed_over) == ""
    assert await _ask(harbor, "Write a haiku about autumn leaves") == ""
    assert "SQLite instead of Postgres" in await _ask(harbor, "where does the tide table live, Postgres or SQLite?")


@pytest.mark.parametrize("host", sorted(adapters()))
async def test_on_every_host_a_session_that_begins_anew_is_told_again(harbor: Harbor, host: str) -> None:
    asked = "where does the tide table live, Postgres or SQLite?"

    async def told() -> str:
        return (await harbor.memory.injector.prompt(host, NEW, harbor.root, asked)).text

    first, again = await told(), await told()
    await harbor.memory.injector.rearm(host, NEW)
    assert (first != "", again, await told()) == (True, "", first)


async def test_who_asks_what_is_left_is_told_what_was_left_open_here_once(harbor: Harbor) -> None:
    await _learn(harbor, "Still open: the printer of the pilots has no paper", "task")
    assert "no paper" in await _ask(harbor, "what's left to do?")
    assert await _ask(harbor, "so, what is still open?") == ""
    assert "no paper" not in await _ask(harbor, "what is left of the old parser?", "another")
    outside = await harbor.memory.injector.prompt(HOST, "elsewhere", harbor.home, "what's left to do?")
    assert outside.text == ""


async def test_a_named_file_brings_its_history_once(harbor: Harbor) -> None:
    def change(conn: facts.Connection) -> None:
        call, session = conn.execute("SELECT id, session_id FROM tool_calls LIMIT 1").fetchone()
        path = str(harbor.root / "src" / "tide.py")
        conn.execute("INSERT INTO file_changes (session_id, tool_call_id, path, op, at) VALUES (?, ?, ?, 'update', ?)",
                     (session, call, path, NOW))  # fmt: skip

    await harbor.memory.writer.run(change)
    first = await _ask(harbor, "please look at src/tide.py and tell me about it")
    again = await _ask(harbor, "and now change src/tide.py so that it is faster")
    assert "`src/tide.py` was changed in one earlier session" in first
    assert "Where the tides live" in first
    assert "earlier session," not in again


async def test_what_no_fact_tells_is_quoted_from_the_session_where_it_was_said(harbor: Harbor) -> None:
    told = await _ask(harbor, "what do we copy every night?")
    assert "- The user said on 2026-11-29: “Keep SQLite, and copy it every night.”" in told


async def test_words_in_which_a_fact_was_agreed_lead_to_it(harbor: Harbor) -> None:
    told = await _ask(harbor, "潮汐表存放在哪里？")
    assert "SQLite" in told


REPORT = "the tide import crashes on files of the old gauge"
CAUSE = "Found it: the cause is that files from before 2019 are Latin-1, so decoding them as UTF-8 fails."


async def _report(harbor: Harbor) -> int:
    """Store a session in which a trouble was reported and found out; return the row id of the report."""
    project = await _project(harbor)

    def fill(conn: facts.Connection) -> int:
        update = SessionUpdate("s2", cwd=str(harbor.root))
        _store(conn, "s2", update, _part("s2", "q1", 1, REPORT), _part("s2", "q2", 2, f"Let me look. {CAUSE}"))
        session = sessions.by_native(conn, HOST, "s2")
        assert session is not None
        sessions.set_project(conn, session.id, project)
        row: int = conn.execute("SELECT id FROM messages WHERE session_id = ? AND seq = 1", (session.id,)).fetchone()[0]
        return row

    return await harbor.memory.writer.run(fill)


async def test_of_a_trouble_that_was_reported_before_it_is_told_what_came_of_it(harbor: Harbor) -> None:
    await _report(harbor)
    told = await _ask(harbor, "the import of the old gauge crashes again")
    assert f"- The agent said on 2026-11-29: “{CAUSE}”" in told
    assert "Let me look" not in told


async def test_a_fact_that_is_a_mere_report_brings_what_came_of_it(harbor: Harbor) -> None:
    row = await _report(harbor)
    new = facts.NewFact(
        "discovery", REPORT, REPORT, "distill", NOW, await _project(harbor), evidence=(Evidence(row, 0, REPORT, NOW),)
    )
    await harbor.memory.writer.run(lambda conn: facts.add(conn, new, NOW))
    told = await _ask(harbor, "the import of the old gauge crashes again")
    assert f"- {REPORT}" in told
    assert CAUSE in told


async def test_what_a_session_said_itself_is_not_quoted_to_it(harbor: Harbor) -> None:
    assert await _ask(harbor, "what do we copy every night?", FIRST) == ""


async def test_other_projects_are_not_told(harbor: Harbor) -> None:
    outside = await harbor.memory.injector.prompt(HOST, NEW, harbor.home, "the tide table: Postgres or SQLite?")
    assert outside.text == ""


async def test_what_is_given_is_written_down_with_how_well_it_fits(harbor: Harbor) -> None:
    await _ask(harbor, "where does the tide table live, Postgres or SQLite?")
    (entry, *_) = await harbor.memory.readers.run(lambda conn: injections.recent(conn, session=NEW))
    assert (entry.event, entry.project) == ("prompt", str(harbor.root))
    assert all(fact.score is not None and fact.score > 0.5 for fact in entry.facts)
    assert entry.tokens > 0
