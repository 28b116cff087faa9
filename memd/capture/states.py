"""States: when a session counts as idle or ended. Always for the time being: new content reopens it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

LAST_WORDS_MS: Final = 1500
"""What a process wrote last may be seen after its end; and what talks is not over, whatever a left-over list says."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session that has not ended, with the time of its last sign of life in UTC epoch milliseconds."""

    host: str
    native_id: str
    idle: bool
    active_at: int

    @property
    def key(self) -> SessionKey:
        """By what sessions are told apart."""
        return (self.host, self.native_id)


SessionKey: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class WentIdle:
    """The session's process lives, but nothing has been said for a while."""

    session: OpenSession


@dataclass(frozen=True, slots=True)
class Ended:
    """The session is over: `reason` is `exit` when its process went, `idle` when nothing was heard of it."""

    session: OpenSession
    at: int
    reason: str


Change: TypeAlias = WentIdle | Ended


def next_state(session: OpenSession, running: bool | None, now_ms: int, idle_ms: int) -> Change | None:
    """Return what becomes of a session. `running` is None where the host tells nothing of its process."""
    quiet_ms = now_ms - session.active_at
    if running is False:
        return Ended(session, now_ms, "exit") if quiet_ms >= LAST_WORDS_MS else None
    if quiet_ms < idle_ms:
        return None
    if running is None:
        return Ended(session, session.active_at, "idle")
    return None if session.idle else WentIdle(session)


class Attendance:
    """Remembers which sessions a host listed as running, so that one that is listed no more is known to be over."""

    def __init__(self) -> None:
        self._seen: set[SessionKey] = set()

    def take(self, listed: Mapping[SessionKey, bool]) -> dict[SessionKey, bool]:
        """Return for each session whether its process runs; `listed` is what the hosts say now.

        One that was listed as running and is not listed any more is said to be over until it is forgotten.
        """
        self._seen |= {key for key, alive in listed.items() if alive}
        return dict.fromkeys(self._seen - listed.keys(), False) | dict(listed)

    def forget(self, keys: Iterable[SessionKey]) -> None:
        """Forget sessions, which have ended."""
        self._seen.difference_update(keys)
