"""The distiller: takes sessions that ended or grew and has them distilled, and judged and stored one at a time.

Distilling is pure and runs in a worker process; this part only decides what is next and writes the outcome down. It is
woken when a session ends, and by the schedule as a safety net. A session that grows while it is distilled is simply due
again: what was distilled is the revision that was read.
"""

from __future__ import annotations

import logging
from typing import Final

import anyio
import anyio.abc

from memd.clock import Clock
from memd.distill import graphing, marking, settling
from memd.distill.audit import Audited
from memd.distill.refiner import Refiner
from memd.distill.staleness import Changed
from memd.errors import DamagedDatabase, MemdError, NotFound, SecretLeft, StoreFull, StoreReadOnly, WorkerFailed
from memd.model import Distilled, Transcript
from memd.store import facts, sessions, summaries
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

TASK: Final = "memd.distill.audit:audited"
CHANGES_TASK: Final = "memd.distill.staleness:changes_of"
READY_TASK: Final = "memd.distill.ready:ready"
_DEADLINE_S: Final = 120.0
_TRIES: Final = 3
_NO_ROOM_S: Final = 30.0


class Distiller:
    """Distills what is due. `wake` asks for it, `settle` waits for one project's, `serve` does the work."""

    def __init__(
        self, workers: Workers, writer: Writer, readers: Readers, clock: Clock, refiner: Refiner | None = None
    ) -> None:
        self._workers = workers
        self._writer = writer
        self._readers = readers
        self._clock = clock
        self._due = anyio.Event()
        self._learnt = anyio.Event()
        self._one_at_a_time = anyio.Lock()
        self._going_on: dict[int, anyio.Event] = {}
        self._group: anyio.abc.TaskGroup | None = None
        self._warming = False
        self._failures: dict[int, int] = {}
        self._held = False
        self._refused: dict[int, str] = {}
        """Why sessions were refused in which a secret is left."""
        self._last_error: str | None = None
        self._no_room = False
        self._refiner = refiner
        self._to_refine: dict[int, None] = {}
        self._refinable = anyio.Event()

    @property
    def model_error(self) -> str | None:
        """Why the model was not used last, in one sentence; None when it was or when there is none."""
        return self._refiner.last_error if self._refiner else None

    @property
    def last_error(self) -> str | None:
        """What went wrong with a session last, in one sentence; None when the last went well and none is refused."""
        return self._last_error or next(reversed(self._refused.values()), None)

    def wake(self) -> None:
        """Ask for everything that is due to be distilled soon; returns at once."""
        self._due.set()

    def hold(self, held: bool) -> None:
        """Keep from beginning with another session (True), or go on; what is in hand is brought to its end."""
        self._held = held
        if not held:
            self.wake()

    def retry(self) -> int:
        """Try sessions again that were given up after several failures; return how many."""
        given_up = [session for session, failures in self._failures.items() if failures >= _TRIES]
        for session in given_up:
            del self._failures[session]
        self.wake()
        return len(given_up)

    @property
    def learnt(self) -> anyio.Event:
        """Set when the next session has been distilled; each one after that has another."""
        return self._learnt

    async def serve(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Distill whenever woken, until cancelled."""
        async with anyio.create_task_group() as group:
            self._group = group
            if self._refiner is not None:
                group.start_soon(self._serve_refiner, self._refiner)
            task_status.started()
            while True:
                await self._due.wait()
                self._due = anyio.Event()
                await self.run_due()
                if self._no_room:
                    await anyio.sleep(_NO_ROOM_S)
                    self.wake()

    def warm_up(self, after_s: float = 0.0) -> None:
        """Have a worker load what distilling needs, because a session is at work and may end; returns at once.

        A process that has to start and load it first takes a third of a second, and the next session may be waiting.
        `after_s` leaves the machine to whoever is being answered just now.
        """
        if self._group is not None and not self._warming:
            self._warming = True
            self._group.start_soon(self._warm_up, after_s)

    async def _warm_up(self, after_s: float) -> None:
        try:
            await anyio.sleep(after_s)
            await self._workers.run(READY_TASK, None, deadline_s=_DEADLINE_S, priority=Priority.NORMAL)
        except WorkerFailed as error:
            logger.warning("event=worker_not_warm error=%s", error)
        finally:
            self._warming = False

    async def run_due(self) -> int:
        """Distill every session that ended and has changed since; return how many were."""
        done = 0
        while True:
            waiting = await self._readers.run(sessions.due)
            for gone in self._refused.keys() - set(waiting):
                del self._refused[gone]
            due = [session for session in waiting if self._may_try(session)]
            if not due:
                return done
            for session in due:
                done += await self._distill_safely(session, Priority.NORMAL)
                if self._no_room or self._held:
                    return done

    async def settle(self, project_id: int, deadline_s: float) -> bool:
        """Distill what is due in one project now, also sessions that merely went quiet; tell whether all was done.

        The session that the deadline finds at work goes on by itself: to begin anew would take even longer.
        """
        group = self._group
        if group is None:
            return False
        with anyio.move_on_after(deadline_s) as scope:
            found = await self._readers.run(lambda conn: sessions.due(conn, project_id=project_id, quiet=True))
            for session in found:
                if self._may_try(session):
                    await self._begin(session, group).wait()
        return not scope.cancelled_caught

    async def distill_now(self, session_id: int, deadline_s: float) -> bool:
        """Distill a session as far as it has come, although it goes on; tell whether it was done in time.

        One that was given up is tried again: who asks has changed something.
        """
        self._failures.pop(session_id, None)
        with anyio.move_on_after(deadline_s) as scope:
            if self._may_try(session_id):
                await self._distill_safely(session_id, Priority.NORMAL)
        return not scope.cancelled_caught

    async def run_paused(self, turns: int, pause_s: int, most: int) -> int:
        """Distill sessions that go on and pause after so many prompts, or have `most` new ones; return how many were.

        No model is asked about them before their end.
        """
        now = self._clock.now_ms()
        found = await self._readers.run(
            lambda conn: sessions.paused(conn, now, turns, pause_s * 1000, max(most, turns))
        )
        done = 0
        for session in found:
            if self._may_try(session):
                done += await self._distill_safely(session, Priority.BACKGROUND, refine=False)
        return done

    def _may_try(self, session_id: int) -> bool:
        return not self._held and self._failures.get(session_id, 0) < _TRIES

    def _begin(self, session_id: int, group: anyio.abc.TaskGroup) -> anyio.Event:
        """Have a session distilled because somebody waits for it; return what is set when that is over."""
        over = anyio.Event()

        async def go_on() -> None:
            try:
                await self._distill_safely(session_id, Priority.FOREGROUND)
            except DamagedDatabase:
                raise
            except MemdError as error:
                logger.warning("event=distill_failed session=%d error=%s", session_id, error)
            finally:
                over.set()

        group.start_soon(go_on)
        return over

    async def _distill_safely(self, session_id: int, priority: Priority, *, refine: bool = True) -> bool:
        """Distill a session; tell whether this was done here. One that is being distilled is waited for."""
        going = self._going_on.get(session_id)
        if going is not None:
            await going.wait()
            return False
        self._going_on[session_id] = over = anyio.Event()
        try:
            await self._distill(session_id, priority, refine=refine)
        except NotFound:
            self._refused.pop(session_id, None)
            return False  # it was deleted meanwhile, or is due again as its project is another one
        except WorkerFailed as error:
            self._failures[session_id] = self._failures.get(session_id, 0) + 1
            self._last_error = str(error)
            logger.warning("event=distill_failed session=%d error=%s", session_id, error)
            return False
        except SecretLeft as error:
            self._failures[session_id] = _TRIES  # it would be left the next time, too
            self._refused[session_id] = str(error)
            logger.warning("event=secret_left session=%d families=%s", session_id, ",".join(error.families))
            return False
        except (StoreFull, StoreReadOnly) as error:
            # No failure of the session's: it stays due, and is distilled when there is room again.
            self._no_room = True
            self._last_error = str(error)
            logger.warning("event=distill_blocked session=%d error=%s", session_id, error)
            return False
        finally:
            del self._going_on[session_id]
            over.set()
        self._no_room = False
        self._failures.pop(session_id, None)
        self._refused.pop(session_id, None)
        self._last_error = None
        return True

    async def _distill(self, session_id: int, priority: Priority, *, refine: bool) -> None:
        transcript = await self._readers.run(lambda conn: sessions.to_distill(conn, session_id))
        distilled = await self._distilled(transcript, priority)
        async with self._one_at_a_time:
            await self._write(transcript, distilled, background=priority is not Priority.FOREGROUND)
        if refine and self._refiner is not None:
            self._to_refine[session_id] = None
            self._refinable.set()

    async def _distilled(self, transcript: Transcript, priority: Priority) -> Distilled:
        """Return what a session leaves behind; raises SecretLeft where a secret is left in that."""
        found: Audited = await self._workers.run(TASK, transcript, deadline_s=_DEADLINE_S, priority=priority)
        if found.left:
            raise SecretLeft(transcript.session.native_id, found.left)
        return found.distilled

    async def _write(self, transcript: Transcript, distilled: Distilled, *, background: bool) -> None:
        session_id = transcript.session.id

        # A merge, or a project's deletion, may have come meanwhile: what was learnt must not go where the session was.
        def prepare(conn: facts.Connection) -> settling.Prepared:
            sessions.stay_put(conn, transcript.session)
            return settling.prepare(conn, transcript.session, distilled.candidates)

        prepared = await self._readers.run(prepare)
        now = self._clock.now_ms()

        def write(conn: facts.Connection) -> tuple[int, ...]:
            sessions.stay_put(conn, transcript.session)
            applied = settling.settle(conn, session_id, prepared, now)
            graphing.relate(conn, session_id, distilled.related, now)
            summaries.save(conn, session_id, distilled, transcript.session.revision, now)
            sessions.mark_distilled(conn, session_id, transcript.session.revision)
            return applied.added

        learnt = await self._writer.run(write, background=background)
        # What is learnt is wanted soon; which older facts it makes stale may be told a moment later.
        changes: tuple[Changed, ...] = await self._workers.run(
            CHANGES_TASK, transcript.messages, deadline_s=_DEADLINE_S,
            priority=Priority.BACKGROUND if background else Priority.FOREGROUND,
        )  # fmt: skip
        marks = await self._readers.run(
            lambda conn: (
                *marking.changed_by(conn, session_id, changes, now),
                *marking.changed_since(conn, learnt),
            )
        )
        await self._writer.run(lambda conn: marking.write(conn, session_id, marks), background=background)
        self._learnt.set()
        self._learnt = anyio.Event()
        logger.info("event=distilled session=%d facts=%d", session_id, len(prepared.new))

    async def _serve_refiner(self, refiner: Refiner) -> None:
        """Ask the model about what was distilled, the newest first. What waits when the daemon ends is not asked."""
        while True:
            await self._refinable.wait()
            self._refinable = anyio.Event()
            while self._to_refine:
                session_id, _ = self._to_refine.popitem()
                try:
                    await self._refine(refiner, session_id)
                except (WorkerFailed, SecretLeft, StoreFull, StoreReadOnly, NotFound) as error:
                    logger.warning("event=refine_failed session=%d error=%s", session_id, error)

    async def _refine(self, refiner: Refiner, session_id: int) -> None:
        transcript = await self._readers.run(lambda conn: sessions.to_distill(conn, session_id))
        distilled = await self._distilled(transcript, Priority.BACKGROUND)
        refined = await refiner.refined(transcript, distilled)
        if refined == distilled:
            return
        async with self._one_at_a_time:
            now = await self._readers.run(lambda conn: sessions.to_distill(conn, session_id))
            # A session that has grown meanwhile is due again, and the model is asked about all of it then.
            if now.session.revision == transcript.session.revision:
                await self._write(transcript, refined, background=True)
