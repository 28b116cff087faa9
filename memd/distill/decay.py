"""Decay: how a fact's weight falls while nobody uses it, and how it rises with use. Pure.

Weights rank, they never hide: whatever is asked for exactly is found however old it is.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from memd.model import Fact, FactKind

Maturity: TypeAlias = Literal["candidate", "established", "proven"]

ESTABLISHED_USES: Final = 5
PROVEN_USES: Final = 20
WEIGHTS: Final[dict[Maturity, float]] = {"candidate": 0.5, "established": 1.0, "proven": 1.5}
INFERRED: Final = 0.85
"""What a fact that was concluded weighs against one that was said."""
HALF_LIFE_DAYS: Final = 90
_DAY_MS: Final = 86_400_000
_WINDOWS: Final[dict[FactKind, int]] = {
    **dict.fromkeys(("architecture", "config", "convention"), 180),
    "preference": 365,
    "decision": 90,
    **dict.fromkeys(("bugfix", "discovery", "learning", "task", "open_question"), 60),
    **dict.fromkeys(("note", "event", "session_summary"), 30),
}


def maturity(uses: int) -> Maturity:
    """Return the stage of a fact by how often it was of use: 5 times establish it, 20 prove it."""
    if uses >= PROVEN_USES:
        return "proven"
    return "established" if uses >= ESTABLISHED_USES else "candidate"


def window_days(kind: FactKind) -> int:
    """Return after how many days without use a fact of a kind counts as unused."""
    return _WINDOWS[kind]


def idle_days(fact: Fact, now_ms: int) -> float:
    """Return for how many days a fact was neither used, checked, said again nor changed."""
    last = max(fact.valid_from, fact.last_used_at or 0, fact.verified_at or 0, fact.last_seen_at or 0)
    return max(now_ms - last, 0) / _DAY_MS


def is_unused(fact: Fact, now_ms: int) -> bool:
    """Return whether nobody used a fact within the window of its kind; an evergreen one never is."""
    return not fact.evergreen and idle_days(fact, now_ms) > window_days(fact.kind)


def freshness(fact: Fact, now_ms: int) -> float:
    """Return what age leaves of a fact's weight, 0 to 1: half after 90 days without use, all of an evergreen one's."""
    return 1.0 if fact.evergreen else 0.5 ** (idle_days(fact, now_ms) / HALF_LIFE_DAYS)


def weight(fact: Fact, now_ms: int) -> float:
    """Return what a fact weighs among equally relevant ones, by freshness, maturity, and whether it was inferred."""
    basis = INFERRED if fact.basis == "inferred" else 1.0
    return freshness(fact, now_ms) * WEIGHTS[maturity(fact.uses)] * basis
