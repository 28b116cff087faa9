"""Imagining: what an answer to a question might say, told by a model, so that it is looked for by meaning as well.

Hypothetical document embeddings (Gao et al. 2022, HyDE): an answer that is made up lies nearer to a real one than the
question does. Off by default: it sends questions to a model and waits for it. What is made up is never shown.
"""

from __future__ import annotations

import logging
from typing import Final

import anyio

from memd.clock import Clock
from memd.distill.refiner import BUDGET_KEY
from memd.errors import ModelFailed
from memd.models.budget import Spent, spent
from memd.models.chat import Chat
from memd.store import meta
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.text.redaction import scrub
from memd.text.tokens import estimate_tokens

logger = logging.getLogger(__name__)

COUNTS: Final = 0.9
"""What is near to an imagined answer counts for beside what is near to the question itself."""
_INSTRUCTIONS: Final = (
    "Write what a note from an earlier programming session would say that answers the question: one or two plain"
    " sentences in the language of the question, at most 60 words, no preamble. Invent what you do not know."
)
_MOST_CHARS: Final = 2_000
_MOST_TOKENS: Final = 120


class Imagining:
    """Asks a model for answers, for as long as a search may wait and within the day's budget of tokens."""

    def __init__(
        self, chat: Chat, wait_ms: int, daily_tokens: int, writer: Writer, readers: Readers, clock: Clock
    ) -> None:
        self._chat = chat
        self._wait_s = wait_ms / 1000
        self._daily_tokens = daily_tokens
        self._writer = writer
        self._readers = readers
        self._clock = clock

    async def answer(self, query: str) -> tuple[str | None, str | None]:
        """Return an imagined answer, or None and why there is none; takes no longer than it may."""
        question = scrub(query[:_MOST_CHARS]).text
        before = spent(await self._readers.run(lambda conn: meta.get(conn, BUDGET_KEY)), self._clock.now_ms())
        if before.tokens + estimate_tokens(_INSTRUCTIONS + question) + _MOST_TOKENS > self._daily_tokens:
            return None, f"today's budget of {self._daily_tokens} tokens for the model is used up"
        with anyio.move_on_after(self._wait_s):
            try:
                answered = await self._chat.ask(_INSTRUCTIONS, question, _MOST_TOKENS)
            except ModelFailed as error:
                logger.warning("event=nothing_imagined error=%s", error)
                return None, str(error)
            await self._note(before.plus(answered.tokens))
            return (answered.text[:_MOST_CHARS], None) if answered.text.strip() else (None, "the model said nothing")
        return None, f"the model took longer than {self._wait_s * 1000:.0f} ms"

    async def _note(self, now: Spent) -> None:
        await self._writer.run(lambda conn: meta.put(conn, BUDGET_KEY, now.line), background=True)
