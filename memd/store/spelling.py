"""Spelling: the words of the index that are one edit away from one that is not in it."""

from __future__ import annotations

import atexit
import sqlite3
from functools import cache
from string import ascii_lowercase
from threading import Lock
from typing import Final

import orjson

from memd.store.connection import connect_scratch

_WORDS: Final = """
    SELECT w.term, w.doc FROM json_each(?) AS asked CROSS JOIN messages_words w ON w.term = asked.value
"""
_SCRATCH: Final = "CREATE VIRTUAL TABLE said USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 2')"
_STEMMING: Final = Lock()
"""One thread at a time asks for stems."""
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
_SHORTEST: Final = 5
_LONGEST: Final = 30
"""A longer word is no word of a language; what is one edit away from it grows with the square of its length."""
_LONG: Final = 6
_VERY_LONG: Final = 8
_MOST: Final = 3


def alike(conn: sqlite3.Connection, word: str, *, only_slips: bool = False) -> tuple[str, ...]:
    """Return at most three words one edit away from a word of 5 to 30 letters, those said most first.

    Those for which the word looks mistyped (`is_slip`); where there is none, and not `only_slips`, any others. An edit
    is a letter added, dropped, changed or swapped with the next; none adds or changes the first. The index holds stems,
    and stems are what is compared: at most some three hundred are looked up, which takes as long in any store, while
    reading the words with the same beginning takes longer the more there are of each.
    """
    word = word.lower()
    if not _SHORTEST <= len(word) <= _LONGEST or not word.isalpha() or not word.isascii():
        return ()
    own = stem(word)
    slips: list[str] = []
    others: list[str] = []
    for other in edits(own):
        if len(other) >= _SHORTEST - 1:
            (slips if is_slip(own, other, len(word)) else others).append(other)
    found = _said(conn, slips) or ({} if only_slips else _said(conn, others))
    best = sorted(found, key=lambda term: (-found[term], term))[:_MOST]
    return tuple(word for word in _words_of(best) if word is not None) if best else ()


def _said(conn: sqlite3.Connection, stems: list[str]) -> dict[str, int]:
    """Return those of the stems that any message holds, with how many do."""
    return dict(conn.execute(_WORDS, (orjson.dumps(stems).decode(),)))


def is_slip(typed: str, meant: str, length: int) -> bool:
    """Tell whether one stem looks like the other mistyped; they are one edit apart. `length`: of the whole word typed.

    Letters change places, double or fail to; one slips in or out within a long word, or is that of the next key.
    """
    at = next((place for place, (a, b) in enumerate(zip(typed, meant, strict=False)) if a != b), None)
    at = min(len(typed), len(meant)) if at is None else at
    if len(typed) == len(meant):
        if typed[at : at + 2] == meant[at : at + 2][::-1]:
            return True
        return len(typed) >= _LONG and meant[at] in _beside(typed[at])
    longer = max(typed, meant, key=len)
    if longer[at] in longer[max(at - 1, 0) : at] + longer[at + 1 : at + 2]:
        return True
    shorter = len(longer) - 1
    return at > 0 and (shorter >= _LONG or (length >= _VERY_LONG and shorter >= _SHORTEST - 1))


def _beside(letter: str) -> str:
    """Return the letters on the keys around one, on the keyboard that most have."""
    rows = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    row, at = next((row, keys.index(letter)) for row, keys in enumerate(rows) if letter in keys)
    left = max(at - 1, 0)
    around = rows[row][left : at + 2]
    if row:
        around += rows[row - 1][at : at + 2]
    if row + 1 < len(rows):
        around += rows[row + 1][left : at + 1]
    return around.replace(letter, "")


def _words_of(stems: list[str]) -> list[str | None]:
    """Return a word with each stem, None where no usual ending gives one; a stem asked for is stemmed once more."""
    words = [stem + ending for stem in stems for ending in _ENDINGS]
    own = dict(zip(words, _stems(words), strict=True))
    return [next((stem + ending for ending in _ENDINGS if own[stem + ending] == stem), None) for stem in stems]


def stem(word: str) -> str:
    """Return the form of a word that the index holds."""
    return _stems([word])[0]


def _stems(words: list[str]) -> list[str]:
    with _STEMMING:
        scratch = _scratch()
        scratch.execute("BEGIN")
        try:
            scratch.executemany("INSERT INTO said (rowid, word) VALUES (?, ?)", enumerate(words))
            found = dict(scratch.execute("SELECT doc, term FROM words"))
        finally:
            scratch.execute("ROLLBACK")
    return [found.get(place, word) for place, word in enumerate(words)]


@cache
def _scratch() -> sqlite3.Connection:
    """Return the one index that tells the stems of words; it is empty between two questions."""
    scratch = connect_scratch()
    atexit.register(scratch.close)
    scratch.execute(_SCRATCH)
    scratch.execute("CREATE VIRTUAL TABLE words USING fts5vocab (said, instance)")
    return scratch


def edits(word: str) -> list[str]:
    """Return what is one edit away from a word in small letters, the word itself not among it."""
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    dropped = {before + after[1:] for before, after in cuts if after}
    swapped = {before + after[1] + after[0] + after[2:] for before, after in cuts if len(after) > 1}
    changed = {before + letter + after[1:] for before, after in cuts[1:-1] for letter in ascii_lowercase}
    added = {before + letter + after for before, after in cuts[1:] for letter in ascii_lowercase}
    return sorted((dropped | swapped | changed | added) - {word})
