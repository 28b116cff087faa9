"""Lines: patterns tried only on the lines where they can hold, instead of at every byte of a source.

Most patterns of `macros.py` need a word in capitals, which few lines have. Looking for those first costs a tenth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_BYTE = re.compile(rb"[^\r\n]")


def lines_with(pattern: re.Pattern[bytes], source: bytes) -> list[int]:
    """Return where the lines begin on which a pattern holds, in order."""
    starts: list[int] = []
    at = 0
    while (found := pattern.search(source, at)) is not None:
        starts.append(source.rfind(b"\n", 0, found.start()) + 1)
        at = source.find(b"\n", found.end()) + 1
        if not at:
            break
    return starts


def with_lines_before(source: bytes, starts: Sequence[int]) -> list[int]:
    """Return where lines begin, and those before them that are not blank."""
    found: set[int] = set(starts)
    for start in starts:
        last = start
        while last > 0 and source[last - 1] in b" \t\n":
            last -= 1
        if last > 0:
            found.add(source.rfind(b"\n", 0, last - 1) + 1)
    return sorted(found)


def any_matches(pattern: re.Pattern[bytes], source: bytes, starts: Iterable[int]) -> bool:
    """Tell whether a pattern matches at the beginning of any of some lines."""
    return any(pattern.match(source, start) is not None for start in starts)


def without_first(pattern: re.Pattern[bytes], source: bytes, starts: Iterable[int]) -> bytes:
    """Return a source with the first group of a pattern blanked out wherever that holds at the beginning of a line."""
    cut: bytearray | None = None
    until = 0
    for start in starts:
        found = pattern.match(source, start) if start >= until else None
        if found is not None:
            cut = bytearray(source) if cut is None else cut
            cut[found.start(1) : found.end(1)] = _BYTE.sub(b" ", found[1])
            until = found.end()
    return source if cut is None else bytes(cut)


def without_behind(word: re.Pattern[bytes], pattern: re.Pattern[bytes], source: bytes, starts: Iterable[int]) -> bytes:
    """Return a source with the first group of a pattern blanked out wherever that holds behind a word on some lines."""
    cut: bytearray | None = None
    for start in starts:
        end = source.find(b"\n", start) + 1 or len(source)
        for before in word.finditer(source, start, end):
            found = pattern.match(source, before.end())
            if found is not None:
                cut = bytearray(source) if cut is None else cut
                cut[found.start(1) : found.end(1)] = _BYTE.sub(b" ", found[1])
    return source if cut is None else bytes(cut)
