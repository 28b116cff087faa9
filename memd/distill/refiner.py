"""The refiner: asks a model, where one is set, what of a session is worth keeping, within a daily budget of tokens.

It never stands in the way: without a model, over the budget, or when the model fails in any way, the candidates are
what the rules made them.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from memd.clock import Clock
from memd.distill.refine import INSTRUCTIONS, MAX_ANSWER_TOKENS, Answered, Asked, Refined
from memd.errors import ModelFailed, WorkerFailed
from memd.model import Distilled, Transcript
from memd.models.budget import Spent, spent
from memd.models.chat import Chat
from memd.store import meta
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.text.tokens import estimate_tokens
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

BUDGET_KEY: Final = "model_tokens"
_QUESTION: Final = "memd.distill.refine:question"
_REFINE: Final = "memd.distill.refine:refine"
_DEADLINE_S: Final = 60.0
_MANY: Final = 5  # failures in a row after which the model is left alone for a while
_REST_MS: Final = 15 * 60 * 1000


class Refiner:
    """Asks `chat` about sessions. `instructions` stands for memd's own where the user has written some."""

    def __init__(
        self,
        chat: Chat,
        daily_tokens: int,
        workers: Workers,
        writer: Writer,
        readers: Readers,
        clock: Clock,
        instructions: str = "",
    ) -> None:
        self._chat = chat
        self._daily_tokens = daily_tokens
        self._workers = workers
        self._writer = writer
        self._readers = readers
        self._clock = clock
        self._instructions = instructions or INSTRUCTIONS
        self._failures = 0
        self._rest_until = 0
        self._last_error: str | None = None

    @property
    def last_error(self) -> str | None:
        """Why the model was not used last, in one sentence; None when it was."""
        return self._last_error

    async def refined(self, transcript: Transcript, distilled: Distilled) -> Distilled:
        """Return what stands of a distilled session after the model was asked; the same when it could not be."""
        if transcript.session.kind == "subagent" or self._clock.now_ms() < self._rest_until:
            return distilled
        try:
            return await self._ask(transcript, distilled)
        except (ModelFailed, WorkerFailed) as error:
            self._failures += 1
            if self._failures >= _MANY:
                self._failures, self._rest_until = 0, self._clock.now_ms() + _REST_MS
            self._last_error = str(error)
            logger.warning("event=model_failed error=%s", error)
            return distilled

    async def _ask(self, transcript: Transcript, distilled: Distilled) -> Distilled:
        asked = Asked(transcript, distilled.candidates)
        question: str = await self._workers.run(_QUESTION, asked, deadline_s=_DEADLINE_S, priority=Priority.NORMAL)
        before = spent(await self._readers.run(lambda conn: meta.get(conn, BUDGET_KEY)), self._clock.now_ms())
        cost = estimate_tokens(self._instructions) + estimate_tokens(question) + MAX_ANSWER_TOKENS
        if before.tokens + cost > self._daily_tokens:
            self._last_error = f"Today's budget of {self._daily_tokens} tokens for the model is used up."
            logger.info("event=model_budget_used tokens=%d", before.tokens)
            return distilled
        answer = await self._chat.ask(self._instructions, question, MAX_ANSWER_TOKENS)
        await self._note(before.plus(answer.tokens))
        answered = Answered(transcript, distilled.candidates, answer.text)
        refined: Refined = await self._workers.run(_REFINE, answered, deadline_s=_DEADLINE_S, priority=Priority.NORMAL)
        self._failures = 0
        self._last_error = None if refined.usable else "The model's last answer was no list; the rules' facts stand."
        logger.info(
            "event=model_asked tokens=%d candidates=%d kept=%d dropped=%d usable=%s",
            answer.tokens, len(distilled.candidates), len(refined.candidates), refined.dropped, refined.usable,
        )  # fmt: skip
        return replace(distilled, candidates=refined.candidates, related=refined.related)

    async def _note(self, now: Spent) -> None:
        await self._writer.run(lambda conn: meta.put(conn, BUDGET_KEY, now.line), background=True)
