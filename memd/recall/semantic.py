"""Semantic: the lane that finds by meaning, and the work that keeps its vectors up to date.

Both use worker processes: texts become vectors in the common pool when nothing else is to be done; questions are
answered by one process of their own that stays while somebody searches.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final, Protocol

import anyio

from memd.errors import WorkerFailed
from memd.recall import embedding
from memd.recall import near as nearby
from memd.recall.near import Near, NearRequest
from memd.store import vectors
from memd.store.chosen import Chosen
from memd.store.facts import Connection
from memd.store.readers import Readers
from memd.store.vectors import Step, Vector
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

ENCODE: Final = "memd.recall.embedding:encode"
_STEP: Final = 400
_ENCODE_S: Final = 60.0
_ANSWER_S: Final = 3.0
_WARM_UP_S: Final = 300.0
_PATIENCE_S: Final = 1.5
"""How long a question waits for the signs to be read; of half a million messages that takes a second."""
_QUERY_CHARS: Final = 4_000


class Lane(Protocol):
    """What finds messages by their meaning; another embedding or a provider answers the same way."""

    @property
    def missing(self) -> str | None:
        """Why the lane cannot run, None when it can."""

    async def near(self, query: str, chosen: Chosen) -> tuple[Near | None, str | None]:
        """Return the nearest messages, or None and why."""

    async def embed_due(self) -> int:
        """Work out the vectors that are missing; return how many were made."""


class StaticLane:
    """The lane of the static embedding. `asking` is the pool of its one process, `workers` the common one."""

    def __init__(self, database: Path, asking: Workers, workers: Workers, writer: Writer, readers: Readers) -> None:
        self._database = database
        self._asking = asking
        self._workers = workers
        self._writer = writer
        self._readers = readers
        self._missing = embedding.missing()
        self._busy = anyio.Lock()
        self._wanted = anyio.Event()
        self._warmed = anyio.Event()
        self._warm: tuple[int, ...] = ()
        self._tidied = False

    @property
    def missing(self) -> str | None:
        """Why the lane cannot run, None when it can."""
        return self._missing

    async def near(self, query: str, chosen: Chosen) -> tuple[Near | None, str | None]:
        """Return the nearest messages among those chosen, or None and why the lane did not run.

        `serve` has to run for it.
        """
        if self._missing is not None:
            return None, self._missing
        if not await self._is_warm():
            return None, "is still being made ready; ask again in a moment"
        sessions = await self._readers.run(chosen.sessions)
        request = NearRequest(
            self._database,
            query[:_QUERY_CHARS],
            None if sessions is None else tuple(sessions),
            chosen.since,
            chosen.until,
            None if chosen.role is None else chosen.role == "assistant",
        )
        try:
            found: Near = await self._asking.run(
                nearby.TASK, request, deadline_s=_ANSWER_S, priority=Priority.FOREGROUND
            )
        except WorkerFailed as error:
            return None, str(error)
        return found, None

    async def serve(self) -> None:
        """Make the process that answers ready whenever a question finds none; runs until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            try:
                await self._asking.run(nearby.WARM_UP, self._database, deadline_s=_WARM_UP_S)
            except WorkerFailed as error:
                logger.warning("event=semantic_not_ready error=%s", error)
                continue
            self._warm = self._asking.status().processes
            self._warmed.set()

    async def _is_warm(self) -> bool:
        """Tell whether the process is there with all it needs; if it is not, ask for it and wait a little."""
        if self._warm and self._warm == self._asking.status().processes:
            return True
        if self._warmed.is_set():
            self._warmed = anyio.Event()
        self._wanted.set()
        with anyio.move_on_after(_PATIENCE_S):
            await self._warmed.wait()
            return True
        return False

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
            more = await self._writer.run(lambda conn: vectors.tidy(conn, embedding.MODEL), background=True)
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
