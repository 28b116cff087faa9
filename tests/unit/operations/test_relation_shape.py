"""The graph of facts and entities as a whole."""

from __future__ import annotations

import pytest

from memd.errors import BadParameter
from memd.operations import relation_shape, relations
from memd.operations.relation_params import LinkManyParams, OneLink
from memd.operations.relation_shape import ShapeParams
from tests.unit.operations.conftest import Harbor


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


async def test_facts_that_are_linked_to_nothing_are_gaps(linked: Harbor) -> None:
    told = await relation_shape.gaps.function(linked.memory, ShapeParams(project="harbor"))
    assert told.count == len(told.facts) > 0
    assert all(one.relations <= 1 for one in told.facts)


async def test_groups_hang_together(linked: Harbor) -> None:
    told = await relation_shape.groups.function(linked.memory, ShapeParams())
    assert sum(group.size for group in told.groups) >= 3


async def test_a_limit_out_of_range_is_named(linked: Harbor) -> None:
    with pytest.raises(BadParameter, match="limit"):
        await relation_shape.hubs.function(linked.memory, ShapeParams(limit=0))
