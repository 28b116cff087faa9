"""Worth: how likely a passage is worth a fact, after weights that were fitted on labelled sessions.

A logistic regression over named signals, one for what users say and one for what the model says. The weights stand in
`weights.py`, which `make fit-distill` writes anew.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from memd.distill.passages import Passage
from memd.distill.setting import Setting
from memd.distill.signals import signals
from memd.distill.weights import MODEL, USER


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the signals for one speaker each; `bias` is the weight of the name ""."""

    user: Mapping[str, float]
    model: Mapping[str, float]


FITTED = Weights(USER, MODEL)


def worth(setting: Setting, passage: Passage, weights: Weights = FITTED) -> float:
    """Return the probability, 0 to 1, that a passage holds something worth keeping."""
    of = weights.user if passage.anchor.speaker == "user" else weights.model
    # Exactly, because the order of a set's names differs from process to process, and with it the last digit of a sum.
    total = math.fsum((of.get("", 0.0), *(of.get(name, 0.0) for name in signals(setting, passage))))
    return 1 / (1 + math.exp(-total))
