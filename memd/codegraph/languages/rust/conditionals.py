"""Conditionals: macros that only decide whether what stands in them is built, laid open for the grammar.

`cfg_if! { if #[cfg(unix)] { mod unix; } else { mod other; } }` becomes the items of all its branches, `cfg_net! { mod
net; }` its items. Whatever goes is blanked out, so that nothing else moves.
"""

from __future__ import annotations

import re
from typing import Final

_MACRO: Final = re.compile(rb"(?:\bcfg_if\s*::\s*)?\bcfg_\w+\s*!\s*\{")
_BRANCH: Final = re.compile(rb"\s*(?:else\s+)?if\s+#\s*\[|\s*else\s*\{")
_TOKENS: Final = re.compile(
    rb"//[^\n]*|/\*.*?\*/|r(#*)\".*?\"\1|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\[^\n]{1,9})'|[{}\[\]]", re.DOTALL
)
_MOST: Final = 500
"""Macros of one file that are laid open."""
_AGAIN: Final = 10
"""So many times as much as there is may be looked through for macros in macros."""


def laid_open(source: bytes) -> bytes:
    """Return a source of the same length in which such macros are gone and what stands in them stays."""
    if b"cfg_" not in source:
        return source
    readable = bytearray(source)
    at = looked_through = 0
    for _ in range(_MOST):
        found = _MACRO.search(readable, at)
        if found is None or looked_through > _AGAIN * len(source):
            break
        at = found.end()
        if _is_comment(readable, found.start()):
            continue
        end = _closing(readable, at - 1)
        if end is None:
            break
        looked_through += end - at
        _blank(readable, found.start(), at)
        _blank(readable, end, end + 1)
        if b"cfg_if" in found[0]:
            _open_branches(readable, at, end)
    return bytes(readable)


def _open_branches(readable: bytearray, at: int, end: int) -> None:
    """Blank out `if #[cfg(...)] {`, `} else {` and their like between two bytes."""
    while (branch := _BRANCH.match(readable, at, end)) is not None:
        brace = branch.end() - 1
        if readable[brace : brace + 1] == b"[":
            closed = _closing(readable, brace)
            brace = readable.find(b"{", closed, end) if closed is not None else -1
        closed = _closing(readable, brace) if brace >= 0 else None
        if closed is None or closed >= end:
            return
        _blank(readable, at, brace + 1)
        _blank(readable, closed, closed + 1)
        at = closed + 1


def _is_comment(readable: bytearray, at: int) -> bool:
    """Tell whether a macro stands in a comment."""
    line = readable[readable.rfind(b"\n", 0, at) + 1 : at]
    return b"//" in line or readable.rfind(b"/*", 0, at) > readable.rfind(b"*/", 0, at)


def _closing(readable: bytearray, at: int) -> int | None:
    """Return where the bracket that opens at a byte is closed, None where it is not."""
    depth = 0
    for token in _TOKENS.finditer(readable, at):
        if token[0] in (b"{", b"["):
            depth += 1
        elif token[0] in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                return token.start()
    return None


def _blank(readable: bytearray, start: int, end: int) -> None:
    readable[start:end] = re.sub(rb"[^\n]", b" ", readable[start:end])
