"""Rarity: in how many facts words stand, asked of the full-text index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

_COUNT: Final = "SELECT count(*) FROM (SELECT 1 FROM facts_fts WHERE facts_fts MATCH ? LIMIT ?)"
_TOTAL: Final = "SELECT count(*) FROM facts"
_ENOUGH: Final = 2_000
"""Facts up to which they are counted; a word that stands in more is common anyhow."""


def of_words(conn: sqlite3.Connection, words: Iterable[str]) -> dict[str, int]:
    """Return in how many facts a word stands that begins so, by word; counted up to 2,000."""
    return {word: conn.execute(_COUNT, (f'"{word}"*', _ENOUGH)).fetchone()[0] for word in words if '"' not in word}


def facts(conn: sqlite3.Connection) -> int:
    """Return how many facts there are, in all projects and of any status."""
    return int(conn.execute(_TOTAL).fetchone()[0])
