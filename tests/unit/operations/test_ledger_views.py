"""Views of what is known: each is bounded and says where it goes on; what was replaced shows only when asked for.

The ledger (relations as they were stated), the neighbourhood of a node, the lineage of a fact, what was superseded, and
the communities.
"""

from __future__ import annotations

from typing import Any

import pytest

from memd.errors import BadParameter
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_remember import do, remember


async def linked(harbor: Harbor, *pairs: tuple[str, str]) -> None:
    links = [{"source": one, "relation": "uses", "target": other} for one, other in pairs]
    await do(harbor, "relations.link_many", links=links, project="harbor")


async def pages(harbor: Harbor, op: str, name: str, **params: object) -> list[Any]:
    """All pages of a view, gone on with as each of them says."""
    found, offset = [], 0
    while True:
        page = await do(harbor, op, offset=offset, **params)
        found += getattr(page, name)
        if page.next_offset is None:
            return found
        assert page.next_offset > offset
        offset = page.next_offset


async def revised(harbor: Harbor, times: int) -> list[str]:
    """A fact and what took its place, time and again; the ids, oldest first."""
    ids = [(await remember(harbor, "The tide keys live in place 0", project="harbor")).fact.id]
    for number in range(1, times):
        text = f"The tide keys live in place {number}"
        ids.append((await do(harbor, "facts.revise", fact=ids[-1], text=text)).successor.id)
    return ids


async def test_the_ledger_and_a_neighbourhood_come_in_pages_that_hold_all_of_it_once(harbor: Harbor) -> None:
    await linked(harbor, *((f"Pier {n % 4}", f"Boat {n}") for n in range(23)))
    await do(harbor, "relations.invalidate", source="Pier 0", relation="uses", target="Boat 0", project="harbor")
    whole = await pages(harbor, "relations.list", "relations", project="harbor", limit=5)
    assert len({one.id for one in whole}) == len(whole) == 22
    around = await pages(harbor, "relations.list", "relations", node="Pier 1", project="harbor", limit=2)
    assert {one.target_label for one in around} == {f"Boat {n}" for n in range(23) if n % 4 == 1}
    assert all(one.valid_to is None for one in whole)
    gone = await pages(harbor, "relations.list", "relations", status="superseded", project="harbor", limit=5)
    assert [one.target_label for one in gone] == ["Boat 0"]


async def test_a_lineage_is_the_chain_of_what_was_so_step_by_step_in_both_directions(harbor: Harbor) -> None:
    ids = await revised(harbor, 9)
    told = await do(harbor, "facts.timeline", fact=ids[4], scope="lineage", before=3, after=2)
    assert [one.id for one in (*told.before, told.fact, *told.after)] == ids[1:7]
    assert (told.earlier, told.later) == (True, True)
    on = await do(harbor, "facts.timeline", fact=told.before[0].id, scope="lineage", before=3, after=0)
    assert ([one.id for one in on.before], on.earlier, on.later) == ([ids[0]], False, True)
    last = await do(harbor, "facts.timeline", fact=ids[-1], scope="lineage", before=100, after=5)
    assert ([one.id for one in last.before], last.after, last.earlier, last.later) == (ids[:-1], (), False, False)
    assert {one.status for one in last.before} == {"superseded"}
    (listed,) = [one for one in await do(harbor, "facts.list", project="harbor") if "tide keys" in one.text]
    assert listed.id == ids[-1]
    assert len([one for one in await do(harbor, "facts.list", status="superseded") if "tide keys" in one.text]) == 8


async def test_what_replaced_several_facts_has_all_of_them_in_its_lineage(harbor: Harbor) -> None:
    one, other = [(await remember(harbor, text)).fact.id for text in ("Lamps burn oil", "Pumps burn coal")]
    new = (await remember(harbor, "All of the harbour runs on wind")).fact.id
    for old in (one, other):
        await do(harbor, "facts.invalidate", fact=old, successor=new)
    told = await do(harbor, "facts.timeline", fact=new, scope="lineage")
    assert {each.id for each in told.before} == {one, other}


async def test_communities_come_in_pages_and_name_at_most_so_many(harbor: Harbor) -> None:
    for group in range(5):
        names = [f"Quay {group} {n}" for n in range(5)]
        await linked(harbor, *((one, other) for one in names for other in names if one < other))
    star = [(f"Mast {a}", f"Mast {b}") for a in range(300) for b in (a + 1, a + 2, a + 3) if b < 300]
    await linked(harbor, *star)
    whole = await pages(harbor, "relations.groups", "groups", project="harbor", limit=2)
    assert len(whole) == (await do(harbor, "relations.groups", project="harbor", limit=2)).total >= 5
    assert all(0 < len(one.nodes) == len(one.labels) <= min(one.size, 200) for one in whole)
    with pytest.raises(BadParameter, match="offset"):
        await do(harbor, "relations.groups", offset=-1)
