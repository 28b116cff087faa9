"""What a fact belongs to and its topic are edges of the graph, though they are columns of the fact."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_carried_over import document as export_of
from tests.unit.operations.test_carried_over import homes, take_over
from tests.unit.operations.test_remember import count, do, remember

KNOWN = "SQLite for the tide table"
"""The fact that the project has from the start."""
SIDES = ("north", "south", "east", "west")


async def told(harbor: Harbor, **params: object) -> list[str]:
    found = (await do(harbor, "relations.list", **params)).relations
    return [f"{one.source_label} {one.relation} {one.target_label}" for one in found]


async def reached(harbor: Harbor, start: str, **params: object) -> Any:
    answer = await do(harbor, "relations.traverse", start=start, **params)
    return {node.label: node.depth for node in answer.nodes}, answer


async def fact(harbor: Harbor, title: str, **params: object) -> str:
    return (await remember(harbor, f"{title}.", title=title, kind="note", **params)).fact.id


LAMP = "Lamps are lit at dusk"
BELL = "The bell rings in fog"


async def lamps(harbor: Harbor, **params: object) -> str:
    return await fact(harbor, LAMP, project="harbor", topic="lamps", **params)


async def test_a_fact_is_part_of_its_project_and_has_its_topic(harbor: Harbor) -> None:
    lamp = await lamps(harbor)

    assert await told(harbor, node=lamp) == [f"{LAMP} part_of harbor", f"{LAMP} has_topic lamps"]
    assert await told(harbor, node=lamp, direction="in") == []


async def test_one_of_the_two_may_be_asked_for_by_any_of_its_names(harbor: Harbor) -> None:
    lamp = await lamps(harbor)

    assert await told(harbor, node=lamp, relation="belongs_to") == [f"{LAMP} part_of harbor"]
    assert await told(harbor, node=lamp, relation="has_topic") == [f"{LAMP} has_topic lamps"]


async def test_a_project_and_a_topic_tell_their_facts(harbor: Harbor) -> None:
    await lamps(harbor)

    assert await told(harbor, node="project:harbor") == [f"{one} part_of harbor" for one in (LAMP, KNOWN)]
    assert await told(harbor, node="topic:lamps") == [f"{LAMP} has_topic lamps"]


async def test_what_holds_everywhere_is_part_of_nothing(harbor: Harbor) -> None:
    assert await told(harbor, node=await fact(harbor, "Tea is taken black", scope="everywhere")) == []


async def test_a_walk_comes_to_both_and_says_that_columns_tell_them(harbor: Harbor) -> None:
    lamp = await lamps(harbor)
    found, answer = await reached(harbor, lamp, depth=1)

    assert found == {"harbor": 1, "lamps": 1}
    assert sorted((one.relation, one.origin, one.fact) for one in answer.relations) == [
        ("has_topic", "column", lamp),
        ("part_of", "column", lamp),
    ]


async def test_there_is_a_row_for_neither(harbor: Harbor) -> None:
    await lamps(harbor)

    assert await count(harbor, "edges") == 0


async def test_they_are_what_the_fact_says_now(harbor: Harbor) -> None:
    await do(harbor, "facts.edit", fact=await lamps(harbor), topic="lights")

    assert await told(harbor, node="topic:lamps") == []
    assert await told(harbor, node="topic:lights") == [f"{LAMP} has_topic lights"]


async def test_they_begin_when_the_fact_does(harbor: Harbor) -> None:
    await lamps(harbor, since="2026-11-01")

    assert await told(harbor, node="topic:lamps", as_of="2026-10-31") == []
    assert await told(harbor, node="topic:lamps", as_of="2026-11-02") == [f"{LAMP} has_topic lamps"]


async def test_they_end_with_the_fact_and_are_told_among_what_was_so(harbor: Harbor) -> None:
    lamp = await lamps(harbor)
    await do(harbor, "facts.invalidate", fact=lamp, reason="they burn all day")

    assert await told(harbor, node=lamp) == []
    assert (await reached(harbor, lamp))[0] == {}
    ended = [f"{LAMP} part_of harbor", f"{LAMP} has_topic lamps"]
    assert await told(harbor, node=lamp, status="superseded") == await told(harbor, node=lamp, status="all") == ended


async def test_nothing_is_left_of_them_when_the_fact_is_forgotten(harbor: Harbor) -> None:
    await do(harbor, "facts.forget", fact=await lamps(harbor), apply=True)

    assert await told(harbor, relation="has_topic", status="all") == []


async def test_a_project_leads_to_its_facts(harbor: Harbor) -> None:
    await lamps(harbor)
    await fact(harbor, BELL, project="harbor")
    found, _ = await reached(harbor, "project:harbor", depth=1)

    assert found == {KNOWN: 1, LAMP: 1, BELL: 1}


async def test_no_fact_leads_through_its_project_to_all_others(harbor: Harbor) -> None:
    lamp = await lamps(harbor)
    await fact(harbor, BELL, project="harbor")
    found, _ = await reached(harbor, lamp, depth=5)

    assert found == {"harbor": 1, "lamps": 1}


async def test_a_walk_goes_on_from_a_fact_to_what_it_was_linked_with(harbor: Harbor) -> None:
    lamp, bell = await lamps(harbor), await fact(harbor, BELL, project="harbor")
    await do(harbor, "relations.link", source=lamp, relation="related_to", target=bell)

    found, answer = await reached(harbor, lamp, depth=2)
    assert (found, len(answer.relations)) == ({"harbor": 1, "lamps": 1, BELL: 1}, 4)
    found, answer = await reached(harbor, lamp, depth=2, relations=["related_to"])
    assert (found, len(answer.relations)) == ({BELL: 1}, 1)


async def signals(harbor: Harbor) -> str:
    """Four facts with a topic each, of which the first is part of an entity as well; return its id."""
    first, *_ = [await fact(harbor, f"The {one} lamp is green", project="harbor", topic=f"lamp/{one}") for one in SIDES]
    await do(harbor, "relations.link", source=first, relation="part_of", target="Signals", create=True)
    return first


async def test_a_list_of_all_leaves_them_out(harbor: Harbor) -> None:
    await signals(harbor)

    assert await told(harbor) == ["The north lamp is green part_of Signals"]


@pytest.mark.parametrize(
    ("asked", "total"),
    [("relation", 6), ("origin", 9), ("node", 3)],
    ids=["a relation", "where they come from", "a fact"],
)
async def test_pages_of_them_hold_each_once(harbor: Harbor, asked: str, total: int) -> None:
    chosen = {asked: {"relation": "part_of", "origin": "column", "node": await signals(harbor)}[asked]}
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = await do(harbor, "relations.list", limit=2, offset=offset, **chosen)
        assert page.total == total
        seen += [one.id for one in page.relations]
        offset = page.next_offset

    assert len(seen) == len(set(seen)) == total


async def test_an_export_tells_them_and_whoever_takes_it_over_has_them_by_the_facts(harbor: Harbor) -> None:
    lamp = await lamps(harbor)
    document = await export_of(harbor)
    told_of = [(one["relation"], one["fact"]) for one in document["relations"] if one["origin"] == "column"]
    assert sorted(one for one in told_of if one[1] == lamp) == [("has_topic", lamp), ("part_of", lamp)]

    async with homes(1) as (there,):
        await take_over(there, document)
        assert await told(there, node=lamp) == await told(harbor, node=lamp)
        assert await count(there, "edges") == 0
