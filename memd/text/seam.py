"""Seams: a secret that two texts, told one after the other, hold only together."""

from __future__ import annotations

import re
from typing import Final

from memd.text import secretness
from memd.text.redaction import across

_CHARS: Final = r"A-Za-z0-9_+/=.~-"
_HEAD: Final = re.compile(rf"[{_CHARS}]{{3,400}}")
_TELLING: Final = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Z]{6}|[_=]")
_TAIL: Final = re.compile(rf"(?<![{_CHARS}])[{_CHARS}]{{1,400}}\Z")
_CUT_OFF: Final = re.compile(r"\[redacted:[a-z0-9-]{1,24}\]\Z")
_AROUND: Final = 500
_LEAST_REST: Final = 6


def may_go_on(text: str) -> bool:
    """Return whether a text begins with what could be the rest of a key. Cheap, and false of nearly all prose."""
    head = _HEAD.match(text)
    return head is not None and _TELLING.search(head[0]) is not None


def redact_seam(before: str, after: str) -> tuple[str, str] | None:
    """Return two texts, each redacted by itself, without a secret that goes over from one into the other.

    None where there is none. What stands for it ends the first; of the second its rest is gone.
    """
    head = _HEAD.match(after)
    if head is None or not may_go_on(after):
        return None
    if _CUT_OFF.search(before, max(0, len(before) - 48)):
        rest = head[0].rstrip(".")
        is_mixed = any(map(str.isdigit, rest)) or rest.lower() != rest != rest.upper()
        is_rest = len(rest) >= _LEAST_REST and is_mixed and secretness.looks_random(rest)
        return (before, after[len(rest) :]) if is_rest else None
    tail = _TAIL.search(before, max(0, len(before) - _AROUND))
    if tail is None:
        return None
    if after.startswith("[redacted:", head.end()) and len(tail[0]) >= _LEAST_REST and secretness.looks_random(tail[0]):
        return before[: tail.start()], after[head.end() :]
    left, right = before[-_AROUND:], after[:_AROUND]
    hit = across(left + right, len(left))
    if hit is None:
        return None
    cut = len(before) - len(left) + hit.start
    return f"{before[:cut]}[redacted:{hit.family}]", after[hit.end - len(left) :]
