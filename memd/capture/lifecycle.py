"""Life cycle: sessions begin, go quiet and end, by what hooks, processes and the clock tell."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Final, assert_never
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread

from memd.adapter import Adapter, Root, SessionUpdate
from memd.capture.placing import Placing
from memd.capture.processes import is_running
from memd.capture.states import Attendance, Change, Ended, OpenSession, SessionKey, WentIdle, next_state
from memd.capture.storage import Storage
from memd.clock import Clock
from memd.model import Session
from memd.store import capturing
from memd.store.readers import Readers
from memd.text.session_ids import session_id

log = logging.getLogger(__name__)

# A first start finds thousands of sessions to end; the writer is not kept for longer than a moment.
_AT_ONCE: Final = 100


class Lifecycle:
    """Keeps the state of every session; `on_ended` is called whenever some of them became ready to be distilled."""

    def __init__(
        self,
        *,
        readers: Readers,
        storage: Storage,
        clock: Clock,
        placing: Placing,
        roots: Sequence[tuple[Adapter, Root]],
        idle_ms: int,
        on_ended: Callable[[], None],
    ) -> None:
        self._readers = readers
        self._storage = storage
        self._clock = clock
        self._placing = placing
        self._roots = roots
        self._idle_ms = idle_ms
        self._on_ended = on_ended
        self._attendance = Attendance()
        self._said_over: dict[SessionKey, str] = {}
        self._closing: set[SessionKey] = set()
        self._began: dict[SessionKey, int] = {}
        self._first_seen: dict[SessionKey, int] = {}
        # A lock goes with the last who waits for it.
        self._turns: WeakValueDictionary[SessionKey, anyio.Lock] = WeakValueDictionary()

    def began(self, host: str, native_id: str) -> None:
        """Note that a host says a session begins or goes on."""
        self._said_over.pop((host, native_id), None)
        self._began[host, native_id] = self._clock.now_ms()

    def over(self, host: str, native_id: str, reason: str) -> None:
        """Note that a host says a session is over: it ends by `ended`, and what comes after that does not reopen it."""
        self._said_over[host, native_id] = reason
        self._closing.add((host, native_id))

    async def record(self, host: str, update: SessionUpdate) -> None:
        """Store what is known of a session that began, whether or not anything of it was read yet.

        What is told of one session is stored in the order it was told: the first folder named is its own.
        """
        key = (host, update.session)
        now_ms = self._clock.now_ms()
        turn = self._turns.setdefault(key, anyio.Lock())
        async with turn:  # the one who waited longest is next
            (update,), places = await self._placing.place([update])
            await self._storage.run(
                # It may have been said to be over while its project was looked up.
                lambda conn: capturing.note_session(
                    conn, host, update, places, now_ms, reopen=key not in self._said_over
                ),
                background=False,
            )

    async def ended(self, host: str, native_id: str) -> None:
        """End a session that is said to be over, with those it started, unless it has begun again meanwhile."""
        self._closing.discard((host, native_id))
        reason = self._said_over.get((host, native_id))
        if reason is None:
            return
        now_ms = self._clock.now_ms()
        over, _ = await self._storage.run(
            lambda conn: capturing.end_session(conn, host, native_id, now_ms, reason), background=False
        )
        if over:
            self._attendance.forget((host, native) for native in over)
            self._on_ended()

    async def tick(self, unread: Collection[SessionKey]) -> None:
        """Look at every session that has not ended, except those of which something is still unread."""
        found = await self._readers.run(capturing.open_sessions)
        if not found:
            self._first_seen.clear()
            return
        running = self._attendance.take(await anyio.to_thread.run_sync(self._listed))
        running = dict.fromkeys(self._said_over.keys() - running.keys(), False) | running
        now_ms = self._clock.now_ms()
        sessions = [self._open(session, now_ms) for session in found]
        self._first_seen = {session.key: self._first_seen[session.key] for session in sessions}
        # One that has just begun may not be stored yet.
        late = now_ms - self._idle_ms
        self._began = {key: at for key, at in self._began.items() if at > late or key in self._first_seen}
        ids = {session.key: row.id for session, row in zip(sessions, found, strict=True)}
        changes = [
            change
            for session in sessions
            if session.key not in unread
            and session.key not in self._closing
            and (change := next_state(session, running.get(session.key), now_ms, self._idle_ms)) is not None
        ]
        await self._apply(changes, ids)

    async def _apply(self, changes: Sequence[Change], ids: dict[SessionKey, int]) -> None:
        waiting = iter(changes)
        while portion := tuple(islice(waiting, _AT_ONCE)):
            states = tuple(self._new_state(change, ids) for change in portion)
            await self._storage.run(lambda conn, states=states: capturing.set_states(conn, states), background=True)
        over = [change.session.key for change in changes if isinstance(change, Ended)]
        self._attendance.forget(over)
        if changes:
            log.info("event=sessions_quiet ended=%d idle=%d", len(over), len(changes) - len(over))
            self._on_ended()

    def _open(self, session: Session, now_ms: int) -> OpenSession:
        key = (session.host, session.native_id)
        first_seen = self._first_seen.setdefault(key, now_ms)
        # A time that has not come yet (another clock wrote it) says nothing.
        spoke = session.last_at if session.last_at is not None and session.last_at <= now_ms else None
        active_at = max(first_seen if spoke is None else spoke, self._began.get(key, 0))
        return OpenSession(*key, session.state == "idle", active_at)

    def _listed(self) -> dict[SessionKey, bool]:
        """Return what the hosts list as running, each process looked up; blocks on the disk."""
        listed: dict[SessionKey, bool] = {}
        for adapter, root in self._roots:
            for process in adapter.live(root):
                key = (adapter.name, session_id(process.session))
                listed[key] = listed.get(key, False) or is_running(process)
        return listed

    def _new_state(self, change: Change, ids: dict[SessionKey, int]) -> capturing.NewState:
        key = change.session.key
        match change:
            case Ended():
                return capturing.NewState(ids[key], change.at, self._said_over.get(key, change.reason))
            case WentIdle():
                return capturing.NewState(ids[key])
            case _:
                assert_never(change)
