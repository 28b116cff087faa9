"""Defaults: of a function and a macro of one name, which of them a call means where nothing special is configured.

A macro that is defined there takes the call, whatever is declared beside it; only a name in parentheses would get past
it. So the directives of a file are gone through once, as a preprocessor would that knows no more than what the file
itself defines.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from memd.codegraph.languages.c.conditionals import holds

_WITH_PARAMETERS: Final = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(", re.MULTILINE)
_DECLARED: Final = re.compile(
    rb"^[A-Za-z_][\w \t*]*[ \t*](?:([A-Za-z_]\w*)|\(([A-Za-z_]\w*)\))[ \t]*\(|^([A-Za-z_]\w*)[ \t]*\(", re.MULTILINE
)
_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif|define|undef)\b[ \t]*((?:[^\n\\]|\\.)*)", re.MULTILINE | re.DOTALL
)
_DEFINES: Final = re.compile(rb"([A-Za-z_]\w*)(\()?")


@functools.lru_cache(maxsize=2)
def of_both_kinds(source: bytes) -> frozenset[bytes]:
    """Return the names that a source has for a function and a macro with parameters."""
    macros = frozenset(_WITH_PARAMETERS.findall(source))
    return macros.intersection(name for found in _DECLARED.findall(source) for name in found) if macros else macros


@functools.lru_cache(maxsize=2)
def macros_by_default(source: bytes) -> frozenset[bytes]:
    """Return the macros with parameters that a source leaves defined where nothing special is."""
    found: set[bytes] = set()
    given: set[bytes] = set()
    # Of each conditional around: whether what stands there counts, and whether a branch of it did before.
    around: list[tuple[bool, bool]] = []
    for directive in _DIRECTIVE.finditer(source):
        word, rest = directive[1], directive[2]
        here = all(counts for counts, _ in around)
        if word in (b"if", b"ifdef", b"ifndef"):
            true = holds(word, rest, given)
            around.append((true, true))
        elif word in (b"elif", b"else"):
            if around:
                _, before = around.pop()
                true = not before and (word == b"else" or holds(b"if", rest, given))
                around.append((true, before or true))
        elif word == b"endif":
            if around:
                around.pop()
        elif here and (name := _DEFINES.match(rest)) is not None:
            known = found if name[2] else given
            known.add(name[1]) if word == b"define" else known.discard(name[1])
            if word == b"undef":
                found.discard(name[1])
    return frozenset(found)
