from __future__ import annotations

import pytest

from memd.clock import in_zone, iso, local_day, parse_iso_ms, zone_named


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


def test_a_day_is_that_of_the_place_where_it_is_asked_for() -> None:
    at = parse_iso_ms("2026-03-01T23:30:00Z")
    assert at is not None
    told = []
    for zone in ("Asia/Shanghai", "Etc/UTC", "America/New_York"):
        with in_zone(zone_named(zone)):
            told.append(local_day(at))
    assert told == ["2026-03-02", "2026-03-01", "2026-03-01"]


@pytest.mark.parametrize("at_ms", [-(1 << 62), -62_135_596_800_000, 253_402_300_799_999, 1 << 62])
def test_the_first_and_the_last_day_of_all_are_days_everywhere(at_ms: int) -> None:
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        with in_zone(zone_named(zone)):
            assert len(local_day(at_ms)) == len("2026-03-01")
