"""Near: the messages and facts that mean something like a question, by their vectors.

The signs of all vectors are held in memory, 32 bytes each; they find some hundred candidates, which are then
compared exactly by their int8 codes from the store. On half a million vectors that takes under 20 ms and misses two in
a hundred of the ten best; an index would cost minutes to build and more memory.

Runs in a process of its own that goes when nobody searches, because numpy and the signs are more than an idle daemon
may weigh.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from memd.recall.embedding import MODEL, embedder
from memd.recall.near_facts import FactIndex
from memd.recall.signs import cosines, nearest
from memd.store import vectors
from memd.store.chosen import Chosen, ChosenFacts
from memd.store.connection import connect_reader
from memd.store.facts import Connection

TASK: Final = "memd.recall.near:near"
WARM_UP: Final = "memd.recall.near:warm_up"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's vector that somebody else made: the stamp of the model, the numbers as float32.

    `floor` is the cosine that the model gives to texts which have nothing to do with each other. Of some models it is
    0.8; what lies above it is stretched to 0..1, so that the cosines of all models say the same.
    """

    model: str
    vector: bytes
    floor: float = 0.0


@dataclass(frozen=True, slots=True)
class NearRequest:
    """What to look for, in which store, and where: sessions by row id (None: all), from when to when,
    and only replies or only what was asked (None: both). Without `asked` the static embedding reads the query.
    Messages are looked for unless they are not wanted, facts if any are (`facts`).
    """

    database: Path
    query: str
    sessions: tuple[int, ...] | None = None
    since: int | None = None
    until: int | None = None
    replies: bool | None = None
    asked: Asked | None = None
    messages: bool = True
    facts: ChosenFacts | None = None
    of: Chosen | None = None
    """Messages of which sessions, where these are to be looked up first."""


@dataclass(frozen=True, slots=True)
class Warmth:
    """What a process is to have ready: the signs of which models."""

    database: Path
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest messages (row id, row id of the session, cosine) and the nearest facts (row id, cosine)."""

    messages: tuple[tuple[int, int, float], ...] = ()
    facts: tuple[tuple[int, float], ...] = ()
    tier: Near | None = None
    """What a second embedding says to the same question, None where none was asked."""

    def cosines_of_facts(self) -> dict[int, float]:
        """Return the cosines of facts, of two embeddings the larger one."""
        found = dict(self.facts)
        for fact, cosine in self.tier.facts if self.tier else ():
            found[fact] = max(found.get(fact, cosine), cosine)
        return found

    def with_tier(self, tier: Near) -> Near:
        """Return this with what a second embedding says."""
        return replace(self, tier=tier)

    def with_other(self, other: Near, counts: float) -> Near:
        """Return what is near to either of two texts; how near to the other counts only so much."""
        messages = {(message, session): cosine for message, session, cosine in self.messages}
        for message, session, cosine in other.messages:
            messages[message, session] = max(messages.get((message, session), 0.0), counts * cosine)
        facts = dict(self.facts)
        for fact, cosine in other.facts:
            facts[fact] = max(facts.get(fact, 0.0), counts * cosine)
        return Near(
            tuple((*key, cosine) for key, cosine in messages.items()),
            tuple(sorted(facts.items(), key=lambda one: (-one[1], -one[0]))),
            self.tier if other.tier is None or self.tier is None else self.tier.with_other(other.tier, counts),
        )


def near(request: NearRequest) -> Near:
    """Return what is nearest to a query. A task for a worker process, which keeps what it has loaded."""
    conn, indexes = _opened(request.database, MODEL if request.asked is None else request.asked.model)
    indexes.refresh(conn)
    sessions = None if request.of is None else request.of.sessions(conn)
    return indexes.search(conn, request if sessions is None else replace(request, sessions=tuple(sessions)))


def warm_up(warmth: Warmth) -> None:
    """Load what `near` needs. A task for the same process."""
    for model in warmth.models:
        conn, indexes = _opened(warmth.database, model)
        indexes.refresh(conn)
    if MODEL in warmth.models:
        embedder()


class Indexes:
    """What one model made of a store's messages and facts."""

    def __init__(self, model: str = MODEL) -> None:
        self._messages = MessageIndex(model)
        self._facts = FactIndex(model)

    def refresh(self, conn: Connection) -> None:
        """Take in what the store has got since."""
        self._messages.refresh(conn)
        self._facts.refresh(conn)

    def search(self, conn: Connection, request: NearRequest) -> Near:
        """Return what is nearest to the query among what is asked for."""
        import numpy as np

        given = request.asked
        asked = embedder().embed([request.query])[0] if given is None else np.frombuffer(given.vector, np.float32)
        floor = 0.0 if given is None else given.floor
        if not asked.any():
            return Near()
        return Near(
            self._messages.search(conn, asked, floor, request) if request.messages else (),
            () if request.facts is None else self._facts.search(conn, asked, floor, request.facts),
        )


class MessageIndex:
    """The signs of the vectors that one model made of a store's messages, in memory."""

    def __init__(self, model: str) -> None:
        import numpy as np

        self._numpy = np
        self._model = model
        self._last = 0
        self._ids: Any = np.zeros(0, np.int64)
        self._sessions: Any = np.zeros(0, np.int64)
        self._at: Any = np.zeros(0, np.int64)
        self._replies: Any = np.zeros(0, bool)
        self._signs: Any = np.zeros((0, 4), np.uint64)

    def refresh(self, conn: Connection) -> None:
        """Take in what the store has got since."""
        np = self._numpy
        read = []
        while (new := vectors.newer(conn, self._model, self._last)) is not None:
            ids = self._numbers(new.ids)
            self._last = int(ids[-1])
            signs = np.frombuffer(bytes.fromhex(new.signs), np.uint64).reshape(len(ids), -1)
            replies = self._numbers(new.replies).astype(bool)
            read.append((ids, self._numbers(new.sessions), self._numbers(new.at), replies, signs))
        if not read:
            return
        ids, sessions, at, replies, signs = zip(*read, strict=True)
        self._ids = np.concatenate((self._ids, *ids))
        self._sessions = np.concatenate((self._sessions, *sessions))
        self._at = np.concatenate((self._at, *at))
        self._replies = np.concatenate((self._replies, *replies))
        self._signs = np.concatenate((self._signs, *signs) if len(self._signs) else signs)

    def _numbers(self, text: str) -> Any:
        return self._numpy.fromstring(text, self._numpy.int64, sep=",")

    def search(
        self, conn: Connection, asked: Any, floor: float, request: NearRequest
    ) -> tuple[tuple[int, int, float], ...]:
        """Return the messages nearest to a vector among those requested: message, session, cosine."""
        rows = self._chosen(request)
        held = self._signs if rows is None else self._signs[rows]
        if not len(held):
            return ()
        best = nearest(held, asked)
        candidates = self._ids[best if rows is None else rows[best]]
        found = vectors.codes(conn, candidates.tolist())
        if not found:
            return ()
        rows, sessions, coded = zip(*found, strict=True)
        return tuple(zip(rows, sessions, cosines(coded, asked, floor), strict=True))

    def _chosen(self, request: NearRequest) -> Any:
        """Return the places of the vectors that may be given, None for all."""
        np = self._numpy
        if (request.sessions, request.since, request.until, request.replies) == (None, None, None, None):
            return None
        keep = np.ones(len(self._ids), bool)
        if request.sessions is not None:
            keep &= np.isin(self._sessions, np.array(request.sessions, np.int64))
        if request.since is not None:
            keep &= self._at >= request.since
        if request.until is not None:
            keep &= (self._at < request.until) & (self._at > 0)
        if request.replies is not None:
            keep &= self._replies == request.replies
        return np.flatnonzero(keep)


@cache
def _opened(database: Path, model: str) -> tuple[Connection, Indexes]:
    return connect_reader(database), Indexes(model)
