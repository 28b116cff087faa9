"""Facts that say the same: shown first, then folded into the newest, of equals the longest, with a line of history."""

from __future__ import annotations

from typing import Any

from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_remember import count, do, remember

EARLIER = "keepers trim the wick of lamp 12 each noon"
LATER = "each noon the keepers trim the wick of lamp 12"
LONGER = "each noon the keepers of the pier trim the wick of lamp 12"


def history(uid: str) -> Any:
    def read(conn: Any) -> list[tuple[str, str]]:
        found = conn.execute("SELECT action, reason FROM fact_history WHERE fact_uid = ? ORDER BY id", (uid,))
        return [(action, reason) for action, reason in found]

    return read


async def test_a_preview_changes_nothing_at_all(harbor: Harbor) -> None:
    await remember(harbor, EARLIER, since="2026-01-01")
    await remember(harbor, LATER, since="2026-02-01", again=True)
    before = [await count(harbor, table) for table in ("facts", "fact_history", "edges")]
    shown = await do(harbor, "facts.consolidate")
    assert (len(shown.groups), shown.applied, shown.folded) == (1, False, 0)
    assert [await count(harbor, table) for table in ("facts", "fact_history", "edges")] == before


async def test_what_is_folded_leaves_a_line_that_says_into_what(harbor: Harbor) -> None:
    old = await remember(harbor, EARLIER, since="2026-01-01")
    new = await remember(harbor, LATER, since="2026-02-01", again=True)
    await do(harbor, "facts.consolidate", apply=True)
    action, reason = (await harbor.memory.readers.run(history(old.fact.id)))[-1]
    assert action
    assert new.fact.id in reason or LATER in reason


async def test_of_equally_new_ones_the_longest_stays(harbor: Harbor) -> None:
    short = await remember(harbor, LATER, since="2026-02-01")
    long = await remember(harbor, LONGER, since="2026-02-01", again=True)
    (group,) = (await do(harbor, "facts.consolidate", threshold=0.7)).groups
    assert (group.keep.id, [one.id for one in group.fold]) == (long.fact.id, [short.fact.id])


async def test_what_was_folded_once_is_not_found_again(harbor: Harbor) -> None:
    await remember(harbor, EARLIER, since="2026-01-01")
    await remember(harbor, LATER, since="2026-02-01", again=True)
    await do(harbor, "facts.consolidate", apply=True)
    assert (await do(harbor, "facts.consolidate")).groups == ()
