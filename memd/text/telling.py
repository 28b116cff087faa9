"""Telling values: how a password, token or key is told from the words that are said of one."""

from __future__ import annotations

import re
from typing import Final

from memd.text import secretness
from memd.text.said_of import GOES_WITH, is_said_of

_ENDS: Final = re.compile(r"(?=[\"'`]?(?:[.,;!?)]{1,3}(?:\s|\Z)|\s*\Z|\n|[，。；！、）」”]| (?:for|btw)\b))")
FILE: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{1,5}|.*[/\\].*")
MIXED_CASE: Final = re.compile(r"[A-Z]?[a-z]+[A-Z][A-Za-z]*")
_PIECES: Final = re.compile(r"[^A-Za-z]+")
_NUMBERED: Final = re.compile(r"[A-Za-z]{1,3}\d{1,3}|[A-Za-z]+[-_]\d{1,3}|[\dx.]+[A-Za-z]{1,4}|\d+[-_][A-Za-z_-]+")
_ATTRIBUTE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_WORD_AND_DIGIT: Final = re.compile(r"[A-Za-z_]+\d(?:\.\d+)*")
_SIGNS: Final = "!@#$%^&*+=?~"


def trimmed(text: str, told: re.Match[str]) -> tuple[int, int]:
    """Return where the value stands; what ends the sentence is no part of it, but for an exclamation mark."""
    start, end = told.span("value")
    while end > start and text[end - 1] in ".:?*":
        end -= 1
    return start, end


def digits(value: str) -> int:
    """Return how many digits stand in it."""
    return sum(map(str.isdigit, value))


def looks_telling(value: str) -> bool:
    """Return whether letters are mixed with digits or signs in it as in no word, version, file or algorithm."""
    bare = value.rstrip("!=?")
    if len(value) < 4 or secretness.is_placeholder(bare) or secretness.is_placeholder(value):
        return False
    if not any(map(str.isalpha, bare)) or not any(c.isdigit() or c in _SIGNS for c in bare):
        return False
    if _ATTRIBUTE.fullmatch(bare) and not secretness.looks_random(bare):
        return False
    if _NUMBERED.fullmatch(bare) or "=" in bare.rstrip("=") or "://" in value:
        return False
    wordy = all(is_said_of(piece) or len(piece) <= 2 for piece in _PIECES.split(bare.lower()) if piece)
    return not wordy or secretness.looks_random(bare)


def looks_made_up(value: str) -> bool:
    """Return whether it looks telling even where most of what stands is a name: `step2` and `notes/v2.md` do not."""
    return (
        len(value) >= 6
        and looks_telling(value)
        and _WORD_AND_DIGIT.fullmatch(value) is None
        and FILE.fullmatch(value) is None
    )


def ends_clause(text: str, end: int) -> bool:
    """Return whether the clause ends there."""
    return _ENDS.match(text, end) is not None


def is_own_word(text: str, value: str, end: int | None) -> bool:
    """Return whether a word that ends its clause is none of those that are said of passwords.

    `end` is where it ends; None for one in marks, whatever follows these.
    """
    bare = value.rstrip("!")
    pieces = bare.lower().split("-")
    if len(bare) < 4 or len(pieces) == 2 or not all(map(str.isalpha, pieces)) or secretness.is_placeholder(bare):
        return False
    if end is not None and not _ENDS.match(text, end):
        return False
    if MIXED_CASE.fullmatch(bare):
        return not any(name in bare.lower() for name in ("pass", "token", "secret", "key"))
    return not any(map(is_said_of, pieces))


def is_given_word(text: str, value: str, end: int) -> bool:
    """Return whether a lower-case word that is handed over without "is" is no part of a compound or a verb."""
    return value.islower() and len(value) >= 5 and value not in GOES_WITH and is_own_word(text, value, end)


def is_number(text: str, value: str, end: int) -> bool:
    """Return whether it is a number that ends its clause."""
    return value.isdigit() and len(value) >= 4 and _ENDS.match(text, end) is not None
