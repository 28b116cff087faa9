"""What each scope looks through, and what is new in a session is found at once, by project and by who said it."""

from __future__ import annotations

import pytest

from memd.adapter import Batch, Cursor, Event, MessagePart, ToolKind, ToolUse
from memd.model import FactKind
from memd.operations.answers import SearchAnswer
from memd.operations.scopes import SCOPES, ScopeName
from memd.operations.search import search_all
from memd.store import facts, projects, sessions
from memd.store.facts import Connection, NewFact
from memd.store.ingest import Prepared, store_batch
from tests.unit.operations.conftest import NOW, Harbor
from tests.unit.store import rows

FACTS: tuple[FactKind, ...] = ("bugfix", "task", "config", "decision", "note")
CALLS: tuple[tuple[str, ToolKind, bool], ...] = (
    ("Bash", "shell", False),
    ("Edit", "edit", True),
    ("TodoWrite", "todo", True),
    ("Read", "read", True),
)
EVERYTHING = {*(f"fact {kind}" for kind in FACTS), *(f"call {kind}" for _, kind, _ in CALLS), "said"}


def _fill(conn: Connection) -> None:
    """Let every kind of fact and of call, and what somebody said, have the word `beacon`."""
    project = projects.resolve(conn, "/home/ada/beacons", [], "beacons", NOW)
    events: list[Event] = [rows.prompt("s", "p", 1, "the beacon was said")]
    for number, (name, kind, ok) in enumerate(CALLS):
        call = ToolUse(f"c{number}", name, kind, f'{{"text": "beacon call {kind}"}}')
        events.append(rows.part("s", f"r{number}", 10 * number + 2, f"step {number}", calls=(call,)))
        events.append(rows.result("s", f"o{number}", 10 * number + 3, f"c{number}", "done", ok=ok))
    _store(conn, events, project.id)
    for told in FACTS:
        text = f"beacon fact {told}"
        facts.add(conn, NewFact(told, text, text, "distill", NOW, project.id), NOW)


def _store(conn: Connection, events: list[Event], project: int) -> None:
    bodies = tuple(event.text if isinstance(event, MessagePart) else "" for event in events)
    batch = Batch(tuple(events), Cursor(offset=len(events), size=1), lines=len(events))
    store_batch(conn, rows.source("s"), Prepared(batch, bodies), NOW)
    session = sessions.by_native(conn, rows.HOST, "s")
    assert session is not None
    sessions.set_project(conn, session.id, project)


async def _find(harbor: Harbor, query: str, **params: object) -> SearchAnswer:
    return await search_all.call(harbor.memory, {"query": query, "limit": 50, **params})


def _names(answer: SearchAnswer) -> set[str]:
    return {name for name in EVERYTHING for hit in answer.hits if name in hit.text}


@pytest.mark.parametrize(
    ("scope", "wanted"),
    [
        ("all", EVERYTHING),
        ("errors", {"fact bugfix", "call shell"}),
        ("plans", {"fact task", "call todo"}),
        ("configs", {"fact config"}),
        ("tools", {"call shell", "call edit", "call todo", "call read"}),
        ("files", {"call edit", "call read"}),
        ("decisions", {"fact decision"}),
    ],
)
async def test_a_scope_gives_what_it_is_about_and_nothing_else(
    harbor: Harbor, scope: ScopeName, wanted: set[str]
) -> None:
    await harbor.memory.writer.run(_fill)

    first = await _find(harbor, "beacon", project="beacons", scope=scope)
    again = await _find(harbor, "beacon", project="beacons", scope=scope)

    assert _names(first) == wanted
    assert again.hits == first.hits


def test_there_is_a_test_for_every_scope() -> None:
    assert set(SCOPES) == {"all", "errors", "plans", "configs", "tools", "files", "decisions"}


async def test_what_is_new_in_a_session_is_found_by_the_next_question(harbor: Harbor) -> None:
    await harbor.memory.writer.run(_fill)
    before = await harbor.memory.readers.run(_indexed)

    def say(conn: Connection) -> None:
        project = projects.find(conn, "beacons").id
        _store(conn, [rows.prompt("s", "new", 90, "a buoy drifts")], project)

    await harbor.memory.writer.run(say)

    assert [hit.text for hit in (await _find(harbor, "buoy")).hits] == ["a buoy drifts"]
    assert (await _find(harbor, "buoy", project="beacons", role="user")).hits != ()
    assert (await _find(harbor, "buoy", project="beacons", role="assistant")).hits == ()
    assert (await _find(harbor, "buoy", project=str(harbor.root))).hits == ()
    # One row came to the index; those that were there have not been made anew.
    assert len(await harbor.memory.readers.run(_indexed) - before) == 1


def _indexed(conn: Connection) -> set[tuple[int, bytes]]:
    return set(conn.execute("SELECT id, sz FROM messages_fts_docsize"))
