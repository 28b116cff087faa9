from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.codegraph import shape
from memd.codegraph.between import betweenness
from memd.codegraph.shape import Whole, groups_of, shape_of
from memd.codegraph.subsystems import MOST_SUBSYSTEMS


def whole(*edges: tuple[int, int]) -> Whole:
    nodes = sorted({node for edge in edges for node in edge})
    return Whole(
        tuple((node, f"a.py::n{node:03}", "function") for node in nodes),
        tuple((source, target, "calls") for source, target in edges),
    )


def test_the_node_that_alone_joins_two_groups_is_a_bridge() -> None:
    shape = shape_of(whole((1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)))
    assert {(one.node, one.parts, one.cut_off) for one in shape.bridges} == {(3, 2, 2), (4, 2, 2)}


def test_a_ring_has_no_bridge() -> None:
    assert shape_of(whole((1, 2), (2, 3), (3, 4), (4, 1))).bridges == ()


def test_the_centre_of_a_star_is_its_hub_and_its_bridge() -> None:
    shape = shape_of(whole((1, 9), (2, 9), (3, 9)))
    assert (shape.hubs[0].node, shape.hubs[0].incoming) == (9, 3)
    assert [(one.node, one.parts) for one in shape.bridges] == [(9, 3)]
    assert shape.unused == (1, 2, 3)


def test_groups_that_hang_together_are_subsystems() -> None:
    ring = [(one, other) for one in range(1, 6) for other in range(1, 6) if one != other]
    far = [(one + 10, other + 10) for one, other in ring]
    shape = shape_of(whole(*ring, *far, (1, 11)))
    assert [one.size for one in shape.subsystems] == [5, 5]


def test_groups_are_found_that_were_there_however_the_nodes_are_called() -> None:
    chance = random.Random(5)
    places = list(range(400))
    chance.shuffle(places)
    inside = [(places[at], places[at // 40 * 40 + chance.randrange(40)]) for at in range(400) for _ in range(6)]
    across = [(chance.randrange(400), chance.randrange(400)) for _ in range(60)]

    found = groups_of(whole(*inside, *across))

    assert [one.size for one in found.groups] == pytest.approx([40] * 10, abs=4)


pairs = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=40)


@given(pairs)
def test_the_groups_alone_are_those_of_the_whole_shape(edges: list[tuple[int, int]]) -> None:
    alone, with_files = groups_of(whole(*edges)), shape_of(whole(*edges)).subsystems
    assert [(one.nodes, one.size, one.cohesion) for one in alone.groups] == [
        (one.nodes, one.size, one.cohesion) for one in with_files
    ]
    assert not alone.sampled


def test_of_more_edges_than_there_is_time_for_some_of_all_parts_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    rings = [(ring * 10 + one, ring * 10 + other) for ring in range(4) for one in range(8) for other in range(one)]
    monkeypatch.setattr(shape, "MOST_EDGES", len(rings) // 2)

    found = groups_of(whole(*rings))

    assert found.sampled
    assert [one.size for one in found.groups] == [8] * 4


@given(pairs)
def test_taking_a_bridge_away_and_nothing_else_takes_apart_what_hung_together(edges: list[tuple[int, int]]) -> None:
    graph = whole(*edges)
    near: dict[int, set[int]] = {node: set() for node, _, _ in graph.nodes}
    for source, target, _ in graph.edges:
        if source != target:
            near[source].add(target)
            near[target].add(source)

    def groups(without: int | None) -> int:
        left = set(near) - {without}
        count = 0
        while left:
            count += 1
            waiting = [left.pop()]
            while waiting:
                for other in near[waiting.pop()] & left:
                    left.discard(other)
                    waiting.append(other)
        return count

    bridges = {one.node for one in shape_of(graph).bridges}
    for node, others in near.items():
        assert (node in bridges) == (groups(node) > groups(None)), (node, others)


@given(pairs, st.randoms())
def test_the_order_of_edges_does_not_matter(edges: list[tuple[int, int]], random: object) -> None:
    shuffled = list(edges)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert shape_of(whole(*edges)) == shape_of(whole(*shuffled))


def test_what_all_ways_lead_through_lies_between_the_others() -> None:
    found = betweenness(whole((1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)))
    assert not found.sampled
    assert max(found.share, key=lambda node: found.share[node]) in (3, 4)
    assert 1 not in found.share


def test_the_middle_of_a_line_lies_between_its_ends() -> None:
    # Of the six ordered pairs of three nodes, the ways of two lead through the middle.
    assert betweenness(whole((1, 2), (2, 3))).share == {2: 2 / 6}


def _many_parts(count: int) -> Whole:
    """Small rings in files of their own, four to a folder, one loosely tied to the next."""
    nodes = [
        (ring * 10 + one, f"part{ring // 4}/m{ring:02}.py::f{one}", "function")
        for ring in range(count)
        for one in range(4)
    ]
    edges = [(ring * 10 + one, ring * 10 + (one + 1) % 4, "calls") for ring in range(count) for one in range(4)]
    edges += [(ring * 10, ring * 10 + 10, "calls") for ring in range(count - 1) if ring % 4 != 3]
    return Whole(tuple(nodes), tuple(edges))


def test_a_project_of_many_parts_is_told_in_so_few_that_a_person_can_look_at_them() -> None:
    shape = shape_of(_many_parts(120))
    assert 5 <= len(shape.subsystems) <= MOST_SUBSYSTEMS
    assert sum(one.size for one in shape.subsystems) == 480
    assert shape_of(_many_parts(120)) == shape


def test_each_file_belongs_to_one_subsystem_which_is_named_by_their_folder() -> None:
    shape = shape_of(_many_parts(40))
    files = [file for one in shape.subsystems for file in one.files]
    assert sorted(files) == sorted({f"part{ring // 4}/m{ring:02}.py" for ring in range(40)})
    assert all(one.name.startswith("part") for one in shape.subsystems)
