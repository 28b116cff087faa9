"""Private keys: PEM and OpenSSH blocks, whole or torn.

A block is taken from its BEGIN line to its END line (RFC 7468). Where one of them is missing, because output was cut,
the lines of base64 beside the other are taken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text.assignments import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_BLOCK: Final = 20_000
_LONGEST_LINE: Final = 200
_MARKER_BEFORE: Final = re.compile(r"-{4,5} ?(?P<which>BEGIN|END) [A-Z0-9 ]{0,40}\Z")
_MARKER_AFTER: Final = re.compile(r"(?: BLOCK)? ?-{4,5}")
_END: Final = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")

# Ends of lines: real ones, and those inside a JSON string, however often it was wrapped in another.
_LINE_END: Final = r"(?:\r?\n|(?:\\+r)?\\+n)"
_DECORATION: Final = r"[ \t>|+\-\d:#*\"',]{0,24}"
_BODY_LINE: Final = rf"{_DECORATION}(?:[A-Za-z0-9+/=]{{8,}}|[A-Z][\w-]{{2,30}}: [^\n\\]{{1,120}})[\"',; \t+]{{0,4}}"
_BODY: Final = re.compile(rf"(?:(?:{_LINE_END}){{1,3}}{_BODY_LINE})*")
_BODY_BEFORE: Final = re.compile(rf"[A-Za-z0-9+/=]{{16,}}[\"',; \t+]{{0,4}}{_LINE_END}{_DECORATION}\Z")
_MATERIAL: Final = re.compile(r"[A-Za-z0-9+/=]{24}")
_ONE_LINE: Final = re.compile(r"[ \t]*[A-Za-z0-9+/= ]{40,}")


def private_keys(text: str, lower: bytes) -> Iterator[Hit]:
    """Yield the private key blocks in `text`; `lower` is its lower-cased Latin-1 stand-in."""
    done = next_end = 0
    found = lower.find(b"private key")
    while found >= 0:
        after = _MARKER_AFTER.match(text, found + len("private key"))
        before = _MARKER_BEFORE.search(text, max(done, found - 60), found) if after else None
        if after and before:
            start, end = before.start(), after.end()
            if before["which"] == "END":
                start = _body_before(text, start, done)
            else:
                if next_end < end:
                    next_end = text.find("END ", end)
                    next_end = len(text) if next_end < 0 else next_end
                end = _block_end(text, end, next_end)
            # The markers alone are talked about, not a key.
            if _MATERIAL.search(text, start, end):
                yield Hit(start, end, "private-key", rank=3)
            done = end
        found = lower.find(b"private key", max(done, found + 1))


def _block_end(text: str, begun: int, next_end: int) -> int:
    """Return where the block goes to whose BEGIN line ends at `begun`; the next word END stands at `next_end`."""
    if next_end - begun <= _LONGEST_BLOCK:
        closing = _END.search(text, next_end - 6, next_end + 80)
        if closing and text.find("BEGIN ", begun, closing.start()) < 0:
            return closing.end()
    limit = min(begun + _LONGEST_BLOCK, len(text))
    body = _BODY.match(text, begun, limit)
    if body and body.end() > begun:
        return body.end()
    one_line = _ONE_LINE.match(text, begun, limit)
    return one_line.end() if one_line else begun


def _body_before(text: str, start: int, done: int) -> int:
    """Return where the lines of base64 that end at `start` begin."""
    while start > done:
        line = _BODY_BEFORE.search(text, max(done, start - _LONGEST_LINE), start)
        if line is None:
            break
        start = line.start()
    return start
