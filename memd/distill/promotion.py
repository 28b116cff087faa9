"""Promotion: which of what was learnt deserves to be relied on. Pure.

Six signals make a score; three gates have to be passed, each by itself.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from memd.text.tokens import terms

WEIGHTS: Final = {
    "relevance": 0.30,
    "frequency": 0.24,
    "diversity": 0.15,
    "recency": 0.15,
    "consolidation": 0.10,
    "richness": 0.06,
}
_ENOUGH_SESSIONS: Final = 5
_ENOUGH_OPENERS: Final = 5
_ENOUGH_ITEMS: Final = 20
_RECENCY_DAYS: Final = 30
_OPENER_WORDS: Final = 3
_CODE: Final = re.compile(r"```|`[^`\n]+`")
_DECIDES: Final = re.compile(
    r"\b(?:decid\w+|chose|chosen|agreed|instead|because|never|always|must)\b|决定|改用|因为|必须|不要|采用",
    re.IGNORECASE,
)
_FILE: Final = re.compile(r"(?<!\w)[\w./-]*\w+\.[a-z]{1,4}\b|(?:[\w.-]+/)+[\w.-]+")


@dataclass(frozen=True, slots=True)
class Evidenced:
    """What speaks for a fact: the sessions that say it and whose transcripts still exist.

    `topics`: how many of their prompts share its words; `prompts`: how many they have; `openers`: how each begins;
    `last`: when it was said last, in days ago; `items`: how many places it rests on.
    """

    sessions: int
    topics: int
    prompts: int
    openers: tuple[str, ...]
    last_days: float
    items: int
    text: str


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What has to be reached."""

    score: float = 0.5
    sessions: int = 2
    openers: int = 2


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate: what was reached and what is asked for."""

    name: str
    value: float
    threshold: float

    @property
    def passed(self) -> bool:
        """Whether enough was reached."""
        return self.value >= self.threshold

    @property
    def short(self) -> float:
        """By how much it falls short, 0 when it does not."""
        return round(max(self.threshold - self.value, 0.0), 6)


def signals(found: Evidenced) -> dict[str, float]:
    """Return the six signals of a fact, each 0 to 1.

    relevance: 1.5 x share of the sessions' prompts that share its words; frequency: sessions / 5; diversity: different
    openers / 5; recency: e^(-days / 30); consolidation: places / 20; richness: code, a deciding word, a file: two of
    these are 1, one is a half.
    """
    rich = sum(1 for pattern in (_CODE, _DECIDES, _FILE) if pattern.search(found.text))
    return {
        "relevance": min(1.0, 1.5 * found.topics / found.prompts) if found.prompts else 0.0,
        "frequency": min(1.0, found.sessions / _ENOUGH_SESSIONS),
        "diversity": min(1.0, len(distinct_openers(found.openers)) / _ENOUGH_OPENERS),
        "recency": math.exp(-max(found.last_days, 0.0) / _RECENCY_DAYS),
        "consolidation": min(1.0, found.items / _ENOUGH_ITEMS),
        "richness": min(1.0, rich / 2),
    }


def score(found: dict[str, float]) -> float:
    """Return the composite of the six signals, 0 to 1."""
    return sum(WEIGHTS[name] * value for name, value in found.items())


def gates(found: Evidenced, thresholds: Thresholds) -> tuple[Gate, Gate, Gate]:
    """Return the three gates: the score, the number of sessions, and of different beginnings of these."""
    return (
        Gate("score", round(score(signals(found)), 6), thresholds.score),
        Gate("sessions", found.sessions, thresholds.sessions),
        Gate("openers", len(distinct_openers(found.openers)), thresholds.openers),
    )


def distinct_openers(prompts: tuple[str, ...]) -> frozenset[str]:
    """Return the different beginnings of prompts: their first three terms of three or more letters (CJK: two)."""
    return frozenset(opener for prompt in prompts if (opener := _opener(prompt)))


def _opener(prompt: str) -> str:
    words = [word for word in terms(prompt[:400]) if len(word) > 2 or not word.isascii()]
    return " ".join(words[:_OPENER_WORDS])
