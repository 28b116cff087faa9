"""Semantic: the lane that finds by meaning, and the work that keeps its vectors up to date.

Both use worker processes: texts become vectors in the common pool when nothing else is to be done; questions are
answered by one process of their own that stays while somebody searches.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final, Protocol

import anyio

from memd.errors import WorkerFailed
from memd.recall import embedding
from memd.recall.asking import NearProcess, Wanted
from memd.recall.making import Code, Maker, keep_only
from memd.recall.near import Near
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers

logger = logging.getLogger(__name__)

ENCODE: Final = "memd.recall.embedding:encode"
_STEP: Final = 400
_ENCODE_S: Final = 60.0


class Lane(Protocol):
    """What finds messages and facts by their meaning: the static embedding, or a provider with that behind it."""

    @property
    def missing(self) -> str | None:
        """Why the lane cannot run, None when it can."""

    @property
    def problem(self) -> str | None:
        """What is not as it should be, in one sentence, None when all is well."""

    async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
        """Return what is nearest, or None; and what is to be said of it: why not, or why by other means."""

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
        self._missing = embedding.missing()
        self._busy = anyio.Lock()
        self._tidied = not tidies
        self._maker = Maker(embedding.MODEL, self._encoded, writer, readers, _STEP)
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

    async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
        """Return what is nearest among what is wanted, or None and why the lane did not run."""
        if self._missing is not None:
            return None, self._missing
        return await self._process.near(query, wanted)

    async def embed_due(self) -> int:
        """Work out the vectors that are missing, step by step; return how many were made."""
        if self._missing is not None or self._busy.locked():
            return 0
        made = 0
        async with self._busy:
            if not self._tidied:
                await keep_only(self._writer, (embedding.MODEL,))
                self._tidied = True
            for make in (self._maker.messages, self._maker.facts):
                while (number := await make()) is not None:
                    made += number
        return made

    async def _encoded(self, texts: Sequence[str]) -> Sequence[Code | None]:
        """Return signs and codes; none where they cannot be made."""
        try:
            codes: list[Code] = await self._workers.run(ENCODE, texts, deadline_s=_ENCODE_S)
        except WorkerFailed as error:
            # These go without; they are found by their words, and the others must not wait.
            logger.warning("event=embedding_failed texts=%d error=%s", len(texts), error)
            return [None] * len(texts)
        return codes
