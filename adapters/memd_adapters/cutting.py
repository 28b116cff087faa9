"""Cuts that leave no half word: half a secret may pass for none, and be kept."""

from __future__ import annotations

import string
from typing import AnyStr, Final

_LONGEST_WORD: Final = 2048
"""What is longer is data, not a word; longer secrets are known by how they begin."""
_WORD: Final = string.ascii_letters + string.digits + "+/_=.~%-"
_WORD_BYTES: Final = _WORD.encode()


def whole_head(head: AnyStr) -> AnyStr:
    """Return the beginning of a text that was cut off after it, without the word that the cut may have halved."""
    short = head.rstrip(_WORD if isinstance(head, str) else _WORD_BYTES)
    return short if short and len(head) - len(short) <= _LONGEST_WORD else head


def whole_tail(tail: AnyStr) -> AnyStr:
    """Return the end of a text that was cut off before it, without the word that the cut may have halved."""
    short = tail.lstrip(_WORD if isinstance(tail, str) else _WORD_BYTES)
    return short if short and len(tail) - len(short) <= _LONGEST_WORD else tail
