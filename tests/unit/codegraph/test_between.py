"""Which nodes lie between others, with and without numpy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.codegraph import between
from memd.codegraph.between import EXACT, betweenness
from memd.codegraph.shape import Whole


def graph(count: int, edges: list[tuple[int, int]]) -> Whole:
    nodes = tuple((number, f"n{number}", "fact") for number in range(count))
    return Whole(nodes, tuple((source, target, "uses") for source, target in edges))


def test_what_two_parts_hang_together_by_lies_between_them() -> None:
    found = betweenness(graph(5, [(0, 1), (2, 1), (1, 3), (3, 4), (4, 4)]))

    # Of the 20 ways from one node to another 10 lead through 1 and 6 through 3.
    assert found.share == {1: pytest.approx(10 / 20), 3: pytest.approx(6 / 20)}
    assert not found.sampled


@given(
    st.integers(1, 30).flatmap(
        lambda count: st.tuples(
            st.just(count), st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=60)
        )
    )
)
def test_arrays_and_steps_find_the_same(made: tuple[int, list[tuple[int, int]]]) -> None:
    whole = graph(*made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(between, "_numpy", lambda: None)
        plain = betweenness(whole)
    found = betweenness(whole)

    assert found.share == {node: pytest.approx(share) for node, share in plain.share.items()}


def test_of_a_large_graph_ways_are_sampled_and_that_is_said() -> None:
    star = graph(EXACT + 2, [(0, number) for number in range(1, EXACT + 2)])

    found = betweenness(star)

    assert found.sampled
    assert max(found.share, key=lambda node: found.share[node]) == 0
    assert found.share[0] == pytest.approx(1, abs=0.02)
