"""Folding: the one spelling under which text is indexed and looked for.

SQLite's FTS5 tokenizer `unicode61 remove_diacritics 2` lower-cases and drops diacritics; what it
leaves apart (dotless i, stroked letters, ligatures, full-width forms, decomposed Hangul) is joined
here, on both sides: in what is indexed and in what is asked.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_PLAIN_LETTERS: Final = {
    **dict(zip("ıİøØłŁđĐðÐħĦŧŦ", "iIoOlLdDdDhHtT", strict=True)),
    "ß": "ss",
    "ẞ": "SS",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "þ": "th",
    "Þ": "TH",
}
_ASCII: Final = bytes(range(128))

# What of the characters beyond ASCII must be rewritten: most texts have only dashes, arrows and ready-composed letters.
_STROKED: Final = re.compile(f"[{''.join(_PLAIN_LETTERS)}]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MARK: Final = re.compile("[\u0300-\u036f]+")
_COMPATIBLE: Final = re.compile("[\uff10-\uffdc\ufb00-\ufb06]+")
_DECOMPOSED: Final = re.compile("[\u0300-\u036f\u1100-\u11ff\u3099\u309a]")
_UNUSUAL: Final = re.compile(
    f"[{''.join(_PLAIN_LETTERS)}\ud800-\udfff\uff10-\uffdc\ufb00-\ufb06\u0300-\u036f\u1100-\u11ff\u3099\u309a]"
)

# Normalising is quadratic in the length of a run of combining marks, so runs longer than any
# script writes (the Unicode "stream-safe" limit is 30) are passed by.
_MANY_MARKS: Final = re.compile(r"([^\w\s\x00-\x7f]{40,})")


def beyond_ascii(text: str) -> str:
    """Return the characters of `text` that are not ASCII, in order: a short string to test in place of a long one."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")


def fold(text: str) -> str:
    """Return `text` in its indexed spelling, with case and composed diacritics still in place.

    Full-width and ligature forms become plain ones, decomposed letters composed, stroked letters their base letter,
    and what SQLite cannot bind (lone surrogates) or reads as an end (NUL) a blank. Plain ASCII comes back as it is.
    """
    if "\x00" in text:
        text = text.replace("\x00", " ")
    if text.isascii() or not _UNUSUAL.search(beyond_ascii(text)):
        return text
    text = _SURROGATE.sub(" ", text)
    text = _COMPATIBLE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    if _DECOMPOSED.search(text):
        text = _compose(text)
    return _STROKED.sub(lambda match: _PLAIN_LETTERS[match.group()], text)


def bare(text: str) -> str:
    """Return `fold(text)` lower-cased and without combining marks: the form terms compare in."""
    text = fold(text).lower()
    if text.isascii():
        return text
    pieces = []
    for piece in _MANY_MARKS.split(text):
        if _MANY_MARKS.fullmatch(piece):
            continue
        decomposed = unicodedata.normalize("NFD", piece)
        pieces.append(unicodedata.normalize("NFC", _MARK.sub("", decomposed)))
    return "".join(pieces)


def _compose(text: str) -> str:
    return "".join(
        piece if _MANY_MARKS.fullmatch(piece) else unicodedata.normalize("NFC", piece)
        for piece in _MANY_MARKS.split(text)
    )
