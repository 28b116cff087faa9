"""What a fact belongs to and its topic are edges of the graph, though they are columns of the fact."""

from __future__ import annotations

from typing import Any

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


async def test_a_fact_is_part_of_its_project_and_has_its_topic_without_a_row_for_either(harbor: Harbor) -> None:
    lamp = await fact(harbor, "Lamps are lit at dusk", project="harbor", topic="lamps")
    everywhere = await fact(harbor, "Tea is taken black", scope="everywhere")
    assert await told(harbor, node=lamp) == [
        "Lamps are lit at dusk part_of harbor",
        "Lamps are lit at dusk has_topic lamps",
    ]
    assert await told(harbor, node=lamp, relation="belongs_to") == ["Lamps are lit at dusk part_of harbor"]
    assert await told(harbor, node="project:harbor") == [
        f"{one} part_of harbor" for one in ("Lamps are lit at dusk", KNOWN)
    ]
    assert await told(harbor, node="topic:lamps") == ["Lamps are lit at dusk has_topic lamps"]
    assert await told(harbor, node=lamp, direction="in") == await told(harbor, node=everywhere) == []
    found, answer = await reached(harbor, lamp, depth=1)
    assert found == {"harbor": 1, "lamps": 1}
    assert sorted((one.relation, one.origin, one.fact) for one in answer.relations) == [
        ("has_topic", "column", lamp),
        ("part_of", "column", lamp),
    ]
    assert await count(harbor, "edges") == 0


async def test_they_are_what_the_fact_says_now_and_hold_as_long_as_it_does(harbor: Harbor) -> None:
    lamp = await fact(harbor, "Lamps are lit at dusk", project="harbor", topic="lamps", since="2026-11-01")
    await do(harbor, "facts.edit", fact=lamp, topic="lights")
    assert await told(harbor, node="topic:lamps") == []
    assert await told(harbor, node="topic:lights", as_of="2026-10-31") == []
    assert len(await told(harbor, node="topic:lights", as_of="2026-11-02")) == 1
    await do(harbor, "facts.invalidate", fact=lamp, reason="they burn all day")
    assert await told(harbor, node=lamp) == []
    assert len(await told(harbor, node=lamp, status="superseded")) == len(await told(harbor, node=lamp, status="all"))
    assert (await reached(harbor, lamp))[0] == {}
    await do(harbor, "facts.forget", fact=lamp, apply=True)
    assert await told(harbor, relation="has_topic", status="all") == []


async def test_a_project_leads_to_its_facts_but_no_fact_leads_through_it_to_all_others(harbor: Harbor) -> None:
    lamp = await fact(harbor, "Lamps are lit at dusk", project="harbor", topic="lamps")
    bell = await fact(harbor, "The bell rings in fog", project="harbor")
    found, _ = await reached(harbor, "project:harbor", depth=1)
    assert found == {KNOWN: 1, "Lamps are lit at dusk": 1, "The bell rings in fog": 1}
    found, _ = await reached(harbor, lamp, depth=5)
    assert found == {"harbor": 1, "lamps": 1}
    await do(harbor, "relations.link", source=lamp, relation="related_to", target=bell)
    found, answer = await reached(harbor, lamp, depth=2)
    assert found == {"harbor": 1, "lamps": 1, "The bell rings in fog": 1}
    assert len(answer.relations) == 4
    found, answer = await reached(harbor, lamp, depth=2, relations=["related_to"])
    assert (found, len(answer.relations)) == ({"The bell rings in fog": 1}, 1)


async def test_a_list_of_all_leaves_them_out_and_pages_of_them_hold_each_once(harbor: Harbor) -> None:
    named = [await fact(harbor, f"The {one} lamp is green", project="harbor", topic=f"lamp/{one}") for one in SIDES]
    await do(harbor, "relations.link", source=named[0], relation="part_of", target="Signals", create=True)
    assert await told(harbor) == ["The north lamp is green part_of Signals"]
    for chosen, total in (({"relation": "part_of"}, 6), ({"origin": "column"}, 9), ({"node": named[0]}, 3)):
        seen, offset = [], 0
        while offset is not None:
            page = await do(harbor, "relations.list", limit=2, offset=offset, **chosen)
            assert page.total == total
            seen += [one.id for one in page.relations]
            offset = page.next_offset
        assert len(seen) == len(set(seen)) == total


async def test_an_export_tells_them_and_whoever_takes_it_over_has_them_by_the_facts(harbor: Harbor) -> None:
    lamp = await fact(harbor, "Lamps are lit at dusk", project="harbor", topic="lamps")
    document = await export_of(harbor)
    told_of = [(one["relation"], one["fact"]) for one in document["relations"] if one["origin"] == "column"]
    assert sorted(one for one in told_of if one[1] == lamp) == [("has_topic", lamp), ("part_of", lamp)]

    async with homes(1) as (there,):
        await take_over(there, document)
        assert await told(there, node=lamp) == await told(harbor, node=lamp)
        assert await count(there, "edges") == 0
