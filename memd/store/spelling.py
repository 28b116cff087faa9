"""Spelling: the words of the index that are one edit away from one that is not in it."""

from __future__ import annotations

import itertools
import sqlite3
from typing import Final

_WORDS: Final = "SELECT term, doc FROM messages_words WHERE term >= ? AND term < ? LIMIT ?"
_LOOKED_AT: Final = 4_000
_SHORTEST: Final = 5
_SAME_BEGINNING: Final = 3
_MOST: Final = 3


def alike(conn: sqlite3.Connection, word: str) -> tuple[str, ...]:
    """Return at most three words one edit away from a word of five letters or more, those said most first.

    An edit is a letter added, dropped, changed or swapped with the next. The index holds stems, so the end of the word
    may be missing. Words that differ in the first three letters are looked up directly, as swaps and drops of these.
    """
    word = word.lower()
    if len(word) < _SHORTEST or not word.isalpha() or not word.isascii():
        return ()
    start = word[:_SAME_BEGINNING]
    found = {
        term: rows
        for term, rows in conn.execute(_WORDS, (start, _after(start), _LOOKED_AT))
        if _may_mean(term, word)
    }  # fmt: skip
    for other in _other_beginnings(word):
        start = other[: max(_SHORTEST - 1, len(other) - 3)]
        rows_of = conn.execute(_WORDS, (start, _after(start), _LOOKED_AT)).fetchall()
        found |= {term: rows for term, rows in rows_of if other.startswith(term)}
    return tuple(sorted(found, key=lambda term: (-found[term], term))[:_MOST])


def one_edit(left: str, right: str) -> bool:
    """Tell whether two words are one edit apart, or equal."""
    if abs(len(left) - len(right)) > 1:
        return False
    first = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if first is None:
        return True
    rest = left[first:], right[first:]
    if rest[0][1:] == rest[1][1:] or rest[0][1:] == rest[1] or rest[0] == rest[1][1:]:
        return True
    return rest[0][:2] == rest[1][:2][::-1] and rest[0][2:] == rest[1][2:]


def _may_mean(stem: str, word: str) -> bool:
    """Tell whether a stem is one edit away from a word or from what is left of it without an ending."""
    return len(stem) >= _SHORTEST - 1 and any(
        one_edit(stem, word[:size]) for size in range(max(len(stem) - 1, _SHORTEST - 1), min(len(stem) + 2, len(word) + 1))
        if len(word) - size <= 3
    )  # fmt: skip


def _other_beginnings(word: str) -> set[str]:
    """Return the word with two of its first letters swapped, or one of them dropped."""
    swapped = {word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in range(_SAME_BEGINNING)}
    dropped = {word[:n] + word[n + 1 :] for n in range(_SAME_BEGINNING)}
    return {other for other in itertools.chain(swapped, dropped) if other != word}


def _after(start: str) -> str:
    return start[:-1] + chr(ord(start[-1]) + 1)
