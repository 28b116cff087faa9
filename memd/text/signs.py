"""Signs: where the literals stand that rules begin at, each looked for once however many rules ask for it."""

from __future__ import annotations

from typing import Final

_WITHIN: Final = {b"pwd": b"pw", b"_key=": b"key", b"pin ": b"pin", b"pin:": b"pin", b"private key": b"key"}
"""Literals that are looked for where a shorter one stands that is asked for anyway."""


class Signs:
    """The places of literals in the lower-cased stand-in of a text."""

    __slots__ = ("_known", "lower")

    def __init__(self, lower: bytes) -> None:
        self.lower = lower
        self._known: dict[bytes, tuple[int, ...]] = {}

    def places(self, literal: bytes) -> tuple[int, ...]:
        """Return where a literal begins, in order; of places that overlap the first."""
        known = self._known.get(literal)
        if known is None:
            within = _WITHIN.get(literal)
            known = _places(self.lower, literal) if within is None else self._narrowed(literal, within)
            self._known[literal] = known
        return known

    def _narrowed(self, literal: bytes, within: bytes) -> tuple[int, ...]:
        before = literal.index(within)
        found = [place - before for place in self.places(within)]
        return tuple(place for place in found if place >= 0 and self.lower.startswith(literal, place))


def _places(lower: bytes, literal: bytes) -> tuple[int, ...]:
    found = lower.find(literal)
    if found < 0:
        return ()
    places = []
    while found >= 0:
        places.append(found)
        found = lower.find(literal, found + len(literal))
    return tuple(places)
