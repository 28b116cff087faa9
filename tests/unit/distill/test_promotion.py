"""The six signals, their sum, and three gates that each have to be passed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from memd.distill.promotion import WEIGHTS, Evidenced, Thresholds, distinct_openers, gates, score, signals

FOUND = Evidenced(
    sessions=3,
    topics=4,
    prompts=10,
    openers=("Light the lamp at dusk", "light the lamp, at dusk!", "Why is pier 12 dark?"),
    last_days=15.0,
    items=5,
    text="Use tern because a cache drops keys, see `lamps/state.py`",
)


def test_the_signals_are_as_their_formulas_say() -> None:
    found = signals(FOUND)
    assert found == pytest.approx(
        {
            "relevance": 0.6,
            "frequency": 0.6,
            "diversity": 0.4,
            "recency": math.exp(-0.5),
            "consolidation": 0.25,
            "richness": 1.0,
        },
        abs=1e-6,
    )
    expected = 0.30 * 0.6 + 0.24 * 0.6 + 0.15 * 0.4 + 0.15 * math.exp(-0.5) + 0.10 * 0.25 + 0.06 * 1.0
    assert score(found) == pytest.approx(expected, abs=1e-6)
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)


def test_signals_stay_within_their_bounds() -> None:
    much = replace(
        FOUND, sessions=99, topics=99, items=999, last_days=-3.0, openers=tuple(f"ask {n} x" for n in range(9))
    )
    assert all(0 <= value <= 1 for value in signals(much).values())
    nothing = Evidenced(1, 0, 0, (), 9999.0, 0, "plain words")
    assert score(signals(nothing)) < 0.1


@pytest.mark.parametrize(
    ("found", "failing"),
    [
        (replace(FOUND, topics=0, last_days=400.0, items=0, text="x"), "score"),
        (replace(FOUND, sessions=1), "sessions"),
        (replace(FOUND, openers=("Light the lamp", "light  the LAMP")), "openers"),
    ],
    ids=["score", "sessions", "openers"],
)
def test_each_gate_alone_keeps_a_fact_out_and_says_by_how_much(found: Evidenced, failing: str) -> None:
    looked = gates(found, Thresholds(score=0.3 if failing != "score" else 0.5))
    out = {gate.name: gate.short for gate in looked if not gate.passed}
    assert set(out) == {failing}
    assert out[failing] > 0
    assert all(gate.passed for gate in gates(found, Thresholds(0.0, 1, 1)))


def test_openers_are_told_apart_by_their_first_words_in_any_script() -> None:
    assert len(distinct_openers(("灯塔什么时候亮", "灯塔什么时候亮？", "码头为什么黑"))) == 2
