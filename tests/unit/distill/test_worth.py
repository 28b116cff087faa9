"""What a passage is worth does not hang on the order in which its signals come."""

from __future__ import annotations

from itertools import permutations

import pytest

from memd.distill import worth
from memd.distill.distill import setting_of
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk


def test_the_worth_is_the_same_in_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    setting, _ = setting_of(Thread(Talk().user("the tide table lives in tides.py").transcript()))
    weights = worth.Weights({"": -0.3, "a": 0.1, "b": 0.2, "c": 0.7, "d": -1e-3}, {})
    found = set()
    for order in permutations("abcd"):
        monkeypatch.setattr(worth, "signals", lambda *_, order=order: order)
        found.add(worth.worth(setting, setting.passages[0], weights))
    assert len(found) == 1
