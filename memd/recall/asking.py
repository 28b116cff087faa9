"""Asking: the one process that answers by meaning, made ready when somebody searches and kept while they do."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio

from memd.errors import WorkerFailed
from memd.recall.near import TASK, WARM_UP, Asked, Near, NearRequest, Warmth
from memd.store.chosen import Chosen, ChosenFacts
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

QUERY_CHARS: Final = 4_000
_ANSWER_S: Final = 3.0
_WARM_UP_S: Final = 300.0
_PATIENCE_S: Final = 1.5
"""How long a question waits for the signs to be read; of half a million messages that takes a second."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which messages and which facts are looked for; None: none."""

    messages: Chosen | None
    facts: ChosenFacts | None = None


class NearProcess:
    """Answers questions from the vectors of a store. `asking` is the pool of the one process; `serve` has to run."""

    def __init__(self, database: Path, asking: Workers) -> None:
        self._database = database
        self._asking = asking
        self._models: tuple[str, ...] = ()
        self._wanted = anyio.Event()
        self._warmed = anyio.Event()
        self._warm: tuple[tuple[int, ...], tuple[str, ...]] = ((), ())

    def keep(self, model: str) -> None:
        """Have the signs of a model's vectors ready, too."""
        if model not in self._models:
            self._models = (*self._models, model)

    async def near(self, query: str, wanted: Wanted, asked: Asked | None = None) -> tuple[Near | None, str | None]:
        """Return what is nearest to a query (by its vector, where `asked` has one), or None and why."""
        chosen = wanted.messages or Chosen()
        if not await self._is_warm():
            return None, "is still being made ready; ask again in a moment"
        request = NearRequest(
            self._database,
            query[:QUERY_CHARS],
            None,
            chosen.since,
            chosen.until,
            None if chosen.role is None else chosen.role == "assistant",
            asked,
            messages=wanted.messages is not None,
            facts=wanted.facts,
            of=wanted.messages,
        )
        try:
            found: Near = await self._asking.run(
                TASK, request, deadline_s=_ANSWER_S, priority=Priority.FOREGROUND, small=True
            )
        except WorkerFailed as error:
            return None, str(error)
        return found, None

    async def serve(self) -> None:
        """Make the process ready whenever a question finds none; runs until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            models = self._models
            try:
                await self._asking.run(WARM_UP, Warmth(self._database, models), deadline_s=_WARM_UP_S)
            except WorkerFailed as error:
                logger.warning("event=semantic_not_ready error=%s", error)
                continue
            self._warm = (self._asking.status().processes, models)
            self._warmed.set()

    async def _is_warm(self) -> bool:
        """Tell whether the process is there with all it needs; if it is not, ask for it and wait a little."""
        if self._warm[0] and self._warm == (self._asking.status().processes, self._models):
            return True
        if self._warmed.is_set():
            self._warmed = anyio.Event()
        self._wanted.set()
        with anyio.move_on_after(_PATIENCE_S):
            await self._warmed.wait()
            return True
        return False
