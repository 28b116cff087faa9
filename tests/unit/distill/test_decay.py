"""What age and use make of a fact's weight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memd.distill import decay
from memd.model import FACT_KINDS, Fact

DAY_MS = 86_400_000
NOW = 1_800_000_000_000
NEW = Fact(1, "u", None, "decision", "t", "b", "current", 1.0, NOW, NOW, NOW)


def test_use_makes_a_candidate_established_and_then_proven() -> None:
    assert [decay.maturity(uses) for uses in (0, 4, 5, 19, 20)] == [
        "candidate", "candidate", "established", "established", "proven"
    ]  # fmt: skip
    assert [decay.weight(replace(NEW, uses=uses), NOW) for uses in (0, 5, 20)] == [0.5, 1.0, 1.5]


def test_half_of_the_weight_is_left_after_ninety_days_without_use() -> None:
    old = replace(NEW, valid_from=NOW - 90 * DAY_MS)
    assert decay.freshness(old, NOW) == pytest.approx(0.5)
    assert decay.freshness(replace(old, last_used_at=NOW), NOW) == 1.0
    assert decay.freshness(replace(old, verified_at=NOW), NOW) == 1.0
    assert decay.freshness(old, NOW - 365 * DAY_MS) == 1.0


def test_an_evergreen_fact_keeps_its_weight() -> None:
    old = replace(NEW, valid_from=NOW - 365 * DAY_MS, evergreen=True)
    assert decay.freshness(old, NOW) == 1.0
    assert not decay.is_unused(old, NOW)


def test_what_was_inferred_weighs_less_than_what_was_said() -> None:
    assert decay.weight(replace(NEW, basis="inferred"), NOW) == pytest.approx(0.85 * decay.weight(NEW, NOW))


@pytest.mark.parametrize(
    ("kind", "days"),
    [("architecture", 180), ("preference", 365), ("decision", 90), ("bugfix", 60), ("note", 30)],
)
def test_each_kind_has_its_window(kind: str, days: int) -> None:
    fact = replace(NEW, kind=kind)  # type: ignore[arg-type]
    assert not decay.is_unused(replace(fact, valid_from=NOW - days * DAY_MS), NOW)
    assert decay.is_unused(replace(fact, valid_from=NOW - (days + 1) * DAY_MS), NOW)


def test_every_kind_has_a_window() -> None:
    assert all(decay.window_days(kind) > 0 for kind in FACT_KINDS)  # type: ignore[arg-type]
