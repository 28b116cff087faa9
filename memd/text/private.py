"""Private spans: what a person marked with `<private>…</private>` is not remembered."""

from __future__ import annotations

import re
from typing import Final

_TAG: Final = re.compile(r"<(?P<close>/?)private(?P<attributes>(?:\s[^<>]{0,200})?)(?P<end>/?>|\Z)", re.IGNORECASE)
_BLANK_REST: Final = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_MARKER: Final = "[private]"


def strip_private(text: str) -> str:
    """Return `text` without its private spans: a line of its own vanishes, inside a line `[private]` is left.

    Tags are read in any case, with attributes, nested; an unclosed one strips to the end. A tag that stands alone in
    backticks is talked about and stays, as does a closing tag that closes nothing.
    """
    if "<" not in text:
        return text
    pieces: list[str] = []
    done = depth = opened = 0
    for tag in _TAG.finditer(text):
        if _is_mentioned(text, tag) and not depth:
            continue
        if tag["close"]:
            if depth:
                depth -= 1
                if not depth:
                    done = _cut(text, pieces, done, opened, tag.end())
        elif not tag["end"].startswith("/"):
            if not depth:
                opened = tag.start()
            depth += 1
    if depth:
        done = _cut(text, pieces, done, opened, len(text))
    return "".join(pieces) + text[done:] if pieces else text


def _is_mentioned(text: str, tag: re.Match[str]) -> bool:
    return text[tag.start() - 1 : tag.start()] == "`" and text[tag.end() : tag.end() + 1] == "`"


def _cut(text: str, pieces: list[str], done: int, start: int, end: int) -> int:
    """Append what stands before the span, and the marker if the span is part of a line; return where to go on."""
    before = text[done:start]
    indent = len(before) - len(before.rstrip(" \t"))
    begins_line = start - indent == 0 or text[start - indent - 1] == "\n"
    rest = _BLANK_REST.match(text, end)
    if begins_line and rest:
        pieces.append(text[done : start - indent])
        return rest.end()
    pieces += [before, _MARKER]
    return end
