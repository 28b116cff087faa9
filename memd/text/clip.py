"""Clipping: a long text by its beginning and its end, with what was left out said between."""

from __future__ import annotations

import unicodedata
from typing import Final

LEFT_OUT: Final = "[… {count:,} characters left out …]"
"""The usual marker; `{count}` is the number of characters left out."""

_JOINERS: Final = "\u200d\ufe0e\ufe0f"  # what ties the characters of one emoji together
_LONGEST_CLUSTER: Final = 16


def clip(text: str, limit_chars: int, marker: str = LEFT_OUT, *, tail_share: float = 0.25) -> str:
    """Return `text` if it is within `limit_chars`, else as much of its head and tail as fits with `marker` between.

    `tail_share` of what is kept is tail (0 for none). The result is never longer than the limit, and no letter is cut
    from its accents nor an emoji in two. Where not even the marker fits, the head ends in an ellipsis.
    """
    if len(text) <= limit_chars:
        return text
    room = limit_chars - len(marker.format(count=len(text)))
    if room <= 0:
        return text[: _boundary(text, limit_chars - 1)] + "…" if limit_chars > 0 else ""
    tail = int(room * tail_share)
    head_end = _boundary(text, room - tail)
    tail_start = _boundary_after(text, len(text) - tail)
    left_out = marker.format(count=tail_start - head_end)
    return text[:head_end] + left_out + text[tail_start:]


def _boundary(text: str, place: int) -> int:
    """Return the last place at or before `place` where one character as read ends and another begins."""
    for start in range(place, max(place - _LONGEST_CLUSTER, -1), -1):
        if not _continues(text, start):
            return start
    return place


def _boundary_after(text: str, place: int) -> int:
    for start in range(place, min(place + _LONGEST_CLUSTER, len(text))):
        if not _continues(text, start):
            return start
    return min(place, len(text))


def _continues(text: str, place: int) -> bool:
    """Return whether the code point at `place` belongs to the one before it."""
    if not 0 < place < len(text):
        return False
    here, before = text[place], text[place - 1]
    return (
        unicodedata.combining(here) != 0
        or here in _JOINERS
        or before == "\u200d"
        or "\U0001f3fb" <= here <= "\U0001f3ff"
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= here <= "\udfff")
    )
