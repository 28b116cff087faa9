"""Blocks, brief, handoff and the ledger, asked for as a door would."""

from __future__ import annotations

from typing import Any

import pytest

from memd.errors import BadParameter, NotFound
from memd.inject.ledger import Ledger
from memd.operations.catalog import OPERATIONS
from memd.store import fact_marks, facts, injections, sessions
from memd.store.injections import Injection
from tests.unit.operations.conftest import FIRST, HOST, NOW, Harbor


async def _call(harbor: Harbor, name: str, **params: object) -> Any:
    return await OPERATIONS[name].call(harbor.memory, params)


async def test_a_block_is_in_the_wakeup_as_soon_as_it_is_set(harbor: Harbor) -> None:
    await _call(harbor, "blocks.set", label="rules", value="Never moor at night", project="harbor")
    await _call(harbor, "blocks.append", label="rules", text="Ask first", project="harbor")
    woken = await _call(harbor, "wakeup", project="harbor")
    elsewhere = await _call(harbor, "wakeup")
    assert "- rules: Never moor at night\n  Ask first" in woken.text
    assert "Never moor" not in elsewhere.text


async def test_blocks_are_listed_shown_changed_and_deleted(harbor: Harbor) -> None:
    await _call(harbor, "blocks.set", label="rules", value="a pier", limit=20, author="ada")
    changed = await _call(harbor, "blocks.replace", label="rules", old="pier", new="quay")
    assert (changed.value, changed.size, changed.limit, changed.project) == ("a quay", 6, 20, None)
    assert await _call(harbor, "blocks.list", project="harbor") == (changed,)
    assert await _call(harbor, "blocks.get", label="rules") == changed
    again = await _call(harbor, "blocks.set", label="rules", value="a mole", known=True)
    assert (again.id, again.value) == (changed.id, "a mole")
    assert (await _call(harbor, "blocks.delete", label="rules")).value == "a mole"
    assert await _call(harbor, "blocks.list") == ()


async def test_a_secret_does_not_get_into_a_block(harbor: Harbor) -> None:
    secret = "sk-ant-" + "api03-" + "Zt9wQ4mK7xP2vB8nL5rT1yU6oI3aS0dF"
    made = await _call(harbor, "blocks.set", label="key", value=f"The key is {secret}")
    assert secret not in made.value


@pytest.mark.parametrize(
    ("name", "params", "error"),
    [
        ("blocks.get", {"label": "none"}, NotFound),
        ("blocks.set", {"label": "a", "value": "b", "project": "nowhere"}, NotFound),
        ("blocks.set", {"label": "none", "value": "b", "known": True}, NotFound),
        ("blocks.append", {"label": "a", "text": " "}, BadParameter),
        ("brief", {"project": "nowhere"}, NotFound),
        ("handoff", {"project": "/nowhere"}, NotFound),
        ("handoff.leave", {"project": "harbor", "text": " "}, BadParameter),
        ("injections.list", {"limit": 0}, BadParameter),
        ("injections.list", {"days": 0}, BadParameter),
    ],
)
async def test_what_cannot_be_is_refused(
    harbor: Harbor, name: str, params: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        await _call(harbor, name, **params)


async def test_a_brief_tells_a_project_in_a_few_lines(harbor: Harbor) -> None:
    told = await _call(harbor, "brief", project="harbor")
    assert told.project == str(harbor.root)
    assert "SQLite instead of Postgres" in told.text
    assert "Tides in SQLite" in told.text
    assert "- 1 session, 1 fact;" in told.text
    assert told.tokens <= 260
    assert "found nothing" not in told.text
    assert "Much spoken of" not in told.text


async def test_a_brief_tells_at_once_what_is_much_spoken_of_and_how_much_is_stale_or_unanswered(harbor: Harbor) -> None:
    for target in ("Wick", "Oil"):
        link = {"source": "Lamp", "relation": "uses", "target": target, "create": True, "project": "harbor"}
        await _call(harbor, "relations.link", **link)
    await _call(harbor, "search", query="zorblax flumph", project="harbor", kinds=["messages"])
    (fact,) = [one for one in await _call(harbor, "facts.list", project="harbor") if "SQLite" in one.title]
    await harbor.memory.writer.run(
        lambda conn: fact_marks.mark_stale(
            conn, facts.find(conn, fact.id).id, "tide.py", "changed", NOW, None, "1 edits"
        )
    )

    told = (await _call(harbor, "brief", project="harbor")).text

    assert "## Much spoken of\n- Lamp\n" in told
    assert "1 of them about something that was changed since" in told
    assert "1 question found nothing" in told
    assert "zorblax" not in told
    then = (await _call(harbor, "brief", project="harbor", as_of="2026-11-29T10:30:00Z")).text
    assert "Lamp" not in then
    assert "found nothing" not in then


async def test_what_is_left_is_handed_over_and_in_the_next_wakeup(harbor: Harbor) -> None:
    left = await _call(harbor, "handoff.leave", project="harbor", text="The crane is half painted", author="ada")
    told = await _call(harbor, "handoff", project="harbor")
    woken = await _call(harbor, "wakeup", project="harbor")
    assert (left.project, left.author) == (str(harbor.root), "ada")
    assert "The crane is half painted" in told.text
    assert "SQLite instead of Postgres" in told.text
    assert "Handed over: The crane is half painted" in woken.text


async def test_the_use_of_what_was_given_is_found_counted_and_shown(harbor: Harbor) -> None:
    def give(conn: facts.Connection) -> tuple[int, int]:
        used = facts.add(conn, facts.NewFact("config", "make tide", "`make tide` fills the table", "distill", 1), NOW)
        other = facts.add(conn, facts.NewFact("note", "Lamps", "`make lamp` lights the piers", "distill", 1), NOW)
        given = Injection(HOST, FIRST, "wakeup", {used.id: None, other.id: None}, 40, "startup")
        injections.record(conn, given, NOW - 1)
        session = sessions.by_native(conn, HOST, FIRST)
        assert session is not None
        return used.id, other.id

    used, other = await harbor.memory.writer.run(give)
    ledger = Ledger(harbor.memory.readers, harbor.memory.writer, harbor.memory.workers, harbor.memory.clock)
    assert await ledger.check() == 1
    assert await ledger.check() == 0

    told = await _call(harbor, "injections.list")
    status = await _call(harbor, "status")
    counts = await harbor.memory.readers.run(lambda conn: [fact.uses for fact in facts.load(conn, (used, other))])
    assert {fact.title: (fact.used, fact.shown) for fact in told.entries[0].facts} == {
        "make tide": (True, "`make tide`"),
        "Lamps": (False, None),
    }
    assert [(rate.event, rate.judged, rate.used, rate.rate) for rate in told.rates] == [("wakeup", 2, 1, 0.5)]
    assert status.injections == told.rates
    assert counts == [1, 0]


async def test_what_was_used_comes_to_every_wakeup_while_there_is_room(harbor: Harbor) -> None:
    def give(conn: facts.Connection) -> None:
        note = facts.add(conn, facts.NewFact("note", "Key", "The key hangs in the lamp store", "person", 1), NOW)
        for at in (NOW, NOW + 1):
            facts.mark_used(conn, (note.id,), at)

    before = await _call(harbor, "wakeup", project="harbor")
    await harbor.memory.writer.run(give)
    after = await _call(harbor, "wakeup", project="harbor")
    assert "lamp store" not in before.text
    assert "## Often of use\n- The key hangs in the lamp store" in after.text


async def test_what_many_sessions_were_given_and_none_used_steps_behind(harbor: Harbor) -> None:
    project = await harbor.memory.injector.project_of(harbor.root)
    assert project is not None

    def give(conn: facts.Connection) -> None:
        ids = [
            facts.add(conn, facts.NewFact("decision", body, body, "person", NOW + at, project.id), NOW).id
            for at, body in enumerate(("The quay is painted in spring", "The crane is oiled in autumn"))
        ]
        for number in range(6):
            injections.record(conn, Injection(HOST, f"s{number}", "wakeup", {ids[1]: None}, 40), NOW)
        conn.execute("UPDATE injected_facts SET used = 0")

    await harbor.memory.writer.run(give)
    text = (await _call(harbor, "wakeup", project="harbor")).text
    assert text.index("quay is painted") < text.index("crane is oiled")
