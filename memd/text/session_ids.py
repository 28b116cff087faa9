"""Session ids: what a host calls a session, as it may be stored.

It is how a session is found again, so it stays what it is, unless it holds a secret, is a path that leads elsewhere,
has characters that no id has, or is longer than any. Then a digest of it takes its place, the same wherever the id is
seen.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from memd.text.redaction import redact

LONGEST: Final = 256
_USUAL: Final = re.compile(r"[0-9a-f]{1,8}(?:-[0-9a-f]{1,12}){0,5}")
_LEADS_AWAY: Final = re.compile(r"(?:^|[/\\])\.\.?(?:[/\\]|$)|^[/\\~]")
_KEPT: Final = 4096


def session_id(told: str) -> str:
    """Return the id that a session is stored under, by what its host calls it; given that, it returns the same."""
    return told if _USUAL.fullmatch(told) else _stored(told)


@lru_cache(_KEPT)
def _stored(told: str) -> str:
    is_plain = len(told) <= LONGEST and told.isprintable() and not _LEADS_AWAY.search(told) and not redact(told).hits
    return told if is_plain else f"session-{blake2b(told.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
