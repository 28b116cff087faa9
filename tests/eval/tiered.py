"""A second embedding on this machine, for the evaluations: asked as the daemon's lane asks it."""

from __future__ import annotations

from collections.abc import Sequence

from memd.recall.near import Asked
from memd.recall.tiers import Texts, Tier, ask, encode


class Tiered:
    """A tier in this process."""

    def __init__(self, tier: Tier) -> None:
        self.model = tier.model
        self._tier = tier

    def encode(self, texts: Sequence[str]) -> list[tuple[bytes, bytes]]:
        """Return signs and code of each text."""
        return encode(Texts(self._tier.make, tuple(texts)))

    def asked(self, query: str) -> Asked:
        """Return what a search is to compare with."""
        (vector,) = ask(Texts(self._tier.make, (query,)))
        return Asked(self.model, vector, self._tier.floor)
