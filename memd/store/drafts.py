"""Drafts: messages taken apart into the host's rows they are made of, while a batch makes, extends or moves them.

The text of a message is the texts of its parts in the order of their `seq`, with an empty line between. Because the
length of every share is kept with its part, a stored message can be taken apart again: what order parts arrive in,
and whether one is replaced or turns out to belong to another session, leaves no trace in the result.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import orjson

from memd.adapter import MessagePart
from memd.text.tokens import prepare

_MESSAGE: Final = "id, session_id, key, role, kind, model, text, thinking"
_BY_KEYS: Final = f"""
    SELECT {_MESSAGE} FROM messages WHERE session_id = ? AND key IN (SELECT value FROM json_each(?))
"""  # noqa: S608 - constant columns
_BY_ID: Final = f"SELECT {_MESSAGE} FROM messages WHERE id = ?"  # noqa: S608 - constant columns
_PIECES: Final = """
    SELECT part, seq, at, chars, thinking FROM message_parts WHERE message_id = ? AND session_id = ? ORDER BY seq, part
"""
_NEXT_ID: Final = "SELECT ifnull(max(id), 0) + 1 FROM messages"
_INSERT: Final = """
    INSERT INTO messages (id, session_id, key, seq, role, kind, at, text, thinking, model)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE: Final = """
    UPDATE messages SET session_id = ?, key = ?, seq = ?, role = ?, kind = ?, at = ?, text = ?, thinking = ?, model = ?
    WHERE id = ?
"""
_LENGTHS: Final = "UPDATE message_parts SET chars = ?, thinking = ? WHERE part = ? AND message_id = ?"
_UNLINK: Final = "UPDATE message_parts SET message_id = NULL WHERE message_id = ?"
_DELETE: Final = "DELETE FROM messages WHERE id = ?"
_INDEX: Final = "INSERT INTO messages_fts (rowid, body) VALUES (?, ?)"
# While an index is built anew a row may not be in it yet, and what is not there must not be taken out.
_UNINDEX: Final = """
    INSERT INTO messages_fts (messages_fts, rowid, body)
    SELECT 'delete', ?1, ?2 WHERE EXISTS (SELECT 1 FROM messages_fts_docsize WHERE id = ?1)
"""

_GAP: Final = "\n\n"


@dataclass(slots=True)
class Piece:
    """The share of one part in a message."""

    part: int
    seq: int
    at: int | None
    text: str
    thinking: str


@dataclass(slots=True)
class Draft:
    """A message in pieces. `indexed` is the text the full-text index has for it, None for a message not yet stored."""

    id: int
    session: int
    key: str
    role: str
    kind: str
    model: str | None
    pieces: list[Piece] = field(default_factory=list)
    indexed: str | None = None
    body: str = ""
    """Prepared text of the only piece that has text, where the caller has it."""
    changed: bool = False

    @property
    def seq(self) -> int:
        """Where the message stands in its session."""
        pieces = self.pieces
        return pieces[0].seq if len(pieces) == 1 else min(piece.seq for piece in pieces)

    def add(self, piece: Piece, event: MessagePart | None = None, body: str = "") -> None:
        """Put a piece in; the first one of a message says who speaks and how."""
        if event is not None:
            if not self.pieces or piece.seq < self.seq:
                self.role, self.kind = event.role, event.kind
            if self.model is None:
                self.model = event.model
        self.pieces.append(piece)
        if piece.text:
            self.body = body
        self.changed = True

    def joined(self) -> tuple[str, str]:
        """Return text and thinking of the whole message."""
        pieces = self.pieces
        if len(pieces) == 1:
            return pieces[0].text, pieces[0].thinking
        pieces.sort(key=lambda piece: (piece.seq, piece.part))
        return (
            _GAP.join(piece.text for piece in pieces if piece.text),
            _GAP.join(piece.thinking for piece in pieces if piece.thinking),
        )

    def prepared(self, text: str) -> str:
        """Return what the index is to hold for the message."""
        if self.body and sum(1 for piece in self.pieces if piece.text) == 1:
            return self.body
        return prepare(text) if text else ""


class Drafts:
    """The messages a batch touches."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self._next_id: int = conn.execute(_NEXT_ID).fetchone()[0]
        self._by_id: dict[int, Draft] = {}
        self._by_key: dict[tuple[int, str], Draft] = {}

    def prefetch(self, session: int, keys: Iterable[str]) -> None:
        """Load the stored ones among the messages of these keys, in one query."""
        for row in self._conn.execute(_BY_KEYS, (session, orjson.dumps(list(keys)).decode())).fetchall():
            self._taken_apart(row)

    def of_key(self, session: int, key: str) -> Draft | None:
        """Return the message of a key among those loaded or made by now."""
        return self._by_key.get((session, key))

    def load(self, message: int) -> Draft:
        """Return a message by its row id."""
        draft = self._by_id.get(message)
        return draft or self._taken_apart(self._conn.execute(_BY_ID, (message,)).fetchone())

    def load_key(self, session: int, key: str) -> Draft | None:
        """Return the message of a key, from the store where it is not loaded yet."""
        if (session, key) not in self._by_key:
            self.prefetch(session, (key,))
        return self.of_key(session, key)

    def make(self, session: int, key: str, role: str, kind: str, model: str | None) -> Draft:
        """Return a new message without pieces; its row id is set already, the one writer gives them out."""
        draft = Draft(self._next_id, session, key, role, kind, model)
        self._next_id += 1
        self._by_id[draft.id] = self._by_key[session, key] = draft
        return draft

    def hand_over(self, draft: Draft, session: int) -> None:
        """Make a message that has no counterpart in `session` a message of that session."""
        del self._by_key[draft.session, draft.key]
        draft.session = session
        draft.changed = True
        self._by_key[session, draft.key] = draft

    def flush(self, only: Iterable[Draft] | None = None) -> list[Draft]:
        """Write what changed, of all or of some, and return the new messages; those without pieces are removed."""
        changed = [draft for draft in (self._by_id.values() if only is None else only) if draft.changed]
        new = [draft for draft in changed if draft.indexed is None and draft.pieces]
        rows, index = [], []
        for draft in new:
            text, thinking = draft.joined()
            rows.append((draft.id, draft.session, draft.key, draft.seq, draft.role, draft.kind, _at(draft), text,
                         thinking, draft.model))  # fmt: skip
            if text:
                index.append((draft.id, draft.prepared(text)))
            draft.indexed = text
        self._conn.executemany(_INSERT, rows)
        self._conn.executemany(_INDEX, index)
        written = {draft.id for draft in new}
        # Removed first: what is handed to a session may have the key of what is merged away.
        for draft in sorted(changed, key=lambda draft: bool(draft.pieces)):
            if draft.id not in written:
                self._rewrite(draft)
            draft.changed, draft.body = False, ""
        return new

    def measure(self, draft: Draft, piece: Piece) -> None:
        """Keep the new lengths of a piece that was replaced in a stored message."""
        self._conn.execute(_LENGTHS, (len(piece.text), len(piece.thinking), piece.part, draft.id))

    def _rewrite(self, draft: Draft) -> None:
        old = draft.indexed
        text, thinking = draft.joined() if draft.pieces else ("", "")
        if old and old != text:
            self._conn.execute(_UNINDEX, (draft.id, prepare(old)))
        if not draft.pieces:
            self._conn.execute(_DELETE, (draft.id,))
            self._forget(draft)
            return
        if text and old != text:
            self._conn.execute(_INDEX, (draft.id, draft.prepared(text)))
        values = (draft.session, draft.key, draft.seq, draft.role, draft.kind, _at(draft), text, thinking, draft.model)
        self._conn.execute(_UPDATE, (*values, draft.id))
        draft.indexed = text

    def remove(self, message: int) -> None:
        """Remove a message that only stood in for something and leave its rows without one."""
        self._conn.execute(_UNLINK, (message,))
        self._conn.execute(_DELETE, (message,))
        if message in self._by_id:
            self._forget(self._by_id[message])

    def _forget(self, draft: Draft) -> None:
        del self._by_id[draft.id]
        if self._by_key.get((draft.session, draft.key)) is draft:
            del self._by_key[draft.session, draft.key]

    def _taken_apart(self, row: tuple[int, int, str, str, str, str | None, str, str]) -> Draft:
        message, session, key, role, kind, model, text, thinking = row
        if message in self._by_id:
            return self._by_id[message]
        draft = Draft(message, session, key, role, kind, model, indexed=text)
        at_text = at_thinking = 0
        for part, seq, at, chars, thought in self._conn.execute(_PIECES, (message, session)):
            share = text[at_text : at_text + chars]
            piece = Piece(part, seq, at, share, thinking[at_thinking : at_thinking + thought])
            at_text += chars + len(_GAP) * bool(chars)
            at_thinking += thought + len(_GAP) * bool(thought)
            draft.pieces.append(piece)
        self._by_id[message] = self._by_key[session, key] = draft
        return draft


def _at(draft: Draft) -> int | None:
    return min((piece.at for piece in draft.pieces if piece.at is not None), default=None)
