"""Session rows: the sessions a batch touches, merged in memory and written once.

Which of two sessions owns the history they share is decided here as well, by a rank that depends on what is known of
the sessions and never on which of them was read first.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Final

from memd.adapter import SessionUpdate
from memd.store.uid import uuid7

_COLUMNS: Final = (
    "id, native_id, kind, parent, forked_from, cwd, branch, model, agent, version, title, title_origin, told_at,"
    " first_at, started_at, last_at, ended_at, end_reason, state, messages, revision, seq_shift"
)
_BY_NATIVE: Final = f"SELECT {_COLUMNS} FROM sessions WHERE host = ? AND native_id = ?"  # noqa: S608 - constant columns
_BY_ID: Final = f"SELECT {_COLUMNS} FROM sessions WHERE id = ?"  # noqa: S608 - constant columns
_CREATE: Final = "INSERT INTO sessions (uid, host, native_id, seen_at) VALUES (?, ?, ?, ?) RETURNING id"
_FORKS: Final = "SELECT id FROM sessions WHERE host = ? AND forked_from = ?"
_HAS_COPIES: Final = "SELECT EXISTS (SELECT 1 FROM message_copies WHERE session_id = ?)"
_FIRST_OWN: Final = "SELECT at FROM messages WHERE session_id = ? AND at IS NOT NULL ORDER BY seq LIMIT 1"
_COUNT: Final = "SELECT count(*) FROM messages WHERE session_id = ?"
_UPDATE: Final = """
    UPDATE sessions SET kind = ?, parent = ?, forked_from = ?, cwd = ?, branch = ?, model = ?, agent = ?, version = ?,
        title = ?, title_origin = ?, told_at = ?, first_at = ?, started_at = ?, last_at = ?, ended_at = ?,
        end_reason = ?, state = ?, messages = ?, revision = ?, seen_at = ?
    WHERE id = ?
"""
_SHIFT: Final = "UPDATE sessions SET seq_shift = ? WHERE id = ?"
_LATER_WINS: Final = ("kind", "parent", "forked_from", "branch", "model", "agent", "version")

Rank = tuple[int, float, str]


@dataclass(slots=True)
class SessionRow:
    """One row of `sessions` while a batch is stored."""

    id: int
    native_id: str
    kind: str = "main"
    parent: str | None = None
    forked_from: str | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    agent: str | None = None
    version: str | None = None
    title: str | None = None
    title_origin: str | None = None
    told_at: int | None = None
    first_at: int | None = None
    started_at: int | None = None
    last_at: int | None = None
    ended_at: int | None = None
    end_reason: str | None = None
    state: str = "live"
    messages: int = 0
    revision: int = 0
    seq_shift: int = 0
    created: bool = False
    changed: bool = False
    recount: bool = False
    standing: tuple[object, ...] = field(default=())
    """What the rank was made of when the row was loaded."""
    stored_shift: int = 0

    def merge(self, update: SessionUpdate) -> None:
        """Take over what an update says. The first folder stays: a session belongs to where it was started."""
        for name in _LATER_WINS:
            said = getattr(update, name)
            if said is not None and said != getattr(self, name):
                setattr(self, name, said)
                self.changed = True
        if update.cwd is not None and self.cwd is None:
            self.cwd = update.cwd
            self.changed = True
        if update.started_at is not None and (self.told_at is None or update.started_at < self.told_at):
            self.told_at = update.started_at
            self.changed = True
        if update.title is not None:
            self._retitle(update.title, "user" if update.title_by_user else "host")
        if update.ended_at is not None and (self.state, self.ended_at) != ("ended", update.ended_at):
            self.state, self.ended_at, self.changed = "ended", update.ended_at, True
        if update.end_reason is not None and update.end_reason != self.end_reason:
            self.end_reason, self.changed = update.end_reason, True

    def spoke(self, at: int | None) -> None:
        """Note new content of a time. It reopens an ended session, unless it was said by then and is only read late."""
        self.changed = True
        late = self.state == "ended" and at is not None and self.ended_at is not None and at <= self.ended_at
        if self.state != "live" and not late:
            self.state = "live"
            self.ended_at = self.end_reason = None
        if at is not None:
            self.first_at = at if self.first_at is None else min(self.first_at, at)
            self.last_at = at if self.last_at is None else max(self.last_at, at)

    def _retitle(self, title: str, origin: str) -> None:
        if self.title_origin == "user" and origin == "host":
            return
        if (self.title, self.title_origin) != (title, origin):
            self.title, self.title_origin, self.changed = title, origin, True


class SessionRows:
    """The sessions of one host that a batch touches. `seen_ms`: when the host wrote what is read, if that is known."""

    def __init__(self, conn: sqlite3.Connection, host: str, now_ms: int, seen_ms: int | None = None) -> None:
        self._conn = conn
        self._host = host
        self._now_ms = now_ms
        self._seen_ms = now_ms if seen_ms is None else min(now_ms, seen_ms)
        self._by_native: dict[str, SessionRow] = {}
        self._by_id: dict[int, SessionRow] = {}
        self._ranks: dict[int, Rank] = {}

    def of(self, native_id: str) -> SessionRow:
        """Return the session with a native id, made now if the store does not have it."""
        row = self._by_native.get(native_id) or self._find(native_id)
        if row is None:
            created = self._conn.execute(_CREATE, (uuid7(self._now_ms), self._host, native_id, self._now_ms)).fetchone()
            row = SessionRow(created[0], native_id, created=True, changed=True)
            self._keep(row)
        return row

    def by_id(self, session_id: int) -> SessionRow:
        """Return the session of a row id."""
        row = self._by_id.get(session_id)
        if row is None:
            row = SessionRow(*self._conn.execute(_BY_ID, (session_id,)).fetchone())
            self._keep(row)
        return row

    def rank(self, session_id: int) -> Rank:
        """Return what decides who owns shared history: the session of the lowest rank that holds a row owns it.

        The fewer copies away from an origin the better; then the earlier it began; then the smaller native id, so that
        there is always an answer and always the same.
        """
        rank = self._ranks.get(session_id)
        if rank is None:
            row = self.by_id(session_id)
            began = row.first_at if row.told_at is None else row.told_at
            rank = (self._generation(row), float("inf") if began is None else float(began), row.native_id)
            self._ranks[session_id] = rank
        return rank

    def moved_up_or_down(self) -> set[int]:
        """Return the stored sessions whose rank the batch may have changed, with their forks; rank anew from here."""
        self._ranks.clear()
        waiting = [row for row in self._by_id.values() if row.standing != _standing(row)]
        found: dict[int, None] = {}
        while waiting:
            row = waiting.pop()
            if row.id in found:
                continue
            found[row.id] = None
            forks = self._conn.execute(_FORKS, (self._host, row.native_id)).fetchall()
            waiting.extend(self.by_id(fork) for (fork,) in forks)
        return {session for session in found if not self.by_id(session).created}

    def flush(self) -> tuple[SessionRow, ...]:
        """Write the sessions that changed, each with its next revision, and return them."""
        changed = tuple(row for row in self._by_id.values() if row.changed)
        shifted = [(row.seq_shift, row.id) for row in self._by_id.values() if row.seq_shift != row.stored_shift]
        self._conn.executemany(_SHIFT, shifted)
        for row in changed:
            row.revision += 1
            if row.recount:
                row.messages = self._conn.execute(_COUNT, (row.id,)).fetchone()[0]
            row.started_at = self._started(row)
        self._conn.executemany(_UPDATE, [self._values(row) for row in changed])
        return changed

    def _find(self, native_id: str) -> SessionRow | None:
        found = self._conn.execute(_BY_NATIVE, (self._host, native_id)).fetchone()
        return None if found is None else self._keep(SessionRow(*found))

    def _keep(self, row: SessionRow) -> SessionRow:
        row.stored_shift = row.seq_shift
        row.standing = _standing(row) if not row.created else ()
        self._by_native[row.native_id] = row
        return self._by_id.setdefault(row.id, row)

    def _generation(self, row: SessionRow) -> int:
        """Count the copies between a session and the oldest known session it continues."""
        steps, seen = 0, {row.native_id}
        while row.forked_from is not None and row.forked_from not in seen:
            seen.add(row.forked_from)
            steps += 1
            origin = self._by_native.get(row.forked_from) or self._find(row.forked_from)
            if origin is None:
                return steps
            row = origin
        return steps + (row.kind != "main" and row.forked_from is None)

    def _started(self, row: SessionRow) -> int | None:
        """A fork began when it left its origin, although its history is older."""
        if not self._conn.execute(_HAS_COPIES, (row.id,)).fetchone()[0]:
            return min((at for at in (row.told_at, row.first_at) if at is not None), default=None)
        if row.told_at is not None:
            return row.told_at
        own = self._conn.execute(_FIRST_OWN, (row.id,)).fetchone()
        return row.first_at if own is None else int(own[0])

    def _values(self, row: SessionRow) -> tuple[object, ...]:
        return (
            row.kind, row.parent, row.forked_from, row.cwd, row.branch, row.model, row.agent, row.version, row.title,
            row.title_origin, row.told_at, row.first_at, row.started_at, row.last_at, row.ended_at, row.end_reason,
            row.state, row.messages, row.revision, self._seen_ms, row.id,
        )  # fmt: skip


def _standing(row: SessionRow) -> tuple[object, ...]:
    return (row.kind, row.forked_from, row.first_at if row.told_at is None else row.told_at)
