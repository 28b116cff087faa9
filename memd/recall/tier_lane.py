"""The lane of a tier: a second embedding, on this machine, that speaks beside the static one.

Its vectors are made by the same job, in small batches, in a process of its own; until all are there, and whenever it
does not answer in time, the static lane answers alone, and the answer says so. The process loads the model when it is
needed and goes some time after. A question that will not wait does not end it: its vector is kept for when it is asked
again.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import anyio

from memd.clock import Clock
from memd.errors import WorkerFailed
from memd.recall.asking import QUERY_CHARS, NearProcess, Wanted
from memd.recall.embedding import MODEL
from memd.recall.encoding import UNRELATED
from memd.recall.making import Code, Maker, keep_only
from memd.recall.near import Asked, Near
from memd.recall.rest import Rest
from memd.recall.semantic import Lane
from memd.recall.tiers import ASK, ENCODE, Texts, Tier
from memd.store import vectors
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

QUERY_S: Final = 0.15
"""How long a search waits for the vector of its question; loading the model takes longer."""
_STEP: Final = 100
_WORK_S: Final = 60.0
_REMEMBERED: Final = 128
_MOST_WAITING: Final = 4


class TierLane:
    """The lane of a tier beside the `static` one. `own` is the pool of its one process; `serve` has to run."""

    def __init__(
        self,
        tier: Tier,
        static: Lane,
        process: NearProcess,
        own: Workers,
        writer: Writer,
        readers: Readers,
        clock: Clock,
        *,
        query_s: float = QUERY_S,
    ) -> None:
        self._tier = tier
        self._static = static
        self._process = process
        self._own = own
        self._writer = writer
        self._readers = readers
        self._query_s = query_s
        self._missing = tier.missing
        self._maker = Maker(tier.model, self._encoded, writer, readers, _STEP)
        self._making, self._asking = Rest(clock), Rest(clock)
        self._busy = anyio.Lock()
        self._tidied = self._whole = False
        self._known: OrderedDict[str, bytes] = OrderedDict()
        self._waiting: dict[str, anyio.Event] = {}
        self._wanted = anyio.Event()

    @property
    def missing(self) -> str | None:
        """Why neither the tier nor the static embedding can run, None when one can."""
        return self._missing and self._static.missing

    @property
    def problem(self) -> str | None:
        """Why the tier is not used, in one sentence; None when all is well."""
        why = self._missing or self._making.error or self._asking.error
        return why and f"The embedding that search.tier names, {self._tier.name}, is not used: {why}."

    async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
        """Return what is nearest by both, or by one of them and why; None and why by neither."""
        found: list[tuple[Near | None, str | None]] = []

        async def by_the_static_one() -> None:
            found.append(await self._static.near(query, wanted))

        async with anyio.create_task_group() as group:
            group.start_soon(by_the_static_one)
            asked = await self._asked(query[:QUERY_CHARS])
        ((near, why_not),) = found
        if isinstance(asked, Asked):
            other, why = await self._process.near(query, wanted, asked)
        else:
            other, why = None, asked
        if near is None:
            return other, f"{why_not}; {why}" if why else why_not
        if other is None:
            return near, f"without {self._tier.name}: {why}"
        return near.with_tier(other), why_not

    async def embed_due(self) -> int:
        """Work out the vectors that are missing, the static ones first; return how many were made."""
        made = await self._static.embed_due()
        if self._busy.locked() or self._making.resting:
            return made
        async with self._busy:
            if not self._tidied:
                await keep_only(self._writer, (MODEL, self._tier.model))
                self._tidied = True
            if self._missing is not None:
                return made
            try:
                while (number := await self._maker.messages()) is not None:
                    # Years of messages take it hours; what is new is found by the static one meanwhile.
                    made += number + await self._static.embed_due()
                while (number := await self._maker.facts()) is not None:
                    made += number
            except WorkerFailed as error:
                self._making.failed(str(error))
                logger.warning("event=tier_failed tier=%s error=%s", self._tier.name, error)
                return made
            self._making.worked()
            self._whole = True
            self._process.keep(self._tier.model)
        return made

    async def serve(self) -> None:
        """Work out the vectors of questions; runs until cancelled."""
        while True:
            await self._wanted.wait()
            self._wanted = anyio.Event()
            while self._waiting:
                query = next(iter(self._waiting))
                await self._work_out(query)
                self._waiting.pop(query).set()

    async def _work_out(self, query: str) -> None:
        try:
            texts = Texts(self._tier.make, (query,))
            (vector,) = await self._own.run(ASK, texts, deadline_s=_WORK_S, priority=Priority.FOREGROUND)
        except WorkerFailed as error:
            self._asking.failed(str(error))
            logger.warning("event=question_not_embedded tier=%s error=%s", self._tier.name, error)
            return
        self._asking.worked()
        self._known[query] = vector
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    async def _asked(self, query: str) -> Asked | str:
        """Return a question's vector, or why there is none."""
        why = self._missing
        for rest in (self._asking, self._making):
            why = why or (rest.error if rest.resting else None)
        if why is not None:
            return why
        if not self._whole:
            share = await self._readers.run(lambda conn: vectors.share_done(conn, self._tier.model))
            return f"its vectors are being made ({share:.0%})"
        vector = await self._vector(query)
        if vector is None:
            return self._asking.error or "it is still being made ready; ask again in a moment"
        return Asked(self._tier.model, vector, self._tier.floor)

    async def _vector(self, query: str) -> bytes | None:
        """Return the vector of a question, of the last ones without asking again; None when it takes too long."""
        if query in self._known:
            self._known.move_to_end(query)
            return self._known[query]
        if query not in self._waiting and len(self._waiting) < _MOST_WAITING:
            self._waiting[query] = anyio.Event()
            self._wanted.set()
        if query in self._waiting:
            with anyio.move_on_after(self._query_s):
                await self._waiting[query].wait()
        return self._known.get(query)

    async def _encoded(self, texts: Sequence[str]) -> Sequence[Code | None]:
        found: list[Code | None] = []
        for start in range(0, len(texts), self._tier.at_once):
            found += await self._codes(texts[start : start + self._tier.at_once])
        return found

    async def _codes(self, texts: Sequence[str]) -> Sequence[Code | None]:
        """Return signs and code of each text, None for one on which the process fails though it works otherwise."""
        try:
            return await self._run(texts)
        except WorkerFailed:
            if len(texts) > 1:
                return [code for text in texts for code in await self._codes([text])]
            await self._run(UNRELATED[:1])  # was it the text, or does nothing work?
            return [None]

    async def _run(self, texts: Sequence[str]) -> list[Code]:
        codes: list[Code] = await self._own.run(ENCODE, Texts(self._tier.make, tuple(texts)), deadline_s=_WORK_S)
        return codes
