"""OpenCode's database, read on from a cursor: new rows by row number, changed ones by time, deleted ones by their ids.

Rows are inserted in order and changed in place while a reply is written, so a round of reads takes

1. the parts and then the messages beyond the last row number, batch by batch,
2. of the sessions that were touched since the round before (less ten seconds: a session's own time lags behind that of
   its parts), or in which a reply is being written, the parts that were changed,
3. the messages that are there no longer, of those that are remembered.

A table without an integer key may renumber its rows (VACUUM) and uses the numbers of deleted last rows again. So the id
of the last row is kept as well; when it does not fit any more, step 1 is left to step 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, Event, ReadLimits, Source, Withdrawn
from memd.errors import TranscriptError
from memd_adapters.jsonl_rows import Row
from memd_adapters.opencode_forks import Forks
from memd_adapters.opencode_records import ROW_BYTES, DatabaseRecords, number
from memd_adapters.opencode_rows import (
    KIN,
    NO_MESSAGE,
    MessageRow,
    PartRow,
    error_notice,
    part_events,
    session_update,
)
from memd_adapters.opencode_state import MOST_HELD_OF_SESSION, Frontier, State
from memd_adapters.sqlite_source import HostDatabase, Value, open_database, same_stamp, stamp, stamped

LAG_MS: Final = 10_000
TOO_LARGE: Final = "row too large"
FOREIGN: Final = "rows of a newer form (session_message)"

_PARTS: Final = f"""
    SELECT rowid, id, message_id, session_id, time_updated,
        CASE WHEN length(data) <= {ROW_BYTES} THEN CAST(data AS BLOB) END
    FROM part
"""  # noqa: S608 - constant
_NEEDED: Final = {
    "part": frozenset(("id", "message_id", "session_id", "time_updated", "data")),
    "message": frozenset(("id", "session_id", "time_created", "time_updated", "data")),
}


def read_database(source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
    """Read on in a database; see `memd.adapter.Adapter.read`."""
    now = stamp(source.path)
    restarted = cursor is not None and cursor.offset > 0 and cursor.inode != now.inode
    state = State() if cursor is None or restarted else State.load(cursor.state)
    if cursor is not None and not state.more and same_stamp(cursor, now):
        return Batch((), cursor)
    with open_database(source.path) as database:
        _check(source, database)
        reading = _Reading(database, state, limits.batch_bytes, f"{now.size} {now.mtime_ns}")
        reading.run()
    offset = reading.bytes + (0 if cursor is None or restarted else cursor.offset)
    return Batch(
        events=tuple(reading.events),
        cursor=stamped(now, offset, state.dump(), more=state.more),
        more=state.more,
        restarted=restarted,
        skipped=+reading.skipped,
        lines=reading.rows,
    )


def is_ours(path: Path) -> bool:
    """Tell whether a database has the tables of OpenCode; False also when it cannot be read."""
    try:
        with open_database(path) as database:
            return all(database.columns(table) >= columns for table, columns in _NEEDED.items())
    except (OSError, TranscriptError):
        return False


def _check(source: Source, database: HostDatabase) -> None:
    """Refuse what is no database of OpenCode's."""
    for table, columns in _NEEDED.items():
        missing = sorted(columns - database.columns(table))
        if missing and not database.columns("session_message"):
            raise TranscriptError(source.path, f"is no database of OpenCode: {table} has no {', '.join(missing)}")


class _Reading:
    """One read."""

    def __init__(self, database: HostDatabase, state: State, batch_bytes: int, now: str) -> None:
        self._database = database
        self._state = state
        self._left = max(batch_bytes, 1)
        self._now = now
        self.skipped: Counter[str] = Counter()
        self._records = DatabaseRecords(database, self.skipped)
        self._forks = Forks(self._records)
        self._told: dict[str, None] = {}
        self._sessions: list[Event] = []
        self._fresh: set[int] = set()
        self._met: dict[str, list[str]] = {}
        self._rows: list[Event] = []
        self.bytes = 0
        self.rows = 0

    @property
    def events(self) -> Iterator[Event]:
        """What was found, each session before its messages."""
        yield from self._sessions
        yield from self._rows

    def run(self) -> None:
        """Read until the batch is full or there is nothing more."""
        state = self._state
        if not state.floor:
            state.floor = self._records.newest()
        if all(self._database.columns(table) >= columns for table, columns in _NEEDED.items()):
            state.more = not self._round()
        else:
            state.more = False
        self._hold()
        self._count_foreign()
        self._sessions = list(self._session_events())

    def _round(self) -> bool:
        """Take the three steps; return whether all are done."""
        state = self._state
        renumbered = not (self._anchored("part", state.parts) and self._anchored("message", state.messages))
        if renumbered and not state.complete:
            state.parts, state.messages, renumbered = Frontier(), Frontier(), False
        if not renumbered and not (self._new_parts() and self._new_messages()):
            return False
        if not state.sweeping:
            state.sweeping, state.next_floor = self._now, state.newest
        same = state.sweeping == self._now
        if not self._changed(renumbered=renumbered):
            return False
        self._deleted()
        state.parts, state.messages = self._last("part"), self._last("message")
        state.complete, state.sweeping, state.sweep = True, "", 0
        # What was changed since the look for changes began may lie where it had looked already.
        state.floor = max(state.floor, state.newest if same else state.next_floor)
        return same

    def _anchored(self, table: str, frontier: Frontier) -> bool:
        if not frontier.row:
            return True
        row = self._database.row(f"SELECT id FROM {table} WHERE rowid = ?", (frontier.row,))  # noqa: S608
        return row is not None and row[0] == frontier.id

    def _last(self, table: str) -> Frontier:
        row = self._database.row(f"SELECT rowid, id FROM {table} ORDER BY rowid DESC LIMIT 1")  # noqa: S608
        return Frontier(number(row[0]), str(row[1])) if row else Frontier()

    def _new_parts(self) -> bool:
        state = self._state
        for row in self._database.rows(f"{_PARTS} WHERE rowid > ? ORDER BY rowid", (state.parts.row,)):
            self._part(row, self.skipped)
            self._fresh.add(number(row[0]))
            state.parts = Frontier(number(row[0]), str(row[1]))
            if self._left <= 0:
                return False
        return True

    def _part(self, row: tuple[Value, ...], skipped: Counter[str]) -> None:
        _, part, message, session, updated, raw = row
        self.rows += 1
        self._spend(raw)
        self._seen(updated)
        if raw is None:
            skipped[TOO_LARGE] += 1
            return
        data = self._records.parsed(raw if isinstance(raw, bytes) else None, skipped)
        if data is None or not isinstance(part, str) or not isinstance(message, str):
            return
        found = self._records.message(message)
        if found is None or found.session != session:
            skipped[NO_MESSAGE] += 1
            return
        self._tell(found)
        place = PartRow(part, data, self._records.order(message, part))
        self._rows += part_events(found, place, self._forks.original(found), skipped)

    def _new_messages(self) -> bool:
        state = self._state
        sql = "SELECT rowid, id, session_id, time_created, time_updated, CAST(data AS BLOB) FROM message"
        rows = self._database.rows(f"{sql} WHERE rowid > ? ORDER BY rowid", (state.messages.row,))
        for row_id, message, session, created, updated, raw in rows:
            self.rows += 1
            self._spend(raw)
            self._seen(updated)
            found = self._records.made_message(message, session, created, raw)
            state.messages = Frontier(number(row_id), str(message))
            if found is not None:
                self._message(found)
            if self._left <= 0:
                return False
        return True

    def _message(self, message: MessageRow) -> None:
        """Take what a message tells beside its parts."""
        self._tell(message)
        original = self._forks.original(message)
        notice = error_notice(message, original)
        if notice is not None:
            self._rows.append(notice)
        key = f"{message.id} {original.message}" if original else message.id
        self._met.setdefault(message.session, []).append(key)
        self._state.attend(message.id, message.session, busy=_unfinished(message.data))

    def _changed(self, *, renumbered: bool) -> bool:
        """Take what was changed of sessions that were touched since the round before."""
        state, since = self._state, self._state.floor - LAG_MS
        sessions = dict.fromkeys((*self._records.touched(since), *state.busy.values()))
        if renumbered:
            sessions |= dict.fromkeys(state.held)
        again: list[int] = []
        for session in sessions:
            found = self._database.rows(
                "SELECT rowid FROM part WHERE session_id = ? AND time_updated > ? AND rowid > ?",
                (session, since, state.sweep),
            )
            again += (number(row) for (row,) in found if row not in self._fresh)
        for row_id in sorted(again):
            row = self._database.row(f"{_PARTS} WHERE rowid = ?", (row_id,))
            if row is not None:
                self._part(row, Counter())
            state.sweep = row_id
            if self._left <= 0:
                return False
        for session in sessions:
            self._changed_session(session, since)
        for message, session in list(state.busy.items()):
            reply = self._records.message(message)
            state.attend(message, session, busy=reply is not None and _unfinished(reply.data))
        return True

    def _changed_session(self, session: str, since: int) -> None:
        records = self._records
        found = self._database.rows(
            "SELECT id, session_id, time_created, CAST(data AS BLOB), time_updated FROM message"
            " WHERE session_id = ? AND time_updated > ? ORDER BY time_created, id",
            (session, since),
        )
        for *row, updated in list(found):
            self._seen(updated)
            message = records.made_message(*row)
            if message is not None:
                self._message(message)
        told = records.session(session)
        if told is not None:
            self._told[session] = None
            self._seen(told.updated)
            if told.reverting:
                self._met.setdefault(session, []).extend(self._keys(session))

    def _keys(self, session: str) -> list[str]:
        """Return the messages of a session as they are remembered."""
        keys = []
        for message in self._records.message_ids(session)[-MOST_HELD_OF_SESSION:]:
            found = self._records.message(message)
            original = self._forks.original(found) if found else None
            keys.append(f"{message} {original.message}" if original else message)
        return keys

    def _hold(self) -> None:
        """Remember the messages that were met."""
        for session, messages in self._met.items():
            self._state.hold(session, messages)
        self._met.clear()

    def _deleted(self) -> None:
        """Tell which of the messages that are remembered are gone."""
        self._hold()
        for session, held in list(self._state.held.items()):
            there = set(self._records.message_ids(session))
            gone = [message for message in held if message.partition(" ")[0] not in there]
            if gone:
                keys = [message.partition(" ")[2] or message for message in gone]
                self._rows.append(Withdrawn(session, tuple(key + kin for key in keys for kin in KIN)))
                left = [message for message in held if message not in gone]
                self._state.held[session] = left
                if not left:
                    del self._state.held[session]

    def _session_events(self) -> Iterator[Event]:
        for session in self._told:
            row = self._records.session(session)
            if row is not None:
                yield session_update(row, self._forks.forked_from(row), self._records.last_message(session))

    def _count_foreign(self) -> None:
        if self._database.columns("session_message") and not self._state.more:
            row = self._database.row("SELECT count(*) FROM session_message")
            rows = number(row[0]) if row else 0
            self.skipped[FOREIGN] += max(rows - self._state.foreign, 0)
            self._state.foreign = rows

    def _tell(self, message: MessageRow) -> None:
        self._told[message.session] = None

    def _spend(self, raw: object) -> None:
        size = len(raw) if isinstance(raw, bytes) else 1
        self.bytes += size
        self._left -= size

    def _seen(self, updated: object) -> None:
        if type(updated) is int:
            self._state.newest = max(self._state.newest, updated)


def _unfinished(message: Row) -> bool:
    """Tell whether a message is a reply that is being written."""
    time = message.get("time")
    done = isinstance(time, dict) and "completed" in time
    return message.get("role") == "assistant" and not done and "error" not in message
