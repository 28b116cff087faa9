"""Signs: the vectors that differ least are found, however many differ as much."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from memd.recall.embedding import signs  # noqa: E402 - only where numpy is
from memd.recall.signs import cosines, nearest  # noqa: E402


@pytest.mark.parametrize("dimensions", [256, 384])
@pytest.mark.parametrize("held", [0, 7, 8, 9, 40_000])
def test_those_that_differ_least_are_given_and_of_equals_the_later_ones(dimensions: int, held: int) -> None:
    chance = np.random.default_rng(held + dimensions)
    rows = chance.standard_normal((held, dimensions)).astype(np.float32)
    asked = chance.standard_normal(dimensions).astype(np.float32)
    packed = signs(rows).view(np.uint64).reshape(held, dimensions // 64)
    apart = ((rows > 0) != (asked > 0)).sum(axis=1)
    best = sorted(range(held), key=lambda place: (apart[place], -place))[:8]

    assert sorted(nearest(packed, asked, 8).tolist()) == sorted(best)


def test_a_vector_and_its_opposite_have_the_cosines_one_and_minus_one() -> None:
    asked = np.full(4, 0.5, np.float32)
    found = cosines([bytes([127] * 4), bytes([129] * 4), bytes(4)], asked, 0.0)

    assert found == [1.0, -1.0, 0.0]
    assert cosines((), asked, 0.0) == []
