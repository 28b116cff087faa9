"""Sureness: whether what was found answers a question, or is only what comes nearest to it.

Something is near to every question. What the lanes say of the best of it (how near it is, how much of the question it
holds, whether facts or calls hold its words) goes into a logistic model, fitted by `tests/eval/sureness.py` on
questions that the store answers and on others that it does not. Where that does not make sure, a fact does that the
model of injection (`recall.relevance`) would give. Where the semantic lane did not run, words decide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

WEIGHTS: Final[Mapping[str, float]] = {
    "cosine": 5.59,
    "share": 2.7,
    "covered": 0.7,
    "facts": 0.96,
    "calls": 0.9,
    "cjk": 0.77,
    "cjk_cosine": -1.15,
}
BIAS: Final = -4.08

_SURE: Final = 0.43
"""From here on nine in ten questions that have an answer lie, below it more than four in five of those without."""
_FOUND: Final = 0.08
_FOUND_WITHOUT_A_WORD: Final = 0.15
"""The same where no word of the question is known: then what is near has to be really near."""
_SHARE_BY_WORDS: Final = 0.5
_BEARS: Final = 0.4
"""How likely a fact has to be wanted to be an answer: of questions without one, one in thirty has such a fact."""
FEW: Final = 3
"""Things asked for up to which holding all of them is an answer: somebody typed words to find them."""
_WHOLE: Final = 0.999
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the lanes say of the best they found.

    `cosine` of the nearest message or fact (None: that lane did not run), `share` of the question that one session
    holds, `covered` of its words by the best fact, each 0 to 1 (1 where a call holds the few that were typed); whether
    any fact or tool call holds words of it, how many things it asks for and whether nothing holds any of them, and
    whether it is written in a script whose words the static embedding hardly knows.
    """

    cosine: float | None
    share: float
    covered: float
    facts: bool
    calls: bool
    things: int
    unknown: bool
    cjk: bool
    bears: float = 0.0
    """How likely the best fact is wanted (0 to 1); asked where nothing else makes sure."""

    @property
    def figures(self) -> dict[str, float]:
        """The figures of the model, by the names of its weights."""
        cosine, cjk = self.cosine or 0.0, float(self.cjk)
        return {
            "cosine": cosine,
            "share": self.share,
            "covered": self.covered,
            "facts": float(self.facts),
            "calls": float(self.calls),
            "cjk": cjk,
            "cjk_cosine": cjk * cosine,
        }


def is_cjk(query: str) -> bool:
    """Return whether a query has Chinese, Japanese or Korean characters."""
    return _CJK.search(query) is not None


def likelihood(grounds: Grounds) -> float:
    """Return how likely it is that the question is answered by what was found, 0 to 1."""
    return 1 / (1 + math.exp(-BIAS - sum(WEIGHTS[name] * figure for name, figure in grounds.figures.items())))


def is_sure(grounds: Grounds) -> bool:
    """Return whether what was found answers the question, as far as can be told."""
    if (grounds.share >= _WHOLE and grounds.things <= FEW) or grounds.covered >= _WHOLE or grounds.bears >= _BEARS:
        return True
    if grounds.cosine is None:
        return grounds.share >= _SHARE_BY_WORDS or grounds.facts or grounds.calls
    return likelihood(grounds) >= _SURE


def is_found(grounds: Grounds) -> bool:
    """Return whether anything was found that has to do with the question."""
    if grounds.cosine is None or is_sure(grounds):
        return True
    return likelihood(grounds) >= (_FOUND_WITHOUT_A_WORD if grounds.unknown else _FOUND)
