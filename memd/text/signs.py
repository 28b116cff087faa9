"""Signs: where the literals stand that rules begin at, each looked for once however many rules ask for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

LITERALS: Final = (*b"pass cre ok auth key".split(), b" -")
"""What stands in many texts, in English, in programs and on command lines."""
SELDOM: Final = (
    *b"pw login pin sig".split(),
    *b"senha clave kennw contrasen mdp psw daten parol sifr slo woord inlog logowania kode senord jelsz".split(),
    *b"salasana lozink sandi khau identif".split(),
    *(b"log in", b"logged in", b"sign in"),
)
"""What stands in few: what is said seldom, and what people say in other languages as far as it is ASCII."""
_OF_NAMES: Final = re.compile("[密令秘パトログアユ証비토암계아로账帐帳户登ñпПşŞłлЛкдДšậẩκסكرรप口]")
"""What stands in each name of a secret, or of what it is told with, that is not written in ASCII."""
WITHIN: Final = {
    b"secret": b"cre",
    b"cred": b"cre",
    b"token": b"ok",
    b"cookie": b"ok",
    b"pwd": b"pw",
    b"_key=": b"key",
    b"private key": b"key",
    b"identified": b"identif",
    b"identifiant": b"identif",
}
"""Literals that are looked for where a shorter one stands, which several of them may share."""
_NEAR: Final = tuple((literal, literal.decode()) for literal in LITERALS)
# Of a long text only a third is left without its commonest letters and all that is none: most literals are told to be
# missing by that third.
_LONG: Final = 512
_LEFT_OUT: Final = bytes(
    code for code in range(256) if not chr(code).isascii() or chr(code) not in "abdfghijklmnopqsvwxyz"
)
_FAR: Final = tuple((literal, literal.decode(), literal.translate(None, _LEFT_OUT).decode()) for literal in SELDOM)


class Signs:
    """The places of literals in the lower-cased stand-in of a text.

    `beyond`: its characters that are not ASCII; none are kept where no name of a secret can be among them.
    """

    __slots__ = ("_known", "beyond", "lower")

    def __init__(self, lower: bytes, beyond: str = "") -> None:
        self.lower = lower
        # Looking for a short `str` costs half of what looking for the same `bytes` does.
        view = lower.decode("latin-1")
        found = [literal for literal, word in _NEAR if word in view]
        if len(view) < _LONG:
            found += [literal for literal, word, _ in _FAR if word in view]
        else:
            rest = lower.translate(None, _LEFT_OUT).decode("latin-1")
            found += [literal for literal, word, letters in _FAR if letters in rest and word in view]
        self._known = {literal: _places(lower, literal) for literal in found}
        self.beyond = beyond if beyond and _OF_NAMES.search(beyond) else ""

    def hold(self, literals: frozenset[bytes]) -> bool:
        """Return whether one of some literals of the first two tables stands in the text: a glance."""
        return not self._known.keys().isdisjoint(literals)

    def held(self, literals: frozenset[bytes]) -> frozenset[bytes]:
        """Return which of some literals of the first two tables stand in the text."""
        return literals & self._known.keys()

    def places(self, literal: bytes) -> tuple[int, ...]:
        """Return where a literal of the two tables begins, in order; of places that overlap the first."""
        known = self._known.get(literal)
        if known is not None:
            return known
        within = WITHIN.get(literal)
        if within is None or within not in self._known:
            return ()
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
