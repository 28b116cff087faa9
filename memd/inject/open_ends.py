"""Open ends: of what sessions left undone, that which a next session can still do something about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memd.distill import cues
from memd.distill.leftovers import LABEL
from memd.model import Summary
from memd.recall.relevance import telling
from memd.text.tokens import terms

_MOST: Final = 8
_DONE: Final = 0.7
"""The share of an open end's terms that a later session's outcome has to have to have done it."""
_OUTCOMES: Final = ("Done", "Commits", "Commands that worked")
_FROM_OLDER: Final = 3
_LEAST_CHARS: Final = 12
_FEWEST: Final = 2
"""Words that say what it is about, below which an open end says nothing by itself: "dont know yet, i'll ask"."""
# What is said on the way, to the person at the keyboard: it is over when the session is.
_SMALL: Final = re.compile(
    r"^\W*(?:let me|i'?ll|i will|i'?m going to|now (?:i|let)|want me to|shall i|should i|would you like|do you want"
    r"|say the word|(?:noted|understood|agreed|got it|will do)\b[,.:;]|(?:i )?don'?t know(?: yet)?\W+i'?ll\b"
    r"|明白|知道了|让我|我来|我会|接下来我|要我|需要我|是否需要)",
    re.IGNORECASE,
)


def still_open(newest_first: Sequence[Summary]) -> tuple[str, ...]:
    """Return what is left open, the newest session's first; nothing that a later session has dealt with.

    Of older sessions only what was labelled as open is kept, or names something.
    """
    kept: dict[frozenset[str], str] = {}
    outcomes: set[str] = set()
    for age, summary in enumerate(newest_first):
        found = 0
        for text in summary.open_ends:
            said = telling(_unlabelled(text)) or frozenset(terms(_unlabelled(text)))
            if not said or _passing(text) or _covered(said, outcomes) or any(_same(said, other) for other in kept):
                continue
            if age and (found >= _FROM_OLDER or not (LABEL.match(text) or cues.IDENTIFIER.search(text))):
                continue
            kept[said] = text
            found += 1
        outcomes.update(term for line in _outcomes(summary.text) for term in telling(line))
    return tuple(kept.values())[:_MOST]


def _unlabelled(text: str) -> str:
    found = LABEL.match(text)
    return found.string[found.end() :] if found is not None else text


def _passing(text: str) -> bool:
    names_little = len(text) < _LEAST_CHARS or len(telling(text)) < _FEWEST
    return (names_little and not cues.IDENTIFIER.search(text) and text.isascii()) or bool(
        _SMALL.match(text) or (cues.NARRATION.match(text) and not LABEL.match(text))
    )


def _covered(said: frozenset[str], outcomes: set[str]) -> bool:
    return len(said) > 1 and len(said & outcomes) >= _DONE * len(said)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= 0.8 * min(len(one), len(other))


def _outcomes(text: str) -> Iterator[str]:
    heading = ""
    for line in text.splitlines():
        if line.startswith("**") and line.endswith("**"):
            heading = line.strip("*")
        elif line.startswith("- ") and heading in _OUTCOMES:
            yield line[2:]
