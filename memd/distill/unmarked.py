"""Unmarked: what is left to learn of a sentence from which a secret or something private was taken.

What was taken was often its point: "the staging key is [redacted:key]" tells nothing. A rule beside it does.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

_MARKER: Final = re.compile(r"\[private\]|\[redacted:(?!email\])[\w-]{1,40}\]")
_SECRET: Final = "[redacted:"
_PRIVATE: Final = "[private]"
# Where a clause ends; in code, quotes and numbers none of these is followed by a space.
_CLAUSE: Final = re.compile(r"(?:[,;.!?]|\s[-–—])(?=[\s\u3040-\u9fff\uac00-\ud7a3])|[，；。！？、]")
_PRIVATE_BEGINS: Final = re.compile(r"\s*(?:\[private\]\s*)+")
_PRIVATE_ENDS: Final = re.compile(r"\s*\[private\][\s.,;!?，；。！？、]*\Z")
# What it was about has gone with the secret: "never commit it".
_POINTS_BACK: Final = re.compile(r"\b(?:it|them|this|that|those)\W*\Z", re.IGNORECASE)
# "Use it to compare the orders": what it is was told in the clause that went.
_BEGINS_BACK: Final = re.compile(
    r"\W*(?:(?:please|and|then|so|now|just|you can|we)\s+)*(?:\w+\s+){0,2}(?:it|them|this one|that one|there)\b"
    r"|\W*(?:请|就|先)?[用拿把]?(?:它|这个|那个|这)",
    re.IGNORECASE,
)
_SHORT: Final = 12  # words of what only goes on with the clause before it
_SHORT_IDEOGRAPHS: Final = 16
_LEADING: Final = re.compile(
    r"[\s,;.:，；。：、!！?？–—-]*"
    r"(?:(?:and|but|so|then|并且|而且|但是|但|所以)\b[,，]?\s*)?",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_IDEOGRAPH: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_FEWEST_WORDS: Final = 3
_FEW_WORDS: Final = 6
_FEWEST_IDEOGRAPHS: Final = 4


def unmarked(sentence: str) -> str:
    """Return the longest exact part of a sentence that no marker stands in and that says something by itself, or "".

    A clause that held a secret goes whole. So does one that something private stood within; a marker at its beginning
    or end goes alone. An e-mail address that was taken leaves what is said of the person.
    """
    if _SECRET not in sentence and _PRIVATE not in sentence:
        return sentence
    runs = [""]
    for clause in _clauses(sentence):
        begins, ends = _PRIVATE_BEGINS.match(clause), _PRIVATE_ENDS.search(clause)
        rest = clause[begins.end() if begins else 0 : ends.start() if ends else len(clause)]
        if _MARKER.search(rest):
            runs.append("")
            continue
        runs += [rest] if begins else []
        runs[-1] += "" if begins else rest
        runs += [""] if ends else []
    if len(runs) == 1:
        return sentence
    left = [_trimmed(run) for run in runs]
    return max(
        (run for at, run in enumerate(left) if _says_something(run) and not (at and _goes_back(run))),
        key=len,
        default="",
    )


def _clauses(sentence: str) -> list[str]:
    bounds = [0, *(end.end() for end in _CLAUSE.finditer(sentence)), len(sentence)]
    return [sentence[start:end] for start, end in pairwise(bounds)]


def _trimmed(run: str) -> str:
    opening = _LEADING.match(run)
    return run[opening.end() if opening else 0 :].rstrip(" \t\n,;:，；、：-–—")


def _goes_back(run: str) -> bool:
    """Return whether what stands behind a clause that went speaks of nothing but what that named."""
    short = len(_WORD.findall(run)) <= _SHORT and len(_IDEOGRAPH.findall(run)) <= _SHORT_IDEOGRAPHS
    return short and _BEGINS_BACK.match(run) is not None


def _says_something(run: str) -> bool:
    words = len(_WORD.findall(run))
    if words <= _FEW_WORDS and _POINTS_BACK.search(run):
        return False
    return words >= _FEWEST_WORDS or len(_IDEOGRAPH.findall(run)) >= _FEWEST_IDEOGRAPHS
