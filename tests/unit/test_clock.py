from __future__ import annotations

import pytest

from memd.clock import iso, parse_iso_ms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:01.500Z", 1500),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01T00:00:00", 0),
        ("yesterday", None),
        ("", None),
        ("0001-01-01T00:00:00+23:59", None),
    ],
)
def test_iso_times_become_milliseconds(text: str, expected: int | None) -> None:
    assert parse_iso_ms(text) == expected


@pytest.mark.parametrize("text", ["1970-01-01T00:00:01.500Z", "2026-11-30T00:52:48.683Z"])
def test_what_is_written_is_what_was_read(text: str) -> None:
    at = parse_iso_ms(text)
    assert at is not None
    assert iso(at) == text


@pytest.mark.parametrize(
    ("at_ms", "told"),
    [
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
        (1 << 62, "9999-12-31T23:59:59.999Z"),
        (-(1 << 62), "0001-01-01T00:00:00.000Z"),
    ],
)
def test_a_time_that_no_calendar_holds_is_told_all_the_same(at_ms: int, told: str) -> None:
    assert iso(at_ms) == told
