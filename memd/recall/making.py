"""Making: the vectors of one model that are missing are worked out, step by step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from memd.store import fact_vectors, vectors
from memd.store.fact_vectors import DueFact
from memd.store.facts import Connection
from memd.store.readers import Readers
from memd.store.vectors import Vector
from memd.store.writer import Writer

Code: TypeAlias = tuple[bytes, bytes]
"""Signs and code of one text, as they are stored."""

Encode: TypeAlias = Callable[[Sequence[str]], Awaitable[Sequence[Code | None]]]
"""Gives the code of each text; None for one that gets none, which then goes without for good."""

_WITHOUT: Final[Code] = (b"", b"")


class Maker:
    """Makes the vectors of one model, `most` texts a step; `encode` may raise, then the rest is left for later."""

    def __init__(self, model: str, encode: Encode, writer: Writer, readers: Readers, most: int) -> None:
        self._model = model
        self._encode = encode
        self._writer = writer
        self._readers = readers
        self._most = most

    async def messages(self) -> int | None:
        """Make the next messages' vectors and return how many there were; None when all are there."""
        step = await self._readers.run(partial(vectors.next_step, model=self._model, most=self._most))
        if step is None:
            return None
        codes = await self._encode([due.text for due in step.due]) if step.due else ()
        found = [Vector(due, *code) for due, code in zip(step.due, codes, strict=True) if code is not None]
        await self._writer.run(lambda conn: vectors.add(conn, self._model, step, found), background=True)
        return len(found)

    async def facts(self) -> int | None:
        """Make the next facts' vectors and return how many there were; None when all are there."""
        some: list[DueFact] = await self._readers.run(partial(fact_vectors.due, model=self._model, most=self._most))
        if not some:
            return None
        codes = [code or _WITHOUT for code in await self._encode([one.text for one in some])]
        pairs = tuple(zip(some, codes, strict=True))
        await self._writer.run(lambda conn: fact_vectors.add(conn, self._model, pairs), background=True)
        return len(pairs)


async def keep_only(writer: Writer, models: Sequence[str]) -> None:
    """Let go of the vectors of all other models."""

    def tidy(conn: Connection) -> bool:
        more = vectors.tidy(conn, models)
        return fact_vectors.tidy(conn, models) or more

    while await writer.run(tidy, background=True):
        continue
