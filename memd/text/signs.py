"""Signs: where the literals stand that rules begin at, each looked for once however many rules ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

LITERALS: Final = (*b"pass pw cre ok auth key login pin sig senha clave kennw".split(), b" -")
"""All that is looked for. Most texts hold hardly any of them, so what they cost is this look."""
WITHIN: Final = {
    b"secret": b"cre",
    b"cred": b"cre",
    b"token": b"ok",
    b"cookie": b"ok",
    b"pwd": b"pw",
    b"_key=": b"key",
    b"private key": b"key",
}
"""Literals that are looked for where a shorter one stands, which several of them may share."""


class Signs:
    """The places of literals in the lower-cased stand-in of a text."""

    __slots__ = ("_known", "lower")

    def __init__(self, lower: bytes) -> None:
        self.lower = lower
        self._known = {literal: _places(lower, literal) for literal in LITERALS if literal in lower}

    def places(self, literal: bytes) -> tuple[int, ...]:
        """Return where a literal of the two tables begins, in order; of places that overlap the first."""
        known = self._known.get(literal, ())
        within = WITHIN.get(literal)
        if within is None or known or within not in self._known:
            return known
        before = literal.index(within)
        found = [place - before for place in self._known[within] if place >= before]
        self._known[literal] = known = tuple([at for at in found if self.lower.startswith(literal, at)])
        return known

    def behind(self, literal: bytes, words: tuple[bytes, ...], longest: int) -> Iterator[int]:
        """Yield where a literal begins behind one of some words, joined to it or with blanks, _ or - between.

        What stands further before than `longest` characters is not looked at.
        """
        for at in self.places(literal):
            if self.lower[max(0, at - longest) : at].rstrip(b"_- ").endswith(words):
                yield at


def _places(lower: bytes, literal: bytes) -> tuple[int, ...]:
    places = []
    found = lower.find(literal)
    while found >= 0:
        places.append(found)
        found = lower.find(literal, found + len(literal))
    return tuple(places)
