"""Records of an OpenCode database: its sessions, messages and parts, in every schema from 1.2 on.

Columns are asked for by name and taken as absent where a version has none. Tables that hold credentials and accounts
are never read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from memd_adapters.jsonl_rows import Row, parse_line
from memd_adapters.opencode_rows import DAMAGED, MessageRow, PartRow, SessionRow
from memd_adapters.shaping import text_of
from memd_adapters.sqlite_source import HostDatabase, Value

_SESSION: Final = (
    *("id", "parent_id", "directory", "project_id", "title", "version", "agent", "model", "time_created"),
    *("time_updated", "revert"),
)
_KEPT_MESSAGES: Final = 512
_LAST_NUMBER: Final = 1 << 53
ROW_BYTES: Final = 64 << 20
"""A larger row is passed over."""


class DatabaseRecords:
    """The rows of a database within one read."""

    def __init__(self, database: HostDatabase, skipped: Counter[str]) -> None:
        self.database = database
        self.skipped = skipped
        self._sessions: dict[str, SessionRow | None] = {}
        self._messages: dict[str, MessageRow | None] = {}
        self._orders: dict[str, dict[str, int]] = {}
        present = database.columns("session")
        columns = ", ".join(name if name in present else f"NULL AS {name}" for name in _SESSION)
        self._one_session = f"SELECT {columns} FROM session WHERE id = ?"  # noqa: S608 - constant columns

    def session(self, session: str) -> SessionRow | None:
        """Return a session by its id."""
        if session not in self._sessions:
            row = None
            if self._has("session", "id"):
                row = self.database.row(self._one_session, (session,))
            self._sessions[session] = None if row is None else _session(row)
        return self._sessions[session]

    def touched(self, since: int) -> list[str]:
        """Return the sessions that were touched after a time."""
        if not self._has("session", "id", "time_updated"):
            return []
        found = self.database.rows("SELECT id FROM session WHERE time_updated > ?", (since,))
        return [session for (session,) in found if isinstance(session, str)]

    def newest(self) -> int:
        """Return when a session was touched last."""
        if not self._has("session", "time_updated"):
            return 0
        row = self.database.row("SELECT max(time_updated) FROM session")
        return number(row[0]) if row else 0

    def message(self, message: str) -> MessageRow | None:
        """Return a message by its id; None when it is unknown or damaged."""
        if message not in self._messages:
            row = self.database.row(
                "SELECT session_id, time_created, CAST(data AS BLOB) FROM message WHERE id = ?", (message,)
            )
            if len(self._messages) >= _KEPT_MESSAGES:
                self._messages.clear()
            self._messages[message] = None if row is None else self.made_message(message, *row)
        return self._messages[message]

    def made_message(self, message: Value, session: Value, created: Value, raw: Value) -> MessageRow | None:
        """Return a message from its columns."""
        data = self.parsed(raw)
        if data is None or not isinstance(message, str) or not isinstance(session, str):
            return None
        at = number(created)
        before = self.database.row(
            "SELECT count(*) FROM message WHERE session_id = ? AND time_created = ? AND id < ?", (session, at, message)
        )
        return MessageRow(message, session, at, data, number(before[0]) if before else 0)

    def last_message(self, session: str) -> Row:
        """Return the data of the newest message of a session; empty where it has none."""
        row = self.database.row(
            "SELECT CAST(data AS BLOB) FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1",
            (session,),
        )
        return (self.parsed(row[0], Counter()) or {}) if row else {}

    def message_ids(self, session: str) -> list[str]:
        """Return the ids of a session's messages, the oldest first."""
        rows = self.database.rows("SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id", (session,))
        return [message for (message,) in rows if isinstance(message, str)]

    def order(self, message: str, part: str) -> int:
        """Return the place of a part in its message."""
        if message not in self._orders:
            if len(self._orders) >= _KEPT_MESSAGES:
                self._orders.clear()
            rows = self.database.rows("SELECT id FROM part WHERE message_id = ? ORDER BY id", (message,))
            self._orders[message] = {str(found): number for number, (found,) in enumerate(rows)}
        return self._orders[message].get(part, 0)

    def messages(self, session: str, created: int) -> Sequence[MessageRow]:
        """Return the messages of a session that were made at a time."""
        rows = self.database.rows(
            "SELECT id, session_id, time_created, CAST(data AS BLOB) FROM message"
            " WHERE session_id = ? AND time_created = ? ORDER BY id",
            (session, created),
        )
        return [found for row in list(rows) if (found := self.made_message(*row)) is not None]

    def first_and_last(self, session: str, before: int) -> tuple[int, int] | None:
        """Return when the first and the last message of a session before a time were made."""
        row = self.database.row(
            "SELECT min(time_created), max(time_created) FROM message WHERE session_id = ? AND time_created < ?",
            (session, before),
        )
        return None if row is None or row[0] is None else (number(row[0]), number(row[1]))

    def elders(self, session: SessionRow, created: int) -> Sequence[str]:
        """Return the sessions of the project that are older and have a message made at a time, the oldest first."""
        if not self._has("session", "id", "time_created", "project_id"):
            return []
        rows = self.database.rows(
            "SELECT s.id FROM session s CROSS JOIN message m ON m.session_id = s.id AND m.time_created = ?"
            " WHERE s.time_created < ? AND s.project_id IS ? AND s.id != ?"
            " GROUP BY s.id ORDER BY s.time_created, s.id",
            (created, session.created, session.project, session.id),
        )
        return [elder for (elder,) in rows if isinstance(elder, str)]

    def parts(self, message: str) -> Sequence[PartRow]:
        """Return the parts of a message in their order."""
        rows = self.database.rows(
            "SELECT id, CAST(data AS BLOB) FROM part WHERE message_id = ? ORDER BY id", (message,)
        )
        return [PartRow(str(part), self.parsed(raw) or {}, order) for order, (part, raw) in enumerate(rows)]

    def parsed(self, raw: Value, skipped: Counter[str] | None = None) -> Row | None:
        """Return the object in a data column."""
        if skipped is None:
            skipped = self.skipped
        found = parse_line(raw, skipped) if isinstance(raw, bytes) else []
        if len(found) == 1:
            return found[0]
        skipped[DAMAGED] += 1
        return None

    def _has(self, table: str, *columns: str) -> bool:
        return self.database.columns(table).issuperset(columns)


def number(value: Value) -> int:
    """Return a column's value as an integer; 0 for what is none, or larger than any number in such a column is."""
    return value if type(value) is int and abs(value) <= _LAST_NUMBER else 0


def _session(row: tuple[Value, ...]) -> SessionRow:
    *texts, created, updated, revert = row
    session, parent, directory, project, title, version, agent, model = (_text(value) for value in texts)
    return SessionRow(
        id=session or "",
        parent=parent,
        directory=directory,
        project=project,
        title=title,
        version=version,
        agent=agent,
        model=_model(model),
        created=number(created),
        updated=number(updated),
        reverting=bool(_text(revert)),
    )


def _text(value: Value) -> str | None:
    return value if isinstance(value, str) and value else None


def _model(value: str | None) -> str | None:
    """Return the model's name; the column holds `{"id", "providerID"}` as JSON."""
    found = parse_line(value.encode("utf-8", "replace"), Counter()) if value else []
    return text_of(found[0], "id") if found else None
