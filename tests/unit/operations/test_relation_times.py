"""What ended is not reached any more, and was reached at its time."""

from __future__ import annotations

from memd.clock import iso
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_relations import link
from tests.unit.operations.test_remember import do


async def test_what_ended_today_is_not_reached_any_more_but_was(harbor: Harbor) -> None:
    await link(harbor, "Tern", "runs_on", "Pier", since="2026-01-01")
    await link(harbor, "Pier", "uses", "Rope", since="2026-01-01")
    ended = await do(harbor, "relations.invalidate", source="Tern", relation="runs_on", target="Pier")
    assert ended.valid_to == iso(harbor.memory.clock.now_ms())
    now = await do(harbor, "relations.traverse", start="Tern", direction="out", depth=3)
    then = await do(harbor, "relations.traverse", start="Tern", direction="out", depth=3, as_of="2026-02-01")
    assert ([one.label for one in now.nodes], [one.label for one in then.nodes]) == ([], ["Pier", "Rope"])
