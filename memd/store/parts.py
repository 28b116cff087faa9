"""Parts: which session holds which of a host's rows, and which message each belongs to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import orjson

_KNOWN: Final = """
    SELECT p.part, p.session_id, p.message_id, p.seq, m.session_id
    FROM json_each(?) AS asked JOIN message_parts p ON p.part = asked.value LEFT JOIN messages m ON m.id = p.message_id
"""
_INSERT: Final = """
    INSERT INTO message_parts (part, session_id, message_id, seq, at, chars, thinking) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_ATTACH: Final = "UPDATE message_parts SET message_id = ? WHERE part = ? AND session_id = ?"
_63_BITS: Final = (1 << 63) - 1

PartRow = tuple[int, int, int | None, int, int | None, int, int]


def part_id(host: str, part: str) -> int:
    """Return the identity of a host's row across all its sessions: 63 bits of BLAKE2b over host, NUL and row id."""
    digest = blake2b(f"{host}\0{part}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) & _63_BITS


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A part in a session. `message` is None for a tool result or a link; `owner` is the session the message is of."""

    message: int | None
    seq: int
    owner: int | None


class Parts:
    """The parts of a batch with every place where the store, or the batch so far, holds them."""

    def __init__(self, conn: sqlite3.Connection, ids: Iterable[int]) -> None:
        self._conn = conn
        self._known: dict[int, dict[int, Occurrence]] = {}
        self._new: list[PartRow] = []
        asked = orjson.dumps(list(ids)).decode()
        for part, session, message, seq, owner in conn.execute(_KNOWN, (asked,)):
            self._known.setdefault(part, {})[session] = Occurrence(message, seq, owner)

    def places(self, part: int) -> dict[int, Occurrence]:
        """Return where a part is, by session; empty for a part never seen."""
        return self._known.get(part, {})

    def add(self, row: PartRow, owner: int | None) -> None:
        """Note a part in a session; `row` is its row of `message_parts`."""
        part, session, message, seq = row[:4]
        self._known.setdefault(part, {})[session] = Occurrence(message, seq, owner)
        self._new.append(row)

    def resize(self, part: int, session: int, chars: int, thinking: int) -> None:
        """Give a part that is not written yet other lengths."""
        self._new = [(*row[:5], chars, thinking) if row[:2] == (part, session) else row for row in self._new]

    def attach(self, part: int, session: int, message: int) -> None:
        """Make a written part of a session a part of a message."""
        self._conn.execute(_ATTACH, (message, part, session))

    def flush(self) -> None:
        """Write the new ones."""
        self._conn.executemany(_INSERT, sorted(self._new))
        self._new.clear()
