"""Taken: a thing that is taken back, by the terms it is named with, and whether a statement speaks of it.

Most things are named when more than half of their terms are. A term that is *needed* has to be there: who moves the
queue off Redis takes back Redis where it is the queue's, neither the queue nor Redis for what else it does.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final, TypeAlias

Thing: TypeAlias = frozenset[str]
"""Terms; one that is needed begins with `NEEDED`."""
NEEDED: Final = "&"
_REMEMBERED: Final = 4096
_ENDINGS: Final = ("s", "es", "ing", "ed", "er")
_ENDING: Final = re.compile(r"(?<=[a-z]{3})(?:es|s|ing|ed)\Z")
_WORD: Final = re.compile(r"[a-z]{4,30}\Z")


def needed(terms: AbstractSet[str]) -> Thing:
    """Return terms as those that have to be there."""
    return frozenset(NEEDED + term for term in terms)


def plain(thing: Thing) -> frozenset[str]:
    """Return the terms of a thing as they stand in a text."""
    return frozenset(term.removeprefix(NEEDED) for term in thing)


def named(thing: Thing, own: AbstractSet[str]) -> frozenset[str]:
    """Return those of `own` that name a thing: its terms, in whichever form."""
    return frozenset(form for term in plain(thing) for form in forms(term) if form in own)


def names(thing: Thing, own: AbstractSet[str]) -> bool:
    """Return whether a statement with these terms speaks of that thing: of more than half, and of what is needed."""
    count = 0
    for term in thing:
        if any(form in own for form in forms(term.removeprefix(NEEDED))):
            count += 1
        elif term.startswith(NEEDED):
            return False
    return count * 2 > len(thing)


@lru_cache(_REMEMBERED)
def forms(term: str) -> tuple[str, ...]:
    """Return a term and the forms in which English has the same word: squash, squashes, squashing, squashed."""
    if _WORD.match(term) is None:
        return (term,)
    base = _ENDING.sub("", term)
    stems = {base, base.removesuffix("e")}
    if len(base) > 3 and base[-1] == base[-2]:  # "dropping"
        stems.add(base[:-1])
    every = {term, base, f"{base}e"} | {stem + ending for stem in stems for ending in _ENDINGS}
    return (term, *sorted(every - {term}))
