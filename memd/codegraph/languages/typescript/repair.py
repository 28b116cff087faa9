"""Repair: what the grammar of TypeScript cannot read, written so that it can; every byte keeps its place.

Used only on files that have errors of syntax.
"""

from __future__ import annotations

import re
from typing import Final

# A signature with type parameters that begins a line: the grammar does not see that the line before has ended.
_SIGNATURE: Final = re.compile(rb"(?<=\n)[ \t](?=[ \t]*<)")
_ENDS: Final = re.compile(rb"(?:[;{}\])\"'`]|(?<!=)>|[\w$])\Z")
_GOES_ON: Final = re.compile(
    rb"\b(?:extends|return|keyof|typeof|infer|is|in|of|new|as|satisfies|case|else|await|yield)\Z"
)
_LONGEST_COMMENT: Final = 4000
# `<in T, out U>`: how a type parameter varies.
_VARIANCE: Final = re.compile(rb"(?<=[<,])(\s*)((?:(?:in|out)\s+){1,2})(?=[A-Za-z_$])")
_TYPE_STAR: Final = re.compile(rb"(?<=\bexport )type(?=\s*\*)")


def end_lines(source: bytes) -> bytes:
    """Put semicolons before signatures that begin a line with `<`, and take away words that the grammar lacks."""
    source = _VARIANCE.sub(lambda match: match.group(1) + b" " * len(match.group(2)), source)
    source = _TYPE_STAR.sub(b"    ", source)
    found = bytearray(source)
    for match in _SIGNATURE.finditer(source):
        if _ended(source, match.start()):
            found[match.start()] = ord(";")
    return bytes(found)


def _ended(source: bytes, at: int) -> bool:
    """Tell whether what comes before a line may be the end of a member."""
    before = source[max(0, at - _LONGEST_COMMENT) : at]
    while True:
        stripped = before.rstrip()
        line = stripped[stripped.rfind(b"\n") + 1 :].lstrip()
        if line.startswith(b"//"):
            before = stripped[: stripped.rfind(b"\n") + 1]
        elif stripped.endswith(b"*/"):
            before = stripped[: max(stripped.rfind(b"/*"), 0)]
        else:
            break
    return bool(_ENDS.search(stripped)) and not _GOES_ON.search(stripped)
