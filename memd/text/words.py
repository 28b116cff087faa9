"""Words: the parts of names in CamelCase and the pairs of scripts written without blanks."""

from __future__ import annotations

import itertools
import re
from operator import add
from typing import Final

CJK: Final = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb"
    "\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
"""The inside of a regular-expression class: Han, Hiragana, Katakana, Bopomofo and Hangul."""

CJK_RUN: Final = re.compile(f"[{CJK}]+")

# Latin-1 stands in for the text while looking for CamelCase: one byte a character, so that
# positions agree, and searching a three-letter alphabet runs at memory speed.
_LOWER, _UPPER, _DIGIT, _OTHER = b"aAd "
_SHAPES: Final = bytes(
    _OTHER if not chr(code).isalnum() else _DIGIT if chr(code).isdigit() else _UPPER if chr(code).isupper() else _LOWER
    for code in range(256)
)
_BOUNDARY: Final = re.compile(r"(?<=[^\WA-Z_])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\WA-Z\d_])")
_BOUNDARIES: Final = (b"aA", b"dA", b"AAa")
_LONGEST_IDENTIFIER: Final = 80  # beyond that it is data (base64), not a name


def camel_names(text: str) -> tuple[str, ...]:
    """Return the distinct CamelCase names in `text`, in order of appearance by kind of boundary.

    A name has a lower-case letter and an inner capital ("utf8", "HTML" and "K8S" have none).
    """
    shapes = text.encode("latin-1", "replace").translate(_SHAPES)
    names: dict[str, None] = {}
    for boundary in _BOUNDARIES:
        found = shapes.find(boundary)
        while found >= 0:
            start = shapes.rfind(b" ", 0, found) + 1
            end = shapes.find(b" ", found)
            if end < 0:
                end = len(shapes)
            if end - start <= _LONGEST_IDENTIFIER and b"a" in shapes[start:end]:
                names[text[start:end]] = None
            found = shapes.find(boundary, end)
    return tuple(names)


def split_identifier(name: str) -> list[str]:
    """Return the parts of a CamelCase name: HTTPServer is HTTP, Server; base64Encode is base64, Encode."""
    cuts = [0, *(boundary.start() for boundary in _BOUNDARY.finditer(name)), len(name)]
    return [name[start:end] for start, end in itertools.pairwise(cuts)]


def join_initials(parts: list[str]) -> list[str]:
    """Return the parts with single letters joined to what follows: O, Auth, Token is OAuth, Token."""
    joined: list[str] = []
    for part in parts:
        if joined and len(joined[-1]) == 1:
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of a CJK run and its last character: 数据库 is 数据, 据库, 库."""
    return [*map(add, run, run[1:]), run[-1:]]
