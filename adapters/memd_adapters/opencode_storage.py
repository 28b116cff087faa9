"""OpenCode's old store (up to 1.1): one JSON file for each session, message and part.

    storage/session/<project>/<session>.json
    storage/message/<session>/<message>.json
    storage/part/<message>/<part>.json

The session's file is the source; it is written anew at the end of each turn, after the turn's messages. Version 1.2
moved the rows into its database under the same ids and left the files where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import orjson

from memd.adapter import Batch, Cursor, Event, ReadLimits, Source, Withdrawn
from memd.errors import TranscriptError
from memd_adapters.json_file import parse_file, read_json_file
from memd_adapters.jsonl_rows import Row
from memd_adapters.opencode_forks import Forks
from memd_adapters.opencode_rows import (
    DAMAGED,
    KIN,
    MessageRow,
    PartRow,
    SessionRow,
    error_notice,
    part_events,
    session_update,
)
from memd_adapters.shaping import text_of

MOST_HELD: Final = 1200
_LAG_NS: Final = 10_000_000_000


@dataclass(slots=True)
class _State:
    """Messages up to `after` were told in this round; files older than `seen_ns` were told in a round before."""

    after: tuple[int, str] = (0, "")
    seen_ns: int = 0
    newest_ns: int = 0
    more: bool = False
    held: list[str] = field(default_factory=list)

    def dump(self) -> str:
        return orjson.dumps([self.after, self.seen_ns, self.newest_ns, self.more, self.held]).decode()

    @classmethod
    def load(cls, text: str) -> _State:
        try:
            match orjson.loads(text):
                case [[int(at), str(message)], int(seen_ns), int(newest_ns), bool(more), [*held]]:
                    return cls((at, message), seen_ns, newest_ns, more, [key for key in held if isinstance(key, str)])
                case _:
                    return cls()
        except ValueError:
            return cls()


def read_session(source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
    """Read on in a session's file and the files of its messages; see `memd.adapter.Adapter.read`."""
    state = _State.load(cursor.state) if cursor is not None else _State()
    found = read_json_file(source.path, None if state.more else cursor)
    if found.unchanged:
        return Batch((), found.cursor)
    session = _session(found.value)
    if found.value is None or (found.torn and (session is None or not session.created)):
        return Batch((), replace(found.cursor, state=state.dump()))
    if session is None:
        raise TranscriptError(source.path, "is no session of OpenCode")
    reading = _Reading(Storage(source.path.parents[2], session), session, state, limits.batch_bytes)
    reading.run()
    offset = (cursor.offset if cursor is not None else 0) + reading.bytes
    after = replace(found.cursor, offset=offset, state=state.dump())
    return Batch(
        events=tuple(reading.events),
        cursor=replace(after, size=0, head="") if state.more else after,
        more=state.more,
        skipped=+reading.skipped,
        lines=reading.rows,
    )


def _session(value: object) -> SessionRow | None:
    if not isinstance(value, dict) or not isinstance(session := value.get("id"), str) or not session:
        return None
    created, updated = _times(value, "created"), _times(value, "updated")
    return SessionRow(
        id=session,
        parent=text_of(value, "parentID"),
        directory=text_of(value, "directory"),
        project=text_of(value, "projectID"),
        title=text_of(value, "title"),
        version=text_of(value, "version"),
        agent=None,
        model=None,
        created=created,
        updated=updated,
    )


def _times(row: Row, name: str) -> int:
    times = row.get("time")
    value = times.get(name) if isinstance(times, dict) else None
    return value if type(value) is int else 0


class Storage:
    """The files below a `storage` folder, as `memd_adapters.opencode_forks.Records`."""

    def __init__(self, folder: Path, session: SessionRow) -> None:
        self._folder = folder
        self._messages: dict[str, list[MessageRow]] = {}
        self._sessions: dict[str, SessionRow | None] = {session.id: session}

    def session(self, session: str) -> SessionRow | None:
        """Return a session by its id."""
        if session not in self._sessions:
            paths = sorted(self._folder.glob(f"session/*/{_plain(session)}.json"))
            self._sessions[session] = _session(_object(paths[0])) if paths else None
        return self._sessions[session]

    def all_messages(self, session: str) -> list[MessageRow]:
        """Return the messages of a session, the oldest first."""
        if session not in self._messages:
            rows = [(_times(row, "created"), path.stem, row) for path, row in self._rows("message", session)]
            rows.sort(key=lambda row: row[:2])
            before = Counter[int]()
            found = []
            for created, message, row in rows:
                found.append(MessageRow(message, session, created, row, before[created]))
                before[created] += 1
            self._messages[session] = found
        return self._messages[session]

    def messages(self, session: str, created: int) -> Sequence[MessageRow]:
        """Return the messages of a session that were made at a time."""
        return [message for message in self.all_messages(session) if message.created == created]

    def first_and_last(self, session: str, before: int) -> tuple[int, int] | None:
        """Return when the first and the last message of a session before a time were made."""
        times = [message.created for message in self.all_messages(session) if message.created < before]
        return (times[0], times[-1]) if times else None

    def elders(self, session: SessionRow, created: int) -> Sequence[str]:
        """Return the sessions of the project that are older and have a message made at a time, the oldest first."""
        elders = []
        for path in sorted(self._folder.glob(f"session/{_plain(session.project or '')}/*.json")):
            other = self.session(path.stem)
            if other is not None and other.created < session.created and self.messages(other.id, created):
                elders.append((other.created, other.id))
        return [elder for _, elder in sorted(elders)]

    def parts(self, message: str) -> Sequence[PartRow]:
        """Return the parts of a message in their order."""
        return [PartRow(path.stem, row, order) for order, (path, row) in enumerate(self._rows("part", message))]

    def path(self, kind: str, of: str, row: str) -> Path:
        """Return where the file of a message or part lies."""
        return self._folder / kind / _plain(of) / f"{row}.json"

    def _rows(self, kind: str, of: str) -> Iterator[tuple[Path, Row]]:
        try:
            paths = sorted((self._folder / kind / _plain(of)).glob("*.json"))
        except OSError:
            return
        for path in paths:
            row = _object(path)
            yield path, row if row is not None else {}


class _Reading:
    """One read of a session."""

    def __init__(self, storage: Storage, session: SessionRow, state: _State, batch_bytes: int) -> None:
        self._storage = storage
        self._session = session
        self._state = state
        self._left = max(batch_bytes, 1)
        self._forks = Forks(storage)
        self.events: list[Event] = []
        self.skipped: Counter[str] = Counter()
        self.bytes = 0
        self.rows = 0

    def run(self) -> None:
        """Tell what is new of the session until the batch is full or there is nothing more."""
        state, storage = self._state, self._storage
        messages = storage.all_messages(self._session.id)
        last = messages[-1].data if messages else {}
        self.events.append(session_update(self._session, self._forks.forked_from(self._session), last))
        state.more = False
        for message in messages:
            if (message.created, message.id) <= state.after:
                continue
            if self._left <= 0:
                state.more = True
                return
            self._message(message)
            state.after = (message.created, message.id)
        self._deleted(messages)
        state.after, state.seen_ns = (0, ""), state.newest_ns

    def _message(self, message: MessageRow) -> None:
        state = self._state
        original = self._forks.original(message)
        notice = error_notice(message, original)
        if self._is_new(self._storage.path("message", message.session, message.id)):
            if not message.data:
                self.skipped[DAMAGED] += 1
            if notice is not None:
                self.events.append(notice)
        for part in self._storage.parts(message.id):
            if not self._is_new(self._storage.path("part", message.id, part.id)):
                continue
            if not part.data:
                self.skipped[DAMAGED] += 1
            else:
                self.events += part_events(message, part, original, self.skipped)
        key = original.message if original else message.id
        held = f"{message.id} {key}" if original else message.id
        if held not in state.held:
            state.held = [*state.held, held][-MOST_HELD:]

    def _is_new(self, path: Path) -> bool:
        try:
            found = path.stat()
        except OSError:
            return False
        state = self._state
        state.newest_ns = max(state.newest_ns, found.st_mtime_ns)
        if found.st_mtime_ns < state.seen_ns - _LAG_NS:
            return False
        self.rows += 1
        self.bytes += found.st_size
        self._left -= found.st_size
        return True

    def _deleted(self, messages: Sequence[MessageRow]) -> None:
        """Tell which of the messages that were told are gone."""
        there = {message.id for message in messages}
        gone = [held for held in self._state.held if held.partition(" ")[0] not in there]
        if gone:
            keys = [held.partition(" ")[2] or held for held in gone]
            self.events.append(Withdrawn(self._session.id, tuple(key + kin for key in keys for kin in KIN)))
            self._state.held = [held for held in self._state.held if held not in gone]


def _object(path: Path) -> Row | None:
    try:
        value, torn = parse_file(path.read_bytes(), Counter())
    except OSError:
        return None
    return value if isinstance(value, dict) and not torn else None


def _plain(name: str) -> str:
    """Return an id that is safe as a file's name; ids come from files, which anybody may have written."""
    return name if name.replace("_", "").replace("-", "").isalnum() else "-"
