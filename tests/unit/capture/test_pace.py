from __future__ import annotations

from memd.capture.pace import FIRST_BYTES, LEAST_BYTES, MOST_BYTES, TARGET_S, Pace


def after(*batches: tuple[int, float]) -> int:
    pace = Pace()
    for source_bytes, seconds in batches:
        pace.note(source_bytes, seconds)
    return pace.batch_bytes


def test_it_begins_carefully() -> None:
    assert after() == FIRST_BYTES


def test_batches_that_are_stored_fast_make_the_next_larger_up_to_a_bound() -> None:
    assert after((1 << 20, TARGET_S)) > FIRST_BYTES
    assert after(*[(4 << 20, 0.001)] * 50) == MOST_BYTES


def test_batches_that_are_stored_slowly_make_the_next_smaller_down_to_a_bound() -> None:
    assert after((1 << 20, 1.0)) < FIRST_BYTES
    assert after(*[(64 << 10, 10.0)] * 50) == LEAST_BYTES


def test_it_comes_to_what_takes_the_target_time() -> None:
    assert abs(after(*[(1 << 20, TARGET_S)] * 50) - (1 << 20)) < 10_000


def test_small_batches_and_a_standing_clock_teach_nothing() -> None:
    assert after((100, 1.0), (1 << 20, 0.0)) == FIRST_BYTES
