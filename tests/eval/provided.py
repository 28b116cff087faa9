"""The embedding that `MEMD_EMBED_*` names, for the evaluations: asked as the daemon's lane asks it."""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import anyio

from memd.config import load
from memd.models.embed import HttpEmbedder, Use, configured, vectors
from memd.recall.encoding import UNRELATED, Answered, Encoded, Met, encode, meet
from memd.recall.near import Asked

_TEXTS: Final = 32


class Provided:
    """An embedding over HTTP. Raises EmbedFailed where the lane would let the static embedding answer."""

    def __init__(self, embedder: HttpEmbedder) -> None:
        self._embedder = embedder
        self._met: Met = meet((self._ask(UNRELATED, "query"), self._ask(UNRELATED, "document")))
        self.model = f"{embedder.stamp}:{self._met.dimensions}"

    def encode(self, texts: Sequence[str]) -> list[tuple[bytes, bytes]]:
        """Return signs and code of each text."""
        found: list[tuple[bytes, bytes]] = []
        for start in range(0, len(texts), _TEXTS):
            encoded: Encoded = encode(self._ask(texts[start : start + _TEXTS], "document"))
            found += encoded.codes
        return found

    def asked(self, query: str) -> Asked:
        """Return what a search is to compare with."""
        answered = self._ask([query], "query")
        (numbers,) = vectors(answered.api, answered.content, 1)
        return Asked(self.model, array("f", numbers).tobytes(), self._met.floor)

    def _ask(self, texts: Sequence[str], use: Use) -> Answered:
        async def ask() -> bytes:
            try:
                return await self._embedder.ask(texts, use)
            finally:
                await self._embedder.close()

        return Answered(self._embedder.api, self._embedder.url, anyio.run(ask), len(texts))


def provided(env: Mapping[str, str] = os.environ) -> Provided | None:
    """Return the embedding that the environment names, None where it names none; raises EmbedMisconfigured."""
    embedder = configured(load(Path(os.devnull), env).embed, env)
    return None if embedder is None else Provided(embedder)
