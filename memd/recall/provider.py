"""Provider: the lane of an embedding that is asked over HTTP, with the static one behind it.

Both keep their vectors. The provider's are made by the same job, in small batches; until all are there, and whenever
it does not answer in time, the static lane answers instead, and the answer says so. After a failure it is left alone
for a while, twice as long with each further one.
"""

from __future__ import annotations

import importlib.util
import logging
import math
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeAlias

import anyio

from memd.clock import Clock
from memd.errors import EmbedFailed, WorkerFailed
from memd.models.embed import HttpEmbedder, vectors
from memd.recall.asking import QUERY_CHARS, NearProcess, Wanted
from memd.recall.embedding import MODEL
from memd.recall.encoding import ENCODE, MEET, UNRELATED, Answered, Encoded, Met
from memd.recall.near import Asked, Near
from memd.recall.rest import Rest
from memd.recall.semantic import Lane
from memd.store import fact_vectors, meta
from memd.store import vectors as stored
from memd.store.fact_vectors import DueFact
from memd.store.readers import Readers
from memd.store.vectors import Step, Vector
from memd.store.writer import Writer
from memd.text.redaction import scrub
from memd.workers.pool import Workers

logger = logging.getLogger(__name__)

Code: TypeAlias = tuple[bytes, bytes]

QUERY_S: Final = 0.8
"""How long a search waits for the vector of its question."""
_STEP: Final = 200
_TEXTS: Final = 32
"""Texts a request; so many of the longest are well below what the providers take at once."""
_SHORT_CHARS: Final = 1_000
"""What is sent of a text that was refused: many small models read no more."""
_ENCODE_S: Final = 60.0
_REMEMBERED: Final = 128
_KNOWN_BY: Final = "vectors.known_by"
"""The note of the stamp of the provider's vectors, and of the signs by which its model is known again."""


class ProviderLane:
    """The lane of a provider. `static` answers where it cannot, or takes longer than `query_s` for a question."""

    def __init__(
        self,
        embedder: HttpEmbedder,
        static: Lane,
        process: NearProcess,
        workers: Workers,
        writer: Writer,
        readers: Readers,
        clock: Clock,
        *,
        query_s: float = QUERY_S,
    ) -> None:
        self._query_s = query_s
        self._embedder = embedder
        self._static = static
        self._process = process
        self._workers = workers
        self._writer = writer
        self._readers = readers
        self._missing = None if importlib.util.find_spec("numpy") else "the package numpy is not installed"
        self._busy = anyio.Lock()
        self._met: Met | None = None
        self._whole = False
        self._refused = 0
        self._making = Rest(clock)
        self._asking = Rest(clock)
        self._known: OrderedDict[str, bytes] = OrderedDict()

    @property
    def missing(self) -> str | None:
        """Why neither the provider nor the static embedding can run, None when one can."""
        return self._missing and self._static.missing

    @property
    def problem(self) -> str | None:
        """Why the provider was not used last, or what it would not take, in one sentence; None when all is well."""
        if self._missing is not None:
            return f"The embedding at {self._embedder.url} is not used: {self._missing}."
        error = self._making.error or self._asking.error
        if error is not None:
            return f"{error} The static embedding answers until it does."
        if self._refused:
            return f"The embedding at {self._embedder.url} refused the texts of {self._refused} messages."
        return None

    async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
        """Return what is nearest by the provider, else by the static lane and why; None and why by neither."""
        asked = await self._asked(query)
        if isinstance(asked, Asked):
            return await self._process.near(query, wanted, asked)
        found, why_not = await self._static.near(query, wanted)
        return found, f"by the static embedding: {asked}" if found is not None else f"{asked}; {why_not}"

    async def embed_due(self) -> int:
        """Work out the vectors that are missing, the static ones first; return how many were made."""
        made = await self._static.embed_due()
        if self._missing is not None or self._busy.locked() or self._making.resting:
            return made
        async with self._busy:
            try:
                met = self._met or await self._meet()
                model = self._stamp(met)
                while (step := await self._readers.run(lambda conn: stored.next_step(conn, model, _STEP))) is not None:
                    made += await self._embed(step, met)
                    # Of years of messages the provider has for hours; what is new is found meanwhile.
                    made += await self._static.embed_due()
                while some := await self._readers.run(partial(fact_vectors.due, model=model, most=_TEXTS)):
                    made += await self._embed_facts(some, model, met)
            except (EmbedFailed, WorkerFailed) as error:
                self._making.failed(str(error))
                logger.warning("event=embedding_failed error=%s", error)
            else:
                self._whole = self._met is met
                self._making.worked()
        return made

    def _stamp(self, met: Met) -> str:
        """Return what vectors are marked with."""
        return f"{self._embedder.stamp}:{met.dimensions}"

    async def _asked(self, query: str) -> Asked | str:
        """Return a question's vector, or why there is none."""
        met, why = self._met, self._missing
        for rest in (self._asking, self._making):
            why = why or (rest.error if rest.resting else None)
        if why is not None or met is None:
            return why or self._making.error or f"the embedding at {self._embedder.url} was not asked yet"
        model = self._stamp(met)
        if not self._whole:
            share = await self._readers.run(lambda conn: stored.share_done(conn, model))
            return f"the provider's vectors are being made ({share:.0%})"
        try:
            vector = await self._vector(query[:QUERY_CHARS], met)
        except EmbedFailed as error:
            self._asking.failed(str(error))
            logger.warning("event=question_not_embedded error=%s", error)
            return str(error)
        return Asked(model, vector, met.floor)

    async def _vector(self, query: str, met: Met) -> bytes:
        """Return the vector of a question, of the last ones without asking again; raises EmbedFailed."""
        if query in self._known:
            self._known.move_to_end(query)
            return self._known[query]
        # What was said is kept without secrets; what is asked comes as it is.
        content = await self._embedder.ask([scrub(query).text], "query", timeout_s=self._query_s)
        try:
            (numbers,) = vectors(self._embedder.api, content, 1)
        except ValueError as error:
            raise EmbedFailed(self._embedder.url, str(error)) from error
        self._check(len(numbers), met)
        self._asking.worked()
        length = math.hypot(*numbers)
        self._known[query] = array("f", [number / length for number in numbers]).tobytes()
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return self._known[query]

    async def _meet(self) -> Met:
        """Get to know the model, then let go of the vectors of those that were asked before."""
        url, api, count = self._embedder.url, self._embedder.api, len(UNRELATED)
        questions = Answered(api, url, await self._embedder.ask(UNRELATED, "query"), count)
        texts = Answered(api, url, await self._embedder.ask(UNRELATED, "document"), count)
        met: Met = await self._workers.run(MEET, (questions, texts), deadline_s=_ENCODE_S)
        model = self._stamp(met)
        # Some endpoints answer with whatever model they have loaded, by whatever name it is asked for.
        known = await self._readers.run(lambda conn: meta.get(conn, _KNOWN_BY))
        same = known is None or met.is_like(bytes.fromhex(known.rpartition(" ")[2]))
        for kept in ((MODEL, model),) if same else ((MODEL,), (MODEL, model)):
            await self._tidy(kept)
        await self._writer.run(lambda conn: meta.put(conn, _KNOWN_BY, f"{model} {met.signs.hex()}"), background=True)
        self._known.clear()
        self._process.keep(model)
        self._met = met
        logger.info("event=embedding_met model=%s floor=%s", model, met.floor)
        return met

    async def _tidy(self, kept: Sequence[str]) -> None:
        for tidy in (stored.tidy, fact_vectors.tidy):
            while await self._writer.run(partial(tidy, models=kept), background=True):
                continue

    async def _embed(self, step: Step, met: Met) -> int:
        found: list[Code | None] = []
        for start in range(0, len(step.due), _TEXTS):
            found += await self._codes([due.text for due in step.due[start : start + _TEXTS]], met)
        if found and not any(found):
            # Was it the texts, or does it refuse everything? Only then the messages may go without.
            await self._embedder.ask(UNRELATED, "document")
        made = [Vector(due, *code) for due, code in zip(step.due, found, strict=True) if code is not None]
        model = self._stamp(met)
        await self._writer.run(lambda conn: stored.add(conn, model, step, made), background=True)
        self._refused += len(found) - len(made)
        return len(made)

    async def _embed_facts(self, some: Sequence[DueFact], model: str, met: Met) -> int:
        found = await self._codes([one.text for one in some], met)
        pairs = [(one, code or (b"", b"")) for one, code in zip(some, found, strict=True)]
        await self._writer.run(lambda conn: fact_vectors.add(conn, model, pairs), background=True)
        return len(found)

    async def _codes(self, texts: Sequence[str], met: Met) -> list[Code | None]:
        """Return signs and code of each text, None for one that the provider refuses, also when it is shortened."""
        try:
            content = await self._embedder.ask(texts, "document")
        except EmbedFailed as error:
            if not error.refused:
                raise
            if len(texts) > 1:
                half = len(texts) // 2
                return await self._codes(texts[:half], met) + await self._codes(texts[half:], met)
            return await self._codes([texts[0][:_SHORT_CHARS]], met) if len(texts[0]) > _SHORT_CHARS else [None]
        answered = Answered(self._embedder.api, self._embedder.url, content, len(texts))
        encoded: Encoded = await self._workers.run(ENCODE, answered, deadline_s=_ENCODE_S)
        self._check(encoded.dimensions, met)
        return list(encoded.codes)

    def _check(self, dimensions: int, met: Met) -> None:
        """Raise EmbedFailed where a vector is not of the model that was met; the next job meets it anew."""
        if met.dimensions != dimensions:
            self._met, self._whole = None, False
            raise EmbedFailed(self._embedder.url, f"its vectors have {dimensions} dimensions and had {met.dimensions}")
