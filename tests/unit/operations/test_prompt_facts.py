"""What a prompt is given in a memory of real parts."""

from __future__ import annotations

from memd.store import facts, injections
from memd.store.injections import Injection
from tests.unit.operations.conftest import HOST, NOW, Harbor

NEW = "0a11ce00-0000-4000-8000-00000000000a"


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
