"""Answers: what was worked out is remembered, and what depends on itself is cut where it closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from memd.codegraph.values import NOTHING, Values

DEEPEST: Final = 48
"""Longer chains of who-is-what are given up: deeper than any code a person follows, shallower than Python's stack."""
MOST_STEPS: Final = 20_000
"""One question that needs more than this is given up: code that is made so that it never ends."""
_NO_CUT: Final = 1 << 30
_CUT_ALL: Final = -1


class Answers:
    """The answers of one resolver."""

    def __init__(self) -> None:
        self._known: dict[object, Values] = {}
        self._working: dict[object, int] = {}
        self._cut = _NO_CUT
        self._steps = 0

    def knows(self, key: object) -> bool:
        """Tell whether the answer for a key is remembered."""
        return key in self._known

    def once(self, key: object, work: Callable[[], Values]) -> Values:
        """Return the answer for a key, worked out once. One that depends on itself sees nothing of itself.

        An answer that was worked out while such a cut lay above it is not remembered: asked from elsewhere it may be
        another. So answers do not depend on the order of the questions.
        """
        known = self._known.get(key)
        if known is not None:
            return known
        working = self._working
        depth = len(working)
        began = working.get(key)
        if began is not None:
            self._cut = min(self._cut, began)
            return NOTHING
        if depth == 0:
            self._steps = 0
        self._steps += 1
        if depth > DEEPEST or self._steps > MOST_STEPS:
            self._cut = _CUT_ALL
            return NOTHING
        working[key] = depth
        outside, self._cut = self._cut, _NO_CUT
        try:
            found = work()
        finally:
            del working[key]
        if self._cut >= depth:
            self._known[key] = found
            self._cut = outside
        elif depth == 0:
            self._cut = _NO_CUT
        else:
            self._cut = min(self._cut, outside)
        return found
