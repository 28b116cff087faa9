"""Rest: what fails is left alone for a while, twice as long with each further failure."""

from __future__ import annotations

import math
from typing import Final

from memd.clock import Clock

_REST_S: Final = 5.0
_LONGEST_REST_S: Final = 300.0


class Rest:
    """For how long something that fails is left alone."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._until_s = -math.inf
        self.error: str | None = None

    @property
    def resting(self) -> bool:
        """Whether it is to be left alone now."""
        return self._clock.monotonic_s() < self._until_s

    def failed(self, error: str) -> None:
        """Note that it failed, and why."""
        length_s = min(_REST_S * 2.0 ** min(self._failures, 20), _LONGEST_REST_S)
        self._failures += 1
        self._until_s = self._clock.monotonic_s() + length_s
        self.error = error

    def worked(self) -> None:
        """Note that it worked."""
        self._failures, self._until_s, self.error = 0, -math.inf, None
