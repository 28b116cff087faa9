"""What is done to many things is done to as many at a time as keep a write short."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from memd.operations.pieces import TARGET_S, next_size, write_in_pieces
from tests.unit.operations.conftest import Harbor


@given(st.integers(1, 500), st.floats(0, 10), st.integers(1, 500))
def test_what_took_too_long_is_followed_by_less_and_never_by_nothing(size: int, seconds: float, most: int) -> None:
    following = next_size(size, seconds, most)
    assert 1 <= following <= most
    assert following <= 2 * size
    if seconds > TARGET_S:
        assert following <= max(1, size)


async def test_everything_is_written_once_and_in_order_whatever_it_costs(harbor: Harbor) -> None:
    written: list[list[int]] = []

    def write(conn: sqlite3.Connection, some: Sequence[int]) -> None:
        end = time.perf_counter() + (TARGET_S if some[0] > 50 else 0)
        while time.perf_counter() < end:
            pass
        written.append(list(some))

    await write_in_pieces(harbor.memory.writer, range(100), write, 30)
    assert [number for some in written for number in some] == list(range(100))
    assert max(map(len, written)) <= 30
    assert len(written[-1]) < 16
    await write_in_pieces(harbor.memory.writer, (), write)
    assert sum(map(len, written)) == 100
