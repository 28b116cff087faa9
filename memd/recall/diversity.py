"""Diversity: near-duplicates make room for others (maximal marginal relevance; Carbonell, Goldstein 1998)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

LAMBDA: Final = 0.7
"""Weight of relevance; the rest is the weight of being new."""
_ALIKE: Final = 0.6
"""Share of common terms from which on two texts say the same."""


def diverse(scores: Sequence[float], terms: Sequence[frozenset[str]]) -> list[int]:
    """Return the order, by place, in which to show texts of these scores (best first) and terms.

    The first stays first. Texts that share fewer than six in ten of their terms with all before them keep their order.
    """
    left = list(range(len(scores)))
    order: list[int] = []
    likeness = [0.0] * len(scores)
    top = max(scores, default=0.0) or 1.0
    while left:
        best = max(left, key=lambda place: (LAMBDA * scores[place] / top - (1 - LAMBDA) * likeness[place], -place))
        left.remove(best)
        order.append(best)
        for place in left:
            shared = _share(terms[place], terms[best])
            if shared >= _ALIKE:
                likeness[place] = max(likeness[place], shared)
    return order


def _share(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right) if left and right else 0.0
