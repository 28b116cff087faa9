"""Signs: where the literals stand that rules begin at, each looked for once however many rules ask for it."""

from __future__ import annotations

import re
from itertools import compress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

LITERALS: Final = (*b"pass pw cre ok auth key login pin sig".split(), b" -")
"""All that is looked for in any text. Most hold hardly any of them, so what they cost is this look."""
ABROAD: Final = (
    *b"senha clave kennw mdp psw daten identifiant parola sifre haslo wachtwoord inlog logowania".split(),
    *(b"log in", b"logged in", b"sign in"),
)
"""What people say in a language that is hardly ever that of a file or a log.

In a text in English, Chinese, Japanese or Korean it is looked for near both ends alone: there people's own words stand,
before or behind what they pasted.
"""
_OF_NAMES: Final = re.compile("[密令秘パトログアユ証비토암계아로账帐帳户登ñпПşŞłлЛкдД]")
"""What stands in each name of a secret, or of what it is told with, that is not written in ASCII."""
_ASIAN: Final = ("\u2e80", "\uffff")
_NEAR_AN_END: Final = 120
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
    """The places of literals in the lower-cased stand-in of a text.

    `beyond`: its characters that are not ASCII; none are kept where no name of a secret can be among them.
    """

    __slots__ = ("_known", "beyond", "lower")

    def __init__(self, lower: bytes, beyond: str = "") -> None:
        self.lower = lower
        near = _where_people_speak(lower, beyond)
        found = [
            *compress(LITERALS, map(lower.__contains__, LITERALS)),
            *compress(ABROAD, map(near.__contains__, ABROAD)),
        ]
        self._known = {literal: _places(lower, literal) for literal in found}
        self.beyond = beyond if beyond and _OF_NAMES.search(beyond) else ""

    def hold(self, literals: frozenset[bytes]) -> bool:
        """Return whether one of some literals of the first two tables stands in the text: a glance."""
        return not self._known.keys().isdisjoint(literals)

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


def _where_people_speak(lower: bytes, beyond: str) -> bytes:
    """Return the part of a text in which to look for what people say abroad: all of it, or both its ends."""
    if len(lower) <= 2 * _NEAR_AN_END:
        return lower
    is_asian = bool(beyond) and _ASIAN[0] < beyond[0] < _ASIAN[1] and _ASIAN[0] < beyond[-1] < _ASIAN[1]
    is_english = not beyond and (b" the " in lower or b" if " in lower or b" for " in lower)
    if not is_asian and not is_english:
        return lower
    return lower[:_NEAR_AN_END] + b"\n" + lower[-_NEAR_AN_END:]


def _places(lower: bytes, literal: bytes) -> tuple[int, ...]:
    places = []
    found = lower.find(literal)
    while found >= 0:
        places.append(found)
        found = lower.find(literal, found + len(literal))
    return tuple(places)
