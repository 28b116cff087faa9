"""UUIDv7: ids that stay the same on every machine and sort by the time they were made."""

from __future__ import annotations

import os
from typing import Final

LISTED_CHARS: Final = 10
"""Lists show so many characters of an id, its last ones; what people type may be the beginning of these."""


def uuid7(now_ms: int) -> str:
    """Return a fresh UUID version 7 (RFC 9562, section 5.7) for a time in UTC epoch milliseconds.

    Ids of different milliseconds sort by time; within one millisecond the order is random.
    """
    random = int.from_bytes(os.urandom(10))
    value = (now_ms & 0xFFFF_FFFF_FFFF) << 80 | 0x7 << 76 | (random >> 68 & 0xFFF) << 64 | 0b10 << 62
    digits = f"{value | random & 0x3FFF_FFFF_FFFF_FFFF:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
