from __future__ import annotations

from memd.adapter import Batch, ChainLink, Cursor, MessagePart
from memd.capture.pace import FIRST_BYTES, LEAST_BYTES, LONGEST_S, MOST_BYTES, TARGET_S, Pace, weight
from memd.store.ingest import Prepared

MB = 1 << 20


def after(*batches: tuple[int, int, float]) -> Pace:
    pace = Pace()
    for batch in batches:
        pace.note(*batch)
    return pace


def test_it_begins_carefully() -> None:
    assert after().batch_bytes() == FIRST_BYTES


def test_batches_that_are_stored_fast_make_the_next_larger_up_to_a_bound() -> None:
    assert after((MB, 100_000, TARGET_S / 2)).batch_bytes() > FIRST_BYTES
    assert after(*[(4 * MB, 100_000, 0.001)] * 50).batch_bytes() == MOST_BYTES


def test_batches_that_are_stored_slowly_make_the_next_smaller_down_to_a_bound() -> None:
    assert after((MB, 200_000, 1.0)).batch_bytes() < FIRST_BYTES
    assert after(*[(64 << 10, 60_000, 10.0)] * 50).batch_bytes() == LEAST_BYTES


def test_it_comes_to_what_takes_the_target_time() -> None:
    assert abs(after(*[(MB, 200_000, TARGET_S)] * 80).batch_bytes() - MB) < 10_000


def test_small_batches_and_a_standing_clock_teach_nothing() -> None:
    assert after((100, 500, 1.0), (MB, 200_000, 0.0), (0, 200_000, 1.0)).batch_bytes() == FIRST_BYTES


def test_after_failures_less_is_read() -> None:
    assert [Pace().batch_bytes(failures) for failures in (0, 1, 2)] == [256 << 10, 128 << 10, 64 << 10]
    assert Pace().batch_bytes(20) == LEAST_BYTES


def test_a_batch_heavier_than_expected_is_read_again_in_smaller_pieces() -> None:
    pace = after(*[(MB, 100_000, TARGET_S)] * 80)
    most = int(100_000 * LONGEST_S / TARGET_S)
    assert pace.smaller(MB, most - 1000) is None
    assert pace.smaller(MB, 800_000) in range(MB // 8 - 2000, MB // 8 + 2000)


def test_a_batch_that_cannot_be_smaller_is_taken_as_it_is() -> None:
    assert Pace().smaller(LEAST_BYTES, 10**9) is None
    assert Pace().smaller(LEAST_BYTES + 1, 10**9) == LEAST_BYTES


def test_text_and_events_have_weight() -> None:
    part = MessagePart("s", "m", "p", 1, "user", "prompt", None, text="hello")
    one = Prepared(Batch((part,), Cursor()), ("hello",))
    two = Prepared(Batch((part, ChainLink("s", "q", 2, None)), Cursor()), ("hello", ""))
    assert 5 < weight(one) < weight(two)
