"""The graph of facts and entities as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from memd.codegraph import between
from memd.distill.vocabulary import RELATIONS
from memd.errors import BadParameter
from memd.operations import relation_shape, relations
from memd.operations.catalog import OPERATIONS
from memd.operations.relation_params import LinkManyParams, OneLink
from memd.operations.relation_shape import ShapeParams
from memd.store.facts import Connection
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_remember import do


@pytest.fixture
async def linked(harbor: Harbor) -> Harbor:
    """A lamp that two groups of things hang on, with an automatic link besides."""
    made: dict[str, list[OneLink]] = {}
    for source, target, origin in (
        ("Lamp", "Oil", "manual"),
        ("Lamp", "Wick", "manual"),
        ("Oil", "Wick", "manual"),
        ("Lamp", "Keeper", "manual"),
        ("Keeper", "Boat", "manual"),
        ("Oil", "Boat", "auto-link"),
        ("Oil", "Keeper", "auto-link"),
    ):
        made.setdefault(origin, []).append(OneLink(source, "uses", target))
    for origin, links in made.items():
        await relations.link_many.function(harbor.memory, LinkManyParams(tuple(links), origin=origin, create=True))
    return harbor


async def test_hubs_have_the_most_relations_automatic_ones_left_out(linked: Harbor) -> None:
    told = await relation_shape.hubs.function(linked.memory, ShapeParams(limit=2))
    assert (told.nodes[0].label, told.nodes[0].relations) == ("Lamp", 3)
    every = await relation_shape.hubs.function(linked.memory, ShapeParams(limit=1, automatic=True))
    assert (every.nodes[0].label, every.nodes[0].relations) == ("Oil", 4)


async def test_bridges_are_what_ways_between_others_lead_through(linked: Harbor) -> None:
    told = await relation_shape.bridges.function(linked.memory, ShapeParams())
    assert not told.sampled
    assert {node.label for node in told.nodes} == {"Lamp", "Keeper"}
    assert all(node.between for node in told.nodes)
    assert {node.joins for node in told.nodes} == {("concept",)}


async def test_a_bridge_tells_the_kinds_of_what_it_joins(linked: Harbor) -> None:
    await do(linked, "entities.add", name="Pier 12", kind="component")
    said = await do(linked, "facts.remember", text="Boats leave at dusk", kind="decision", project="harbor")
    for node in ("Pier 12", said.fact.id):
        await do(linked, "relations.link", source="Boat", relation="related_to", target=node)
    told = await relation_shape.bridges.function(linked.memory, ShapeParams())
    (boat,) = (node for node in told.nodes if node.label == "Boat")
    assert boat.joins == ("component", "concept", "decision")


async def test_code_is_no_hub_of_facts_and_entities(linked: Harbor) -> None:
    for number in range(9):
        node = f"code:harbor/f{number}.py"
        await do(linked, "relations.link", source="Wick", relation="touches", target=node, create=True)
    told = await relation_shape.hubs.function(linked.memory, ShapeParams(automatic=True))
    assert not any(node.node.startswith("code:") for node in told.nodes)
    assert told.nodes[0].label == "Oil"


async def test_facts_that_proved_themselves_come_first_among_the_gaps(harbor: Harbor) -> None:
    saved = {
        uses: (await do(harbor, "facts.remember", text=text, project="harbor", again=True)).fact.id
        for uses, text in ((0, "Gulls eat bread"), (1000, "Boats leave at dusk"), (2, "The pier is wet"))
    }
    day = 86_400_000

    def use(conn: Connection) -> None:
        now = harbor.memory.clock.now_ms()
        for uses, fact in saved.items():
            used = now - 3 * day if uses else None
            conn.execute("UPDATE facts SET uses = ?, last_used_at = ? WHERE uid = ?", (uses, used, fact))

    await harbor.memory.writer.run(use)
    told = await relation_shape.gaps.function(harbor.memory, ShapeParams(project="harbor", limit=500))
    order = [one.node for one in told.facts]
    places = [order.index(f"fact:{saved[uses]}") for uses in (1000, 2, 0)]
    assert places == sorted(places)
    rank = ["proven", "established", "candidate"]
    assert [rank.index(one.maturity) for one in told.facts] == sorted(rank.index(one.maturity) for one in told.facts)
    days = {one.node: one.days for one in told.facts}
    assert [days[f"fact:{saved[uses]}"] for uses in (1000, 0)] == [3, None]


async def test_facts_that_are_linked_to_nothing_are_gaps(linked: Harbor) -> None:
    told = await relation_shape.gaps.function(linked.memory, ShapeParams(project="harbor"))
    assert told.count == len(told.facts) > 0
    assert all(one.relations <= 1 and one.node.startswith("fact:") for one in told.facts)


async def test_gaps_come_with_a_prompt_that_asks_to_link_them_by_what_can_be_done(linked: Harbor) -> None:
    told = await relation_shape.gaps.function(linked.memory, ShapeParams(project="harbor"))
    for one in told.facts:
        assert f"- {one.node}: {one.label}" in told.prompt
    named = told.prompt.partition("relation: one of ")[2].partition(")")[0]
    assert {" ".join(word.split()) for word in named.split(",")} == set(RELATIONS)
    assert {"relations.link", "facts.batch"} <= set(OPERATIONS)


async def test_what_is_concluded_as_the_prompt_says_names_its_sources_and_stands_behind_them(linked: Harbor) -> None:
    said = await do(linked, "facts.remember", text="The gauge of pier four drifts in winter", project="harbor")
    other = await do(linked, "facts.remember", text="The gauge of pier nine drifts in winter", project="harbor")
    concluded = {
        "text": "Cold lets each gauge drift: in winter none of the piers is measured well",
        "project": "harbor",
        "basis": "inferred",
    }
    kept = await do(linked, "facts.batch", facts=[concluded])
    reflection = kept.facts[0].fact.id
    rests_on = [
        {"source": reflection, "relation": "builds_on", "target": one.fact.id, "strength": 0.9} for one in (said, other)
    ]
    await do(linked, "facts.batch", relations=rests_on)
    hits = [hit.id for hit in (await do(linked, "search", query="gauge drifts in winter")).hits]
    assert hits.index(reflection) > max(hits.index(said.fact.id), hits.index(other.fact.id))
    told = await do(linked, "relations.list", node=reflection, relation="builds_on")
    assert {one.target for one in told.relations} == {f"fact:{said.fact.id}", f"fact:{other.fact.id}"}


def test_where_all_is_linked_there_is_nothing_to_ask() -> None:
    assert relation_shape.prompt_for(()) == ""


async def test_what_was_worked_out_of_a_graph_is_told_again_until_the_graph_changes(
    linked: Harbor, worked: list[str]
) -> None:
    async def told() -> Any:
        return await do(linked, "relations.bridges", limit=1)

    first = await told()
    assert await told() == first
    assert worked == [between.TASK]
    assert await do(linked, "relations.bridges", automatic=True) != await do(linked, "relations.bridges")
    await do(linked, "relations.unlink", source="Keeper", relation="uses", target="Boat")
    changed = await told()
    assert worked[2:] == [between.TASK]
    assert {node.label for node in changed.nodes} == {"Lamp"}


async def test_a_limit_out_of_range_is_named(linked: Harbor) -> None:
    with pytest.raises(BadParameter, match="limit"):
        await relation_shape.hubs.function(linked.memory, ShapeParams(limit=0))
