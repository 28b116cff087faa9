"""Put aside: of facts that are given together, those that a later one says otherwise.

Distillation ends a fact only where no doubt is left; until then both stand. To whom both are given at once, the earlier
one is noise at best: where a later statement repeats most of its words and says that something is changed, it is left
out. It stays known, and search finds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memd.model import Fact, FactKind
from memd.recall.relevance import telling

_KINDS: Final[frozenset[FactKind]] = frozenset(
    ("decision", "architecture", "config", "convention", "preference", "discovery", "note")
)
_CHANGES: Final = re.compile(
    r"\b(?:now|from now on|no longer|no more|any ?more|instead of|rather than|not|switch\w*|mov(?:e|ed|es|ing)"
    r"|replac\w+|drop(?:ped|s)?|gone|goes?|left|too|raise\w*|lower\w*|change\w*|from \S+ to"
    r"|is (?:out|full|taken|off)|cancel\w*)\b"
    r"|\b(?:ahora|a partir de ahora|ya no|en vez de|ab jetzt|nicht mehr|statt|désormais|maintenant|ne .{1,20} plus"
    r"|agora|теперь|больше не|вместо)\b"
    r"|换成|换到|换|改成|改为|改用|改到|不用了|不再|以后|从现在起|只(?:保)?留|调走",
    re.IGNORECASE,
)
_VALUES: Final = (
    re.compile(r"`[^`]+`"),
    re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*"),
    re.compile(r"(?<=[^.!?\s] )[A-Z]\w+|[A-Z]+[a-z]*[A-Z]\w*|(?<=[\u4e00-\u9fff])[A-Za-z]\w+", re.ASCII),
)
"""What statements give as a value: something to type, a figure, a name."""
_REPEATED: Final = 0.5
"""The share of a statement's telling words that a later one has to have to speak of the same."""
_FEWEST: Final = 2


def put_aside(given: Iterable[Fact]) -> frozenset[int]:
    """Return row ids of those facts that a later one among them says otherwise."""
    known = [(fact, telling(fact.body)) for fact in given if fact.kind in _KINDS]
    return frozenset(
        fact.id
        for fact, words in known
        if any(_says_otherwise(later, others, fact, words) for later, others in known if later is not fact)
    )


def without(given: Sequence[Fact], aside: frozenset[int]) -> tuple[Fact, ...]:
    """Return the facts that are not put aside."""
    return tuple(fact for fact in given if fact.id not in aside)


def _says_otherwise(later: Fact, others: frozenset[str], fact: Fact, words: frozenset[str]) -> bool:
    shared = words & others
    return (
        later.valid_from > fact.valid_from
        and len(shared) >= max(_FEWEST, _REPEATED * len(words))
        and bool(others - words)
        and _CHANGES.search(later.body) is not None
        and _gives_the_like(later.body, fact.body)
        and {one.session for one in later.evidence}.isdisjoint(one.session for one in fact.evidence)
    )


def _gives_the_like(later: str, before: str) -> bool:
    """Return whether a statement gives a value of a kind that the one before gives, where that gives any."""
    kinds = [value for value in _VALUES if value.search(before)]
    return not kinds or any(value.search(later) for value in kinds)
