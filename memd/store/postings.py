"""Postings: which messages hold each thing a query asks for, how densely, and how many sessions do.

A search weighs messages by their words and sessions by what their messages hold together, so it needs the rows of every
word rather than one ranked list. Looking at a row costs 2 to 3 us. Rare words are therefore read whole, the rarest
first, as far as the budget goes; of the others it is only asked which of the rows found by then hold them too. Where
nothing is rare, the newest rows that hold everything stand for the many that are as good.

More than half of what a row costs is looking up whose it is. Where many rows are found, that is asked of the best
ones only, by the sum of their bm25 scores: what a session has besides hardly counts beside its best messages.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final

import orjson

from memd.store.chosen import CHOSEN, Chosen
from memd.store.columns import SCALE, in_one, read, scored

_IS_LONG: Final = (
    "m.role = 'assistant' AND (SELECT d.sz >= {size} FROM messages_fts_docsize d WHERE d.id = m.id) AS long"
)
_SCORE: Final = scored("bm25(messages_fts)")
_FROM: Final = f"""
    FROM messages_fts CROSS JOIN messages m INDEXED BY messages_facets ON m.id = messages_fts.rowid
    CROSS JOIN sessions s ON s.id = m.session_id
    WHERE messages_fts MATCH ?1 AND {CHOSEN} ORDER BY messages_fts.rowid DESC LIMIT ?13
"""
_FILTERED: Final = f"SELECT m.id AS row, m.session_id AS session, {_IS_LONG.format(size='?2')}"
_SCORED: Final = in_one(f"{_FILTERED}, {_SCORE} {_FROM}", "row", "session", "long", "score")
_UNSCORED: Final = in_one(f"{_FILTERED} {_FROM}", "row", "session", "long")
# What is chosen by the row alone: whose it is and the rest is asked of those rows that are kept. Where few rows are
# looked at, each is asked for its project; to list all of a project's rows first takes as long as a thousand of these.
_BY_ROW: Final = "FROM messages_fts WHERE messages_fts MATCH ?1 AND rowid BETWEEN ?2 AND ?3"
_BARE: Final = in_one(
    f"""
    SELECT rowid AS row, {_SCORE} {_BY_ROW} AND (?4 IS NULL OR (
        SELECT m.session_id FROM messages m INDEXED BY messages_facets WHERE m.id = messages_fts.rowid
    ) IN (SELECT id FROM sessions WHERE project_id = ?4)) LIMIT -1
    """,  # noqa: S608 - constants
    "row", "score",
)  # fmt: skip
_BARE_NEWEST: Final = in_one(
    f"""
    SELECT rowid AS row {_BY_ROW} AND (?4 IS NULL OR +rowid IN (
        SELECT x.id FROM sessions y JOIN messages x ON x.session_id = y.id WHERE y.project_id = ?4))
    ORDER BY rowid DESC LIMIT ?5
    """,  # noqa: S608 - constants
    "row",
)
_BARE_NEWEST_ASKED: Final = in_one(
    """
    SELECT messages_fts.rowid AS row
    FROM messages_fts CROSS JOIN messages m INDEXED BY messages_facets ON m.id = messages_fts.rowid
    WHERE messages_fts MATCH ?1 AND messages_fts.rowid BETWEEN ?2 AND ?3
        AND +m.session_id IN (SELECT id FROM sessions WHERE project_id = ?4)
    ORDER BY messages_fts.rowid DESC LIMIT ?5
    """,
    "row",
)
"""The rows that `_BARE_NEWEST` gives of a project, each asked whose it is where the other lists the project."""
_FACETS: Final = in_one(
    f"""
    SELECT m.id AS row, m.session_id AS session, {_IS_LONG.format(size="?2")}
    FROM json_each(?1) AS asked CROSS JOIN messages m INDEXED BY messages_facets ON m.id = asked.value
    """,  # noqa: S608 - constants
    "row", "session", "long",
)  # fmt: skip
_HOLDING: Final = in_one("SELECT rowid AS row FROM messages_fts WHERE messages_fts MATCH ?", "row")
_COUNT: Final = "SELECT count(*) FROM (SELECT 1 FROM messages_fts WHERE messages_fts MATCH ? LIMIT ?)"
_AVERAGES: Final = "SELECT block FROM messages_fts_data WHERE id = 1"

K1: Final = 1.2
"""How fast repetition saturates in SQLite's bm25 (FTS5 documentation, 5.1.1: k1 = 1.2, b = 0.75)."""
_BUDGET: Final = 2_500
"""Rows that are looked at for one query."""
_COMMON: Final = 3_000
"""Rows above which a phrase is common and not read whole."""
_PART: Final = 0.7
"""What one word of a name or one pair of a run of Chinese counts for beside the whole of it."""
_NEWEST: Final = 1_000
"""Rows that are looked at where a query has only common words."""
_KEPT: Final = 1_000
"""Rows of which it is asked whose they are."""
_ASKING: Final = 2.5
"""How many rows of a project are listed in the time that it takes to ask one whose it is."""
_LONG: Final = b"\x3d"
"""From here on sizes stand for more than 60 tokens: FTS5 stores them as varints, and two bytes begin with 0x81."""
_ALL: Final = -1

Frequencies = Callable[[sqlite3.Connection, str, int], int]
"""Gives in how many rows a phrase is; above the third argument any number above it will do."""


@dataclass(slots=True)
class Posting:
    """The messages that hold one thing asked for: by row id, how densely (bm25's tf over normalised length)."""

    rows: dict[int, float] = field(default_factory=dict)
    sessions: int = 0
    """How many sessions hold it; for a common thing a guess."""
    whole: bool = True
    """False where only some of the rows were looked at."""


@dataclass(frozen=True, slots=True)
class Postings:
    """What was found for each thing asked for, among how many sessions."""

    of: tuple[Posting, ...]
    session_of: dict[int, int]
    long_replies: frozenset[int]
    """The found rows that are replies of more than 60 tokens."""
    sessions: int


def count(conn: sqlite3.Connection, phrase: str, most: int) -> int:
    """Return in how many rows of the index a phrase is, counted up to `most` + 1."""
    return int(conn.execute(_COUNT, (phrase, most + 1)).fetchone()[0])


def rows_in_all(conn: sqlite3.Connection) -> int:
    """Return how many rows the index has: the first varint of FTS5's averages record."""
    found = conn.execute(_AVERAGES).fetchone()
    number = 0
    for byte in found[0] if found else b"":
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number


def scan(
    conn: sqlite3.Connection,
    things: Sequence[Sequence[str]],
    chosen: Chosen,
    *,
    frequencies: Frequencies = count,
    budget: int = _BUDGET,
) -> Postings:
    """Return the messages that hold the things asked for; each thing is one or several FTS5 phrases.

    Only messages that `chosen` allows are given, before anything is cut.
    """
    found = tuple(Posting() for _ in things)
    asked = [(frequencies(conn, phrase, _COMMON), phrase, n) for n, thing in enumerate(things) for phrase in thing]
    asked = sorted(one for one in asked if one[0])
    rare, common = _divide(asked, budget)
    reading = _Reading(conn, chosen, [_words(thing[0]) for thing in things])
    if reading.by_row_alone:
        reading.best(rare, found)
    else:
        for frequency, phrase, number in rare:
            reading.whole(phrase, frequency, number, found[number])
    if common and reading.session_of:
        reading.holding([phrase for _, phrase, _ in rare], common, found)
    elif common:
        reading.newest(common, found)
    sessions = chosen.how_many_sessions(conn)
    for frequency, _, number in common:
        found[number].whole = False
        found[number].sessions = max(found[number].sessions, frequency)
    for posting in found:
        spread = len({reading.session_of[row] for row in posting.rows})
        posting.sessions = min(max(spread, posting.sessions), sessions)
    return Postings(found, reading.session_of, frozenset(reading.long), sessions)


_Asked = tuple[int, str, int]


def _divide(asked: Iterable[_Asked], budget: int) -> tuple[list[_Asked], list[_Asked]]:
    """Return what is read whole, and the rest; `asked` comes the rarest first."""
    rare, common = [], []
    for one in asked:
        if one[0] <= min(_COMMON, budget):
            budget -= one[0]
            rare.append(one)
        else:
            common.append(one)
    return rare, common


def _words(phrase: str) -> int:
    return phrase.count(" ") + 1


class _Reading:
    """The rows read so far."""

    def __init__(self, conn: sqlite3.Connection, chosen: Chosen, lengths: Sequence[int]) -> None:
        """`lengths` are the words of each thing as it was asked for."""
        self.session_of: dict[int, int] = {}
        self.long: set[int] = set()
        self._conn = conn
        self._lengths = lengths
        self._chosen = chosen.values(conn)
        self.by_row_alone = all(value is None for value in self._chosen[3:])
        self._rows = rows_in_all(conn)
        self._size = chosen.size(conn)

    def whole(self, phrase: str, frequency: int, number: int, posting: Posting) -> None:
        """Read all rows of a phrase, and of bm25's score what says how densely they hold it."""
        rows, sessions, long, scores = read(self._conn, _SCORED, (phrase, _LONG, *self._chosen, _ALL))
        self._know(rows, sessions, long)
        self._take(zip(rows, scores, strict=True), frequency, self._counts(phrase, number), posting)

    def best(self, rare: Sequence[_Asked], found: tuple[Posting, ...]) -> None:
        """Read all rows of phrases; of many, keep those alone whose scores are the largest in sum."""
        bare = []
        sums: dict[int, float] = {}
        for frequency, phrase, number in rare:
            rows, scores = read(self._conn, _BARE, (phrase, *self._chosen[:3]))
            counts = self._counts(phrase, number)
            bare.append((frequency, number, counts, rows, scores))
            for row, score in zip(rows, scores, strict=True):
                sums[row] = sums.get(row, 0.0) + counts * score
        self._ask_of(sums if len(sums) <= _KEPT else nlargest(_KEPT, sums, key=lambda row: (sums[row], row)))
        for frequency, number, counts, rows, scores in bare:
            own = [one for one in zip(rows, scores, strict=True) if one[0] in self.session_of]
            self._take(own, frequency, counts, found[number])
            if len(own) < len(rows):
                # As if the rest were spread over sessions like those that are kept.
                spread = len({self.session_of[row] for row, _ in own})
                guess = min(spread * len(rows) // max(len(own), 1), len(rows))
                found[number].sessions = max(found[number].sessions, guess)

    def _counts(self, phrase: str, number: int) -> float:
        """Return what a phrase counts for that may be only a part of what was asked for."""
        return _PART if _words(phrase) < self._lengths[number] else 1.0

    def _take(self, scored: Iterable[tuple[int, int]], frequency: int, counts: float, posting: Posting) -> None:
        idf = max(math.log((self._rows - frequency + 0.5) / (frequency + 0.5)), 1e-6) * SCALE
        rows, most, counted = posting.rows, (K1 + 1) * 0.999, counts * K1
        for row, score in scored:
            saturated = min(score / idf, most)
            density = counted * saturated / (K1 + 1 - saturated)
            if density > rows.get(row, 0.0):
                rows[row] = density

    def holding(self, rare: list[str], common: list[_Asked], found: tuple[Posting, ...]) -> None:
        """Find which of the rows read hold the common phrases too."""
        any_rare = " OR ".join(rare)
        for _, phrase, number in common:
            rows = found[number].rows
            (holding,) = read(self._conn, _HOLDING, (f"{phrase} AND ({any_rare})",))
            for row in holding:
                if row in self.session_of:
                    rows.setdefault(row, 1.0)

    def newest(self, common: list[_Asked], found: tuple[Posting, ...]) -> None:
        """Read the newest rows that hold everything, and where these are few, those that hold anything."""
        by_thing: dict[int, list[str]] = {}
        for _, phrase, number in common:
            by_thing.setdefault(number, []).append(phrase)
        everything = " AND ".join(f"({' OR '.join(phrases)})" for phrases in by_thing.values())
        full = self._newest(everything, _NEWEST)
        for number in by_thing:
            found[number].rows.update(dict.fromkeys(full, 1.0))
        if len(full) >= _NEWEST // 3 or len(by_thing) == 1:
            return
        for number, phrases in by_thing.items():
            rows = found[number].rows
            for row in self._newest(" OR ".join(phrases), _NEWEST // len(by_thing)):
                rows.setdefault(row, 1.0)

    def _newest(self, match: str, limit: int) -> list[int]:
        if self.by_row_alone:
            statement = _BARE_NEWEST_ASKED if self._asks_each_row(limit) else _BARE_NEWEST
            (rows,) = read(self._conn, statement, (match, *self._chosen[:3], limit))
            self._ask_of(row for row in rows if row not in self.session_of)
            return rows
        rows, sessions, long = read(self._conn, _UNSCORED, (match, _LONG, *self._chosen, limit))
        self._know(rows, sessions, long)
        return rows

    def _asks_each_row(self, limit: int) -> bool:
        """Return whether to ask so many of the newest rows of a project whose they are costs less than to list it.

        As many rows are looked at for each of them as there are rows for each of the project's.
        """
        return self._size > 0 and limit * self._rows * _ASKING < self._size**2

    def _ask_of(self, rows: Iterable[int]) -> None:
        """Ask whose rows are, and which are long replies."""
        asked = sorted(rows)  # in the order in which they lie in the index
        if asked:
            self._know(*read(self._conn, _FACETS, (orjson.dumps(asked).decode(), _LONG)))

    def _know(self, rows: list[int], sessions: list[int], long: list[int]) -> None:
        self.session_of.update(zip(rows, sessions, strict=True))
        self.long.update(row for row, is_long in zip(rows, long, strict=True) if is_long)
