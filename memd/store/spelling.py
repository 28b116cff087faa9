"""Spelling: the words of the index that are one edit away from one that is not in it."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from typing import Final

from memd.store.connection import connect_scratch

_WORDS: Final = "SELECT term, doc FROM messages_words WHERE term >= ? AND term < ? LIMIT ?"
_SCRATCH: Final = "CREATE VIRTUAL TABLE said USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2')"
_ENDINGS: Final = (
    "",
    "e",
    "s",
    "es",
    "y",
    "ing",
    "ed",
    "er",
    "ion",
    "ation",
    "al",
    "ment",
    "ness",
    "able",
    "ity",
    "ly",
)
_LOOKED_AT: Final = 4_000
_SHORTEST: Final = 5
_SAME_BEGINNING: Final = 2
_MOST: Final = 3


def alike(conn: sqlite3.Connection, word: str) -> tuple[str, ...]:
    """Return at most three words one edit away from a word of five letters or more, those said most first.

    An edit is a letter added, dropped, changed or swapped with the next. The index holds stems, and stems are what is
    compared. Of the first two letters one may be too many or both swapped: words that begin otherwise are
    not looked through.
    """
    word = word.lower()
    if len(word) < _SHORTEST or not word.isalpha() or not word.isascii():
        return ()
    own = stem(word)
    # The stem of `oings` is `o`: without the letter that is dropped there, nothing is left to begin with.
    beginnings = {own[:_SAME_BEGINNING], *(other[:_SAME_BEGINNING] for other in _other_beginnings(own))} - {""}
    found = {
        term: rows
        for start in beginnings
        for term, rows in conn.execute(_WORDS, (start, _after(start), _LOOKED_AT))
        if len(term) >= _SHORTEST - 1 and one_edit(term, own)
    }
    best = sorted(found, key=lambda term: (-found[term], term))[:_MOST]
    return tuple(said for term in best if (said := _word_of(term)) is not None)


def _word_of(stem: str) -> str | None:
    """Return a word with this stem, None when no usual ending gives one; a stem asked for is stemmed once more."""
    words = [stem + ending for ending in _ENDINGS]
    return next((word for word, own in zip(words, _stems(words), strict=True) if own == stem), None)


def stem(word: str) -> str:
    """Return the form of a word that the index holds."""
    return _stems([word])[0]


def _stems(words: list[str]) -> list[str]:
    with closing(connect_scratch()) as scratch:
        scratch.execute(_SCRATCH)
        scratch.execute("CREATE VIRTUAL TABLE words USING fts5vocab (said, instance)")
        scratch.executemany("INSERT INTO said (rowid, word) VALUES (?, ?)", enumerate(words))
        found = dict(scratch.execute("SELECT doc, term FROM words"))
    return [found.get(place, word) for place, word in enumerate(words)]


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


def _other_beginnings(word: str) -> set[str]:
    """Return the word with two of its first letters swapped, or one of them dropped."""
    swapped = {word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in range(min(_SAME_BEGINNING, len(word) - 1))}
    dropped = {word[:n] + word[n + 1 :] for n in range(_SAME_BEGINNING)}
    return {other for other in itertools.chain(swapped, dropped) if other != word}


def _after(start: str) -> str:
    return start[:-1] + chr(ord(start[-1]) + 1)
