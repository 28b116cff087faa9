"""The kept code graph: its nodes and edges by name, what held at a time, and what is wrong with it by name."""

from __future__ import annotations

import pytest

from memd.clock import iso
from memd.errors import NotFound
from memd.operations import code
from memd.operations.code_params import CodeCheckParams, CodeIndexParams, CodeTraverseParams, CodeWalkParams
from memd.store.facts import Connection
from tests.unit.operations.conftest import Harbor

_DAY = 86_400_000
TIDES = "class Table: ...\n\ndef parse(text):\n    return text\n"
OFFICE = "from tides import Table, parse\n\nclass Office(Table):\n    def open(self):\n        parse('x')\n"
OFFICE_WITHOUT = OFFICE.replace("parse('x')", "return 1")


async def index(harbor: Harbor, office: str) -> None:
    """Let a day go by, then look through a tree with this office."""

    def a_day_later(conn: Connection) -> None:
        for table, column in (
            ("code_edges", "valid_from"),
            ("code_edges", "valid_to"),
            ("code_symbols", "valid_from"),
            ("code_symbols", "valid_to"),
            ("code_symbols", "changed_at"),
        ):
            conn.execute(f"UPDATE {table} SET {column} = {column} - ?", (_DAY,))

    await harbor.memory.writer.run(a_day_later)
    (harbor.root / "tides.py").write_text(TIDES)
    (harbor.root / "office.py").write_text(office)
    await code.index.function(harbor.memory, CodeIndexParams("harbor"))


async def callers(harbor: Harbor, days_ago: float | None = None) -> list[str]:
    as_of = None if days_ago is None else iso(harbor.memory.clock.now_ms() - int(days_ago * _DAY))
    told = await code.callers.function(harbor.memory, CodeWalkParams("parse", "harbor", as_of=as_of))
    return [step.source for step in told.steps]


async def test_files_and_symbols_are_joined_by_calls_imports_and_inherits(harbor: Harbor) -> None:
    await index(harbor, OFFICE)
    params = CodeTraverseParams("office.py", "harbor", direction="out")
    told = await code.traverse.function(harbor.memory, params)
    assert [(step.source, step.relation, step.target) for step in told.steps] == [
        ("code:office.py", "imports", "code:tides.py")
    ]
    params = CodeTraverseParams("Office", "harbor", direction="out")
    told = await code.traverse.function(harbor.memory, params)
    assert [(step.source, step.relation, step.target) for step in told.steps] == [
        ("code:office.py::Office", "inherits", "code:tides.py::Table")
    ]
    assert await callers(harbor) == ["code:office.py::Office.open"]


async def test_a_call_that_went_and_came_back_answers_for_each_of_its_times(harbor: Harbor) -> None:
    await index(harbor, OFFICE)
    await index(harbor, OFFICE_WITHOUT)
    assert await callers(harbor) == []
    await index(harbor, OFFICE)
    found = ["code:office.py::Office.open"]
    assert [await callers(harbor, days) for days in (1.5, 0.5, None)] == [found, [], found]
    with pytest.raises(NotFound, match="was not there"):
        await callers(harbor, 2.5)
    held = await harbor.memory.readers.run(
        lambda conn: conn.execute("SELECT valid_to IS NULL FROM code_edges WHERE kind = 'calls' ORDER BY id").fetchall()
    )
    assert held == [(0,), (1,)]


async def test_an_edge_that_leads_to_nothing_is_named_by_the_check(harbor: Harbor) -> None:
    await index(harbor, OFFICE)
    assert (await code.check.function(harbor.memory, CodeCheckParams("harbor"))).ok

    def lose(conn: Connection) -> None:
        conn.execute(
            "DELETE FROM code_symbols WHERE node_id = (SELECT id FROM code_nodes WHERE node = 'tides.py::parse')"
        )

    await harbor.memory.writer.run(lose)
    told = await code.check.function(harbor.memory, CodeCheckParams("harbor"))
    assert (told.ok, [(one.issue, one.node) for one in told.issues]) == (False, [("dangling", "code:tides.py::parse")])
