"""Semantic: the lane that finds by meaning, and the work that keeps its vectors up to date.

Both use worker processes: texts become vectors in the common pool when nothing else is to be done; questions are
answered by one process of their own that stays while somebody searches.
"""

from __future__ import annotations

import logging
from typing import Final, Protocol

import anyio

from memd.errors import WorkerFailed
from memd.recall import embedding
from memd.recall.asking import NearProcess
from memd.recall.near import Near
from memd.store import vectors
from memd.store.chosen import Chosen
from memd.store.facts import Connection
from memd.store.readers import Readers
from memd.store.vectors import Step, Vector
from memd.store.writer import Writer
from memd.workers.pool import Workers

logger = logging.getLogger(__name__)

ENCODE: Final = "memd.recall.embedding:encode"
_STEP: Final = 400
_ENCODE_S: Final = 60.0


class Lane(Protocol):
    """What finds messages by their meaning: the static embedding, or a provider with the static one behind it."""

    @property
    def missing(self) -> str | None:
        """Why the lane cannot run, None when it can."""

    @property
    def problem(self) -> str | None:
        """What is not as it should be, in one sentence, None when all is well."""

    async def near(self, query: str, chosen: Chosen) -> tuple[Near | None, str | None]:
        """Return the nearest messages, or None; and what is to be said of it: why not, or why by other means."""

    async def embed_due(self) -> int:
        """Work out the vectors that are missing; return how many were made."""


class StaticLane:
    """The lane of the static embedding. `process` answers questions, `workers` make vectors.

    Where it `tidies`, the vectors of all other models are let go of.
    """

    def __init__(
        self, process: NearProcess, workers: Workers, writer: Writer, readers: Readers, *, tidies: bool = True
    ) -> None:
        self._process = process
        self._workers = workers
        self._writer = writer
        self._readers = readers
        self._missing = embedding.missing()
        self._busy = anyio.Lock()
        self._tidied = not tidies
        if self._missing is None:
            process.keep(embedding.MODEL)

    @property
    def missing(self) -> str | None:
        """Why the lane cannot run, None when it can."""
        return self._missing

    @property
    def problem(self) -> str | None:
        """None: that the lane cannot run is no trouble, memd works without."""
        return None

    async def near(self, query: str, chosen: Chosen) -> tuple[Near | None, str | None]:
        """Return the nearest messages among those chosen, or None and why the lane did not run."""
        if self._missing is not None:
            return None, self._missing
        return await self._process.near(query, chosen)

    async def embed_due(self) -> int:
        """Work out the vectors that are missing, step by step; return how many were made."""
        if self._missing is not None or self._busy.locked():
            return 0
        made = 0
        async with self._busy:
            await self._tidy()
            while (step := await self._readers.run(_next)) is not None:
                made += await self._embed(step)
        return made

    async def _tidy(self) -> None:
        more = not self._tidied
        while more:
            more = await self._writer.run(lambda conn: vectors.tidy(conn, (embedding.MODEL,)), background=True)
        self._tidied = True

    async def _embed(self, step: Step) -> int:
        found: list[Vector] = []
        if step.due:
            texts = [due.text for due in step.due]
            try:
                codes = await self._workers.run(ENCODE, texts, deadline_s=_ENCODE_S)
            except WorkerFailed as error:
                # These messages go without; they are found by their words, and the others must not wait.
                logger.warning("event=embedding_failed messages=%d error=%s", len(texts), error)
                codes = []
            found = [Vector(due, signs, code) for due, (signs, code) in zip(step.due, codes, strict=False)]
        await self._writer.run(lambda conn: vectors.add(conn, embedding.MODEL, step, found), background=True)
        return len(found)


def _next(conn: Connection) -> Step | None:
    return vectors.next_step(conn, embedding.MODEL, _STEP)
