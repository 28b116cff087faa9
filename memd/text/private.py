"""Private spans: what a person marked with `<private>…</private>` is not remembered.

A tag is read as people and programs write it: in any case, with spaces, attributes, full-width brackets, or characters
that cannot be seen in it. One that is never closed hides all that follows in the message, in whatever rows the host
keeps that; it does not reach into the next message. When in doubt the text is hidden: a tag that was meant is worth
more than a sentence that was not remembered.
"""

from __future__ import annotations

import re
from typing import Final

# Possessive: a run of what cannot be seen is gone through once.
_UNSEEN: Final = "[\u00ad\u200b-\u200f\u2060\ufeff]*+"
_TAG: Final = re.compile(
    rf"[<\uff1c]{_UNSEEN}\s{{0,8}}+{_UNSEEN}(?P<close>[/\uff0f]?)\s{{0,8}}+{_UNSEEN}"
    + _UNSEEN.join("private")
    + rf"{_UNSEEN}(?P<attributes>(?:\s[^<>\uff1c\uff1e]{{0,4000}})?)(?P<end>/?[>\uff1e]|(?=[<\uff1c])|\Z)",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(r"[\w:.-]{1,80}\s{0,8}=(?!=)")
_BLANK_REST: Final = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_MARKER: Final = "[private]"


def strip_private(text: str) -> str:
    """Return `text` without its private spans: a line of its own vanishes, inside a line `[private]` is left.

    Spans may be nested. A tag that stands alone in backticks is talked about and stays, as does a closing tag that
    closes nothing, and a placeholder like `<private key>` that nothing closes.
    """
    return strip_private_on(text, 0)[0]


def strip_private_on(text: str, depth: int) -> tuple[str, int]:
    """Strip a text that begins within `depth` open spans; return it and how many are open at its end."""
    if not depth and not _may_hold_a_tag(text):
        return text, 0
    pieces: list[str] = []
    done = opened = 0
    tags = list(_TAG.finditer(text))
    last_close = max((tag.start() for tag in tags if tag["close"]), default=-1)
    for tag in tags:
        if _is_mentioned(text, tag) and not depth:
            continue
        if tag["close"]:
            if depth:
                depth -= 1
                if not depth:
                    done = _cut(text, pieces, done, opened, tag.end())
        elif not tag["end"].startswith("/") and (_is_plain(tag) or tag.start() < last_close):
            if not depth:
                opened = tag.start()
            depth += 1
    if depth:
        done = _cut(text, pieces, done, opened, len(text))
    return ("".join(pieces) + text[done:] if pieces else text), depth


def _may_hold_a_tag(text: str) -> bool:
    """Whether a tag can be in a text: a glance. What cannot be seen may stand within its name, but is not ASCII."""
    if text.isascii():
        return "<" in text and "private" in text.lower()
    return "<" in text or "\uff1c" in text


def _is_plain(tag: re.Match[str]) -> bool:
    """Whether a tag holds nothing but attributes; `<private key>` is a placeholder unless something closes it."""
    attributes = tag["attributes"].strip()
    return not attributes or _ATTRIBUTE.match(attributes) is not None


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
