"""Near: the messages that mean something like a question, by their vectors.

The signs of all vectors are held in memory, 32 bytes each; they find some hundred candidates, which are then
compared exactly by their int8 codes from the store. On half a million vectors that takes under 20 ms and misses two in
a hundred of the ten best; an index would cost minutes to build and more memory.

Runs in a process of its own that goes when nobody searches, because numpy and the signs are more than an idle daemon
may weigh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from memd.recall.embedding import MODEL, embedder, signs
from memd.store import vectors
from memd.store.connection import connect_reader
from memd.store.facts import Connection

TASK: Final = "memd.recall.near:near"
WARM_UP: Final = "memd.recall.near:warm_up"
_COMPARED: Final = 500
_PIECE: Final = 32_768
_WORDS_OF_256: Final = 4


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
    """

    database: Path
    query: str
    sessions: tuple[int, ...] | None = None
    since: int | None = None
    until: int | None = None
    replies: bool | None = None
    asked: Asked | None = None


@dataclass(frozen=True, slots=True)
class Warmth:
    """What a process is to have ready: the signs of which models."""

    database: Path
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest messages: row id, row id of the session, cosine."""

    messages: tuple[tuple[int, int, float], ...]


def near(request: NearRequest) -> Near:
    """Return the messages nearest to a query. A task for a worker process, which keeps what it has loaded."""
    conn, index = _opened(request.database, MODEL if request.asked is None else request.asked.model)
    index.refresh(conn)
    return index.search(conn, request)


def warm_up(warmth: Warmth) -> None:
    """Load what `near` needs. A task for the same process."""
    for model in warmth.models:
        conn, index = _opened(warmth.database, model)
        index.refresh(conn)
    if MODEL in warmth.models:
        embedder()


class SignIndex:
    """The signs of a store's vectors of one model in memory."""

    def __init__(self, model: str = MODEL) -> None:
        import numpy as np

        self._numpy = np
        self._model = model
        self._last = 0
        self._messages: Any = np.zeros(0, np.int64)
        self._sessions: Any = np.zeros(0, np.int64)
        self._at: Any = np.zeros(0, np.int64)
        self._replies: Any = np.zeros(0, bool)
        self._signs: Any = np.zeros((0, 4), np.uint64)

    def refresh(self, conn: Connection) -> None:
        """Take in what the store has got since."""
        np = self._numpy
        rows = vectors.newer(conn, self._model, self._last)
        if not rows:
            return
        ids, messages, sessions, at, replies, signs = zip(*rows, strict=True)
        self._last = ids[-1]
        self._messages = np.concatenate((self._messages, np.array(messages, np.int64)))
        self._sessions = np.concatenate((self._sessions, np.array(sessions, np.int64)))
        self._at = np.concatenate((self._at, np.array(at, np.int64)))
        self._replies = np.concatenate((self._replies, np.array(replies, bool)))
        new = np.frombuffer(b"".join(signs), np.uint64).reshape(len(rows), -1)
        self._signs = np.concatenate((self._signs, new)) if len(self._signs) else new

    def search(self, conn: Connection, request: NearRequest) -> Near:
        """Return the messages nearest to the query among those asked for."""
        np = self._numpy
        given = request.asked
        asked = embedder().embed([request.query])[0] if given is None else np.frombuffer(given.vector, np.float32)
        rows = self._chosen(request)
        held = self._signs if rows is None else self._signs[rows]
        if not len(held) or not asked.any():
            return Near(())
        apart = self._apart(held, signs(asked[None]).view(np.uint64)[0])
        some = len(apart) > _COMPARED
        best = np.argpartition(apart, _COMPARED)[:_COMPARED] if some else np.arange(len(apart))
        candidates = self._messages[best if rows is None else rows[best]]
        near = self._compared(conn, asked, candidates.tolist(), 0.0 if given is None else given.floor)
        if request.sessions is None:
            return near
        # Whose a message is may have changed since its signs were taken in; that it is another's is not given away.
        within = frozenset(request.sessions)
        return Near(tuple(one for one in near.messages if one[1] in within))

    def _apart(self, held: Any, asked: Any) -> Any:
        """Return in how many signs each vector differs from the one asked for, piece by piece as the caches like it.

        The four counts of a row of 256 are added by one multiplication; 256, all signs the other way, would come out as
        0, and comparing the codes puts that right.
        """
        np = self._numpy
        four = held.shape[1] == _WORDS_OF_256
        apart = np.empty(len(held), np.uint8 if four else np.uint16)
        for start in range(0, len(held), _PIECE):
            counts = np.bitwise_count(held[start : start + _PIECE] ^ asked)
            if not four:
                apart[start : start + _PIECE] = counts.sum(axis=1, dtype=np.uint16)
                continue
            apart[start : start + _PIECE] = (counts.view(np.uint32).ravel() * np.uint32(0x01010101)) >> np.uint32(24)
        return apart

    def _chosen(self, request: NearRequest) -> Any:
        """Return the places of the vectors that may be given, None for all."""
        np = self._numpy
        if (request.sessions, request.since, request.until, request.replies) == (None, None, None, None):
            return None
        keep = np.ones(len(self._messages), bool)
        if request.sessions is not None:
            keep &= np.isin(self._sessions, np.array(request.sessions, np.int64))
        if request.since is not None:
            keep &= self._at >= request.since
        if request.until is not None:
            keep &= (self._at < request.until) & (self._at > 0)
        if request.replies is not None:
            keep &= self._replies == request.replies
        return np.flatnonzero(keep)

    def _compared(self, conn: Connection, asked: Any, messages: Sequence[int], floor: float) -> Near:
        np = self._numpy
        found = vectors.codes(conn, self._model, messages)
        if not found:
            return Near(())
        codes = np.frombuffer(b"".join(code for _, _, code in found), np.int8).reshape(len(found), -1)
        codes = codes.astype(np.float32)
        cosines = codes @ asked / np.maximum(np.linalg.norm(codes, axis=1), 1e-9)
        cosines = (cosines - floor) / (1 - floor)
        return Near(tuple(
            (message, session, round(float(cosine), 4))
            for (message, session, _), cosine in zip(found, cosines, strict=True)
        ))  # fmt: skip


@cache
def _opened(database: Path, model: str) -> tuple[Connection, SignIndex]:
    return connect_reader(database), SignIndex(model)
