"""Unwrapped keys: those of one exact shape that a line end runs through, found in the text as it would be without it.

`wrapped` follows a key from its beginning, line by line. What is found here begins with nothing that tells, but holds a
sign in its midst (`:AA`, `Q~`, `-us`); around that, lines are put together, and what comes out either has the shape and
the length of such a key, from the beginning of a piece to the end of one, or is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from memd.text.wrapped import PIECE_CHARS, SEAM

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEAMS: Final = re.compile(rf"(?<=[:{PIECE_CHARS}])(?=[\s\"'`│┃║|+,\\]){SEAM}(?=[:{PIECE_CHARS}])", re.ASCII)
_WORD: Final = re.compile(r"[\w~]", re.ASCII)
_FIRST_WORD: Final = re.compile(r"[\w~.:-]+(?<![.:])", re.ASCII)


class _Sign(NamedTuple):
    """What tells of a key, how far around it the key may reach, and its shape (it has to end where the text does)."""

    sign: bytes
    vendor: str
    before: int
    after: int
    shape: re.Pattern[str]


_SIGNS: Final = tuple(
    _Sign(sign, vendor, before, after, re.compile(rf"(?:{shape})\Z", re.ASCII))
    for sign, vendor, before, after, shape in (
        (b":AA", "telegram", 90, 220, r"(?<!\d)\d{8,10}:AA[\w-]{33}"),
        (b"Q~", "azure", 90, 220, r"[\w.~-]{3}\dQ~[\w.~-]{31,34}"),
        (b"-us", "mailchimp", 220, 90, r"[0-9a-f]{32}-us\d{1,2}"),
        (b"SG.", "sendgrid", 0, 330, r"SG\.[\w-]{22}\.[\w-]{43}"),
    )
)
_DISCORD: Final = re.compile(r"[MNO][A-Za-z\d][\w-]{21,26}\.[\w-]{6,7}\.[\w-]{27,38}\Z", re.ASCII)
_DISCORD_BEFORE: Final = 180
_DISCORD_AFTER: Final = 330
_DOT: Final = ord(".")


def signed_keys(text: str, raw: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, vendor) of the broken keys around a sign; `raw` is the text's stand-in, place by place."""
    for sign, vendor, before, after, shape in _SIGNS:
        if sign[-1:] == b"~" and b"~" not in raw:  # one byte is found much quicker than two
            continue
        at = raw.find(sign)
        while at >= 0:
            if found := _shaped(text, max(0, at - before), at, at + after, shape):
                yield (*found, vendor)
            at = raw.find(sign, at + 1)


def broken_discord(text: str, raw: bytes, start: int) -> tuple[int, int, str] | None:
    """Return the broken key of Discord's that a long run of word characters at `start` begins or ends."""
    if raw[start] in b"MNO":
        left = start
    elif start > 8 and raw[start - 1] == _DOT and _DOT in raw[start - 8 : start - 6]:
        left = max(0, start - _DISCORD_BEFORE)
    else:
        return None
    found = _shaped(text, left, start, start + _DISCORD_AFTER, _DISCORD)
    return (*found, "discord") if found else None


def _shaped(text: str, left: int, place: int, right: int, shape: re.Pattern[str]) -> tuple[int, int] | None:
    """Return where a broken key of a shape is that holds a place, None where there is none, or a whole one."""
    window = text[left:right]
    pieces = _pieces(window)
    if len(pieces) == 1:
        return None
    joined = "".join(window[begin:end] for begin, end in pieces)
    starts: list[int] = [0]
    for begin, end in pieces:
        starts.append(starts[-1] + end - begin)
    for last in range(len(pieces) - 1, 0, -1):
        begin, end = pieces[last]
        stop = _stop(window, begin, end)
        found = shape.search(joined, 0, starts[last] + stop - begin)
        if found is None:
            continue
        first = next(number for number in range(len(pieces)) if found.start() < starts[number + 1])
        key_start = left + pieces[first][0] + found.start() - starts[first]
        is_apart = key_start == 0 or not _WORD.match(text, key_start - 1)
        if first < last and is_apart and key_start <= place < left + stop:
            return key_start, left + stop
    return None


def _pieces(window: str) -> list[tuple[int, int]]:
    """Return where the stretches between the seams of a text begin and end."""
    pieces, begin = [], 0
    for seam in _SEAMS.finditer(window):
        pieces.append((begin, seam.start()))
        begin = seam.end()
    return [*pieces, (begin, len(window))]


def _stop(window: str, begin: int, end: int) -> int:
    """Return where the word ends that begins a piece."""
    word = _FIRST_WORD.match(window, begin, end)
    return begin if word is None else word.end()
