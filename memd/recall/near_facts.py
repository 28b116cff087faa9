"""Near facts: the facts that mean something like a question, by their vectors; as `near` does it for messages."""

from __future__ import annotations

from typing import Any, Final

from memd.recall.signs import cosines, nearest
from memd.store import fact_vectors
from memd.store.chosen import ChosenFacts
from memd.store.facts import Connection

_COMPARED: Final = 250
"""Of facts fewer than of messages: there are fewer, and each is looked up with what it is filtered by."""
_GIVEN: Final = 60


class FactIndex:
    """The signs of the vectors that one model made of a store's facts, in memory."""

    def __init__(self, model: str) -> None:
        import numpy as np

        self._numpy = np
        self._model = model
        self._last = 0
        self._ids: Any = np.zeros(0, np.int64)
        self._projects: Any = np.zeros(0, np.int64)
        self._signs: Any = np.zeros((0, 4), np.uint64)

    def refresh(self, conn: Connection) -> None:
        """Take in what the store has got since; what is gone is found out when it is asked for."""
        np = self._numpy
        rows = fact_vectors.newer(conn, self._model, self._last)
        if not rows:
            return
        ids, projects, signs = zip(*rows, strict=True)
        self._last = ids[-1]
        self._ids = np.concatenate((self._ids, np.array(ids, np.int64)))
        self._projects = np.concatenate((self._projects, np.array(projects, np.int64)))
        new = np.frombuffer(b"".join(signs), np.uint64).reshape(len(rows), -1)
        self._signs = np.concatenate((self._signs, new)) if len(self._signs) else new

    def search(self, conn: Connection, asked: Any, floor: float, chosen: ChosenFacts) -> tuple[tuple[int, float], ...]:
        """Return the facts (row ids) nearest to a vector with their cosines, best first."""
        ids, signs = self._ids, self._signs
        if not chosen.all_projects:
            rows = self._numpy.flatnonzero((self._projects == 0) | (self._projects == (chosen.project_id or 0)))
            ids, signs = ids[rows], signs[rows]
        if not len(ids):
            return ()
        found = fact_vectors.codes(conn, ids[nearest(signs, asked, _COMPARED)].tolist(), chosen)
        near = zip((fact for fact, _ in found), cosines([code for _, code in found], asked, floor), strict=True)
        return tuple(sorted(near, key=lambda one: (-one[1], -one[0]))[:_GIVEN])
