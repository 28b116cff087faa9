"""Entries of a conversation that its host writes anew as a whole: which are new or changed, which were taken back.

A ledger is carried in the cursor. It has one number for each entry (its key) and one for its content, so a read of a
file that grew by one entry gives one entry, and what vanished from the file can be named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import orjson

from memd.adapter import Cursor, Event, Withdrawn
from memd_adapters.jsonl_rows import Json
from memd_adapters.shaping import input_text

MOST_MESSAGES: Final = 3
"""How many messages an entry may become."""

_KEY_DIGITS: Final = 12
_PRINT_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a conversation: its part, unique among all of the host, and what it says."""

    part: str
    content: Json

    @property
    def key(self) -> int:
        """A number for the part; `message_keys` writes it out."""
        return int(digest(self.part)[:_KEY_DIGITS], 16)


@dataclass(frozen=True, slots=True)
class News:
    """What a read has to tell: places in the list of entries, and the keys of messages that are gone."""

    places: frozenset[int]
    withdrawn: tuple[str, ...]
    more: bool
    """True when there is more news than one read may take."""
    taken_bytes: int


@dataclass(slots=True)
class Ledger:
    """What was told of a session so far. Every field has a JSON form; an unreadable ledger counts as none."""

    session: str = ""
    keys: list[int] = field(default_factory=list)
    prints: list[int] = field(default_factory=list)
    shift: int = 0
    """How far an entry's place in the session lies behind its place in the file, because entries were taken back."""
    told: dict[str, str | int] = field(default_factory=dict)
    """Fields of the session that were told already."""

    def news(self, entries: Sequence[Entry], batch_bytes: int, *, whole: bool, condensed: bool = False) -> News:
        """Compare the entries with what was told, note what is told now, and return it.

        Only what is missing from a file that is `whole` is taken back, and nothing when a file has become empty (hosts
        lose their histories in crashes) or was `condensed` (a summary stands for what is missing).
        """
        known = dict(zip(self.keys, self.prints, strict=True))
        keys = [entry.key for entry in entries]
        whole = whole and bool(keys)
        gone = sorted(known.keys() - set(keys), key=self.keys.index) if whole else []
        self.shift += len(gone)
        prints = {} if whole else dict(known)
        places: set[int] = set()
        taken = 0
        more = False
        for place, (key, entry) in enumerate(zip(keys, entries, strict=True)):
            content = json_bytes(entry.content)
            new = int(_hash(content)[:_PRINT_DIGITS], 16)
            old = known.get(key)
            if old == new:
                prints[key] = new
            elif taken >= max(batch_bytes, 1):
                more = True
                if old is not None:
                    prints[key] = old
            else:
                prints[key] = new
                places.add(place)
                taken += len(content)
        self.keys, self.prints = list(prints), list(prints.values())
        withdrawn = () if condensed else tuple(name for key in gone for name in message_keys(key))
        return News(frozenset(places), withdrawn, more, taken)

    def seq(self, index: int) -> int:
        """Return where an entry stands in the session's order, with room for what else is said in it."""
        return (index + self.shift) * MOST_MESSAGES

    def unheard(self, fields: dict[str, str | int]) -> dict[str, str | int]:
        """Return the fields of the session that differ from what was told, and note them as told."""
        fresh = {name: value for name, value in fields.items() if self.told.get(name) != value}
        self.told |= fresh
        return fresh

    def after(self, cursor: Cursor, news: News) -> Cursor:
        """Return the cursor to store; one that does not stand for the whole file when there is more."""
        if news.more:
            consumed = min(cursor.offset + news.taken_bytes, max(cursor.size - 1, 0))
            cursor = replace(cursor, offset=consumed, size=consumed, head="")
        return replace(cursor, state=self.dump())

    def dump(self) -> str:
        """Return the ledger as JSON."""
        return orjson.dumps([self.session, self.keys, self.prints, self.shift, self.told]).decode()

    @classmethod
    def load(cls, cursor: Cursor | None, session: str) -> Self:
        """Return the ledger in a cursor, or a fresh one where there is none of this session."""
        try:
            said, keys, prints, shift, told = orjson.loads(cursor.state if cursor else "")
            ledger = cls(said, keys, prints, shift, told)
        except (orjson.JSONDecodeError, TypeError, ValueError):
            return cls(session)
        return ledger if said == session and len(keys) == len(prints) else cls(session)


def message_keys(key: int) -> tuple[str, str, str]:
    """Return the keys of the messages that an entry may become: its own, and for what else is said in it."""
    name = f"{key:0{_KEY_DIGITS}x}"
    return name, f"{name}.1", f"{name}.2"


def digest(*words: str) -> str:
    """Return 24 hexadecimal digits for some words."""
    return _hash("\0".join(words).encode("utf-8", "replace"))


def content_digest(content: Json) -> str:
    """Return 24 hexadecimal digits for a value."""
    return _hash(json_bytes(content))


def json_bytes(content: Json) -> bytes:
    """Return a value as JSON; one that is nested deeper than can be written comes shortened."""
    try:
        return orjson.dumps(content)
    except orjson.JSONEncodeError:
        return input_text(content).encode()


def withdrawals(session: str, news: News) -> Iterator[Event]:
    """Yield the event for what is gone, if anything is."""
    if news.withdrawn:
        yield Withdrawn(session, news.withdrawn)


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=12).hexdigest()
