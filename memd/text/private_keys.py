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
_ONE_LINE: Final = re.compile(r"[ \t]*[A-Za-z0-9+/= ]{40,}")


def private_keys(text: str, lower: bytes) -> Iterator[Hit]:
    """Yield the private key blocks in `text`; `lower` is its lower-cased Latin-1 stand-in."""
    done = 0
    found = lower.find(b"private key")
    while found >= 0:
        after = _MARKER_AFTER.match(text, found + len("private key"))
        before = _MARKER_BEFORE.search(text, max(done, found - 60), found) if after else None
        if after and before:
            start, end = _block(text, before.start(), after.end(), done, began=before["which"] == "BEGIN")
            yield Hit(start, end, "private-key", rank=3)
            done = end
        found = lower.find(b"private key", max(done, found + 1))


def _block(text: str, start: int, end: int, done: int, *, began: bool) -> tuple[int, int]:
    if not began:
        return _body_before(text, start, done), end
    closing = _END.search(text, end, end + _LONGEST_BLOCK)
    if closing and text.find("BEGIN ", end, closing.start()) < 0:
        return start, closing.end()
    body = _BODY.match(text, end, end + _LONGEST_BLOCK)
    body_end = body.end() if body else end
    if body_end == end and (one_line := _ONE_LINE.match(text, end, end + _LONGEST_BLOCK)):
        body_end = one_line.end()
    return start, body_end


def _body_before(text: str, start: int, done: int) -> int:
    """Return where the lines of base64 that end at `start` begin."""
    while start > done:
        line = _BODY_BEFORE.search(text, max(done, start - _LONGEST_LINE), start)
        if line is None:
            break
        start = line.start()
    return start
