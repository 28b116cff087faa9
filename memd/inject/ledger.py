"""The ledger's other half: what sessions made of what they were given, looked for when a session has come to rest.

What is found counts as a use of the fact, which lets it come first another time; `memd injections` shows it.
"""

from __future__ import annotations

import logging
from typing import Final

import anyio

from memd.clock import Clock
from memd.distill.distiller import Distiller
from memd.errors import DamagedDatabase, MemdError, WorkerFailed
from memd.inject.usage import TASK, Said
from memd.model import Fact
from memd.store import aftermath, facts, injections
from memd.store.facts import Connection
from memd.store.injections import Handed
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

_EVERY_S: Final = 60.0
_DEADLINE_S: Final = 60.0
_LOOKED_BACK_MS: Final = 60 * 86_400_000


class Ledger:
    """Looks for uses; `serve` does it whenever a session was distilled and every minute, `check` at once."""

    def __init__(self, readers: Readers, writer: Writer, workers: Workers, clock: Clock) -> None:
        self._readers = readers
        self._writer = writer
        self._workers = workers
        self._clock = clock

    async def serve(self, distiller: Distiller) -> None:
        """Look for uses until cancelled. Raises DamagedDatabase; other trouble is logged and tried again."""
        while True:
            learnt = distiller.learnt
            try:
                await self.check()
            except DamagedDatabase:
                raise
            except MemdError as error:
                logger.warning("event=uses_not_looked_for error=%s", error)
            with anyio.move_on_after(_EVERY_S):
                await learnt.wait()

    async def check(self) -> int:
        """Look for uses in every session that has come to rest since; return how many sessions there were."""
        since = self._clock.now_ms() - _LOOKED_BACK_MS
        waiting = await self._readers.run(lambda conn: injections.unchecked(conn, since))
        for session, revision in waiting:
            try:
                await self._check(session, revision)
            except WorkerFailed as error:
                logger.warning("event=uses_not_looked_for session=%d error=%s", session, error)
                await self._settle(session, revision)
        return len(waiting)

    async def _settle(self, session: int, revision: int) -> None:
        """Leave a session alone until it goes on."""
        await self._writer.run(lambda conn: injections.judge(conn, session, revision, {}), background=True)

    async def _check(self, session: int, revision: int) -> None:
        handed, asked = await self._readers.run(lambda conn: _asked(conn, session))
        found: list[str | None] = []
        if asked:
            found = await self._workers.run(TASK, asked, deadline_s=_DEADLINE_S, priority=Priority.NORMAL)
        signs = {(one.injection, one.fact): sign for one, sign in zip(handed, found, strict=True)}
        fresh = {one.fact for one, sign in zip(handed, found, strict=True) if sign is not None and not one.used}
        now = self._clock.now_ms()

        def write(conn: Connection) -> None:
            injections.judge(conn, session, revision, signs)
            facts.mark_used(conn, sorted(fresh), now)

        await self._writer.run(write, background=True)
        logger.info("event=uses_looked_for session=%d facts=%d used=%d", session, len(handed), len(fresh))


def _asked(conn: Connection, session: int) -> tuple[list[Handed], list[tuple[Fact, Said]]]:
    """Return what a session was given, and each fact of it with what followed."""
    given = injections.handed(conn, session)
    known = {fact.id: fact for fact in facts.load(conn, {one.fact for one in given})}
    later: dict[int, Said] = {}
    handed, asked = [], []
    for one in given:
        if one.fact not in known:
            continue
        if one.at not in later:
            found = aftermath.of_session(conn, session, one.at)
            later[one.at] = Said(found.replies, found.inputs, found.prompts)
        handed.append(one)
        asked.append((known[one.fact], later[one.at]))
    return handed, asked
