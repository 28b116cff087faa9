"""Tool calls: made by a message part, finished by a result that may come batches later, first, or from a copy.

A call is indexed by `call_text` of what is stored of it, at all times, so that it can be taken out of the index again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import orjson

from memd.adapter import ToolResult, ToolUse
from memd.store.session_rows import Rank
from memd.text.tokens import prepare

_COLUMNS: Final = (
    "t.id, t.message_id, t.session_id, t.call_id, t.part, t.name, t.kind, t.input, t.ok, t.exit_code, t.output,"
    " t.output_chars, t.finished_at, t.child, t.result_part, t.result_from, t.result_seq"
)
_OWN: Final = f"""
    SELECT {_COLUMNS} FROM tool_calls t WHERE t.session_id = ? AND t.call_id IN (SELECT value FROM json_each(?))
"""  # noqa: S608 - constant columns
_COPIED: Final = f"""
    SELECT {_COLUMNS} FROM message_copies c JOIN tool_calls t ON t.message_id = c.message_id
    WHERE c.session_id = ? AND t.call_id IN (SELECT value FROM json_each(?))
"""  # noqa: S608 - constant columns
_OF_MESSAGE: Final = f"SELECT {_COLUMNS} FROM tool_calls t WHERE t.message_id = ?"  # noqa: S608 - constant columns
_NEXT_ID: Final = "SELECT ifnull(max(id), 0) + 1 FROM tool_calls"
_INSERT: Final = """
    INSERT INTO tool_calls (message_id, session_id, call_id, part, name, kind, input, ok, exit_code, output,
        output_chars, finished_at, child, result_part, result_from, result_seq, id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_UPDATE: Final = """
    UPDATE tool_calls SET message_id = ?, session_id = ?, call_id = ?, part = ?, name = ?, kind = ?, input = ?, ok = ?,
        exit_code = ?, output = ?, output_chars = ?, finished_at = ?, child = ?, result_part = ?, result_from = ?,
        result_seq = ?
    WHERE id = ?
"""
_DELETE: Final = "DELETE FROM tool_calls WHERE id = ?"
_FORGET_CHANGES: Final = "DELETE FROM file_changes WHERE tool_call_id = ?"
_ADD_CHANGE: Final = """
    INSERT OR IGNORE INTO file_changes (session_id, tool_call_id, path, op, added, removed, at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_MOVE_CHANGES: Final = "UPDATE OR IGNORE file_changes SET tool_call_id = ?, session_id = ? WHERE tool_call_id = ?"
_INDEX: Final = "INSERT INTO calls_fts (rowid, body) VALUES (?, ?)"
_UNINDEX: Final = """
    INSERT INTO calls_fts (calls_fts, rowid, body)
    SELECT 'delete', ?1, ?2 WHERE EXISTS (SELECT 1 FROM calls_fts_docsize WHERE id = ?1)
"""

_RESULT: Final = (
    "ok", "exit_code", "output", "output_chars", "finished_at", "child", "result_part", "result_from", "result_seq"
)  # fmt: skip
_INPUT_CHARS: Final = 2_000
_OUTPUT_HEAD: Final = 2_000
_OUTPUT_TAIL: Final = 1_000


def call_text(call_input: str, output: str) -> str:
    """Return the text under which a call is found: its input, and the beginning and the end of its output.

    `memd.text.tokens.prepare` of it is what a `Prepared` batch carries as body of a tool result.
    """
    if len(output) > _OUTPUT_HEAD + _OUTPUT_TAIL:
        output = f"{output[:_OUTPUT_HEAD]}\n{output[-_OUTPUT_TAIL:]}"
    return f"{call_input[:_INPUT_CHARS]}\n{output}"


@dataclass(slots=True)
class Call:
    """One row of `tool_calls`. `part` is None while only a result was seen of it."""

    id: int
    message: int
    session: int
    call_id: str
    part: int | None
    name: str
    kind: str
    input: str
    ok: int | None = None
    exit_code: int | None = None
    output: str = ""
    output_chars: int = 0
    finished_at: int | None = None
    child: str | None = None
    result_part: int | None = None
    result_from: int | None = None
    result_seq: int | None = None
    indexed: str | None = None
    """What the index has of it, before preparation; None when it is not stored yet."""
    body: str = ""
    changed: bool = False
    result: ToolResult | None = None
    """The result of this batch whose file changes are to be written."""

    def values(self) -> tuple[object, ...]:
        """Return the row as the statements take it."""
        return (
            self.message, self.session, self.call_id, self.part, self.name, self.kind, self.input, self.ok,
            self.exit_code, self.output, self.output_chars, self.finished_at, self.child, self.result_part,
            self.result_from, self.result_seq, self.id,
        )  # fmt: skip


class Calls:
    """The tool calls a batch makes, finishes or moves."""

    def __init__(self, conn: sqlite3.Connection, rank: Callable[[int], Rank]) -> None:
        self._conn = conn
        self._rank = rank
        self._next_id: int = conn.execute(_NEXT_ID).fetchone()[0]
        self._calls: dict[tuple[int, str], Call] = {}
        self.new = 0
        self.healed: list[int] = []
        """Messages that stood in for a call which has arrived since."""

    def prefetch(self, session: int, call_ids: Iterable[str]) -> None:
        """Load the stored ones among the calls of a session, in one query."""
        for row in self._conn.execute(_OWN, (session, _json(call_ids))):
            self._keep(_loaded(row))

    def of(self, session: int, call_id: str) -> Call | None:
        """Return a session's own call among those loaded or made by now."""
        return self._calls.get((session, call_id))

    def seen(self, session: int, call_ids: Iterable[str]) -> dict[str, list[Call]]:
        """Return the stored calls of these ids that a session has or shares, its own first and stand-ins last."""
        asked = set(call_ids)
        self.prefetch(session, asked)
        found: dict[str, list[Call]] = {}
        for call_id in asked:
            own = self.of(session, call_id)
            if own is not None:
                found[call_id] = [own]
        for row in self._conn.execute(_COPIED, (session, _json(asked))).fetchall():
            call = self._keep(_loaded(row))
            found.setdefault(call.call_id, []).append(call)
        for calls in found.values():
            calls.sort(key=lambda call: call.part is None)
        return found

    def make(self, session: int, message: int, part: int, use: ToolUse) -> bool:
        """Add a call and return whether that changed anything.

        A result that came before it finds its call, and a call that is there already is made up to date.
        """
        call = self.of(session, use.call_id)
        if call is not None and call.part not in {None, part}:
            # A host that gives the same id twice: both calls are kept, results go on to the newer one.
            call.call_id, call.changed = self._other_name(call), True
            self._calls[session, call.call_id] = call
            call = None
        if call is None:
            self._add(Call(self._next_id, message, session, use.call_id, part, use.name, use.kind, use.input))
            return True
        if call.part is None:
            self.healed.append(call.message)
        new = (part, message, use.name, use.kind, use.input)
        if (call.part, call.message, call.name, call.kind, call.input) == new:
            return False
        call.part, call.message, call.name, call.kind, call.input = new
        call.changed = True
        return True

    def stand_in(self, session: int, message: int, call_id: str) -> Call:
        """Add a call of which only the result is known."""
        return self._add(Call(self._next_id, message, session, call_id, None, "unknown", "other", ""))

    def offer(self, call: Call, event: ToolResult, part: int, session: int, seq: int, body: str) -> bool:
        """Finish a call with a result read in `session`; return False when it has a better one.

        The result read in the session of the lower rank is better, then the later one: whatever order they come in,
        the same one stays.
        """
        if not self._better(call, part, session, seq):
            return False
        same = call.result_part == part
        call.result_part, call.result_from, call.result_seq, call.changed = part, session, seq, True
        if same:
            return False
        call.ok = None if event.ok is None else int(event.ok)
        call.exit_code, call.output, call.finished_at = event.exit_code, event.output, event.at
        call.output_chars = max(event.output_chars, len(event.output))
        call.child, call.body, call.result = event.child, body, event
        return True

    def inherit(self, call: Call, stand_in: Call) -> None:
        """Give a call the result of the stand-in that was made while the call was unknown, which goes."""
        if stand_in.result_part is not None and self._better(
            call, stand_in.result_part, stand_in.result_from or 0, stand_in.result_seq or 0
        ):
            for name in _RESULT:
                setattr(call, name, getattr(stand_in, name))
            self._conn.execute(_FORGET_CHANGES, (call.id,))
            self._conn.execute(_MOVE_CHANGES, (call.id, call.session, stand_in.id))
            call.changed = True
        self._conn.execute(_UNINDEX, (stand_in.id, prepare(stand_in.indexed or "")))
        self._conn.execute(_DELETE, (stand_in.id,))
        self._calls.pop((stand_in.session, stand_in.call_id), None)

    def move(self, source: int, parts: set[int], message: int, session: int) -> list[int]:
        """Hand the calls of some parts of one message over to another; return messages of stand-ins they replaced."""
        replaced = []
        for row in self._conn.execute(_OF_MESSAGE, (source,)).fetchall():
            call = _loaded(row)
            if call.part in parts or (call.part is None and call.result_part in parts):
                there = self._already_there(call, session)
                if there is not None and call.part is None:
                    self.inherit(there, call)
                    replaced.append(message)
                    continue
                if there is not None and there.part is None:
                    self.inherit(call, there)
                    replaced.append(there.message)
                elif there is not None:
                    call.call_id = self._other_name(call)
                call.message, call.session, call.changed = message, session, True
                self._keep(call)
        return replaced

    def flush(self) -> None:
        """Write what is new or changed, with file changes and index, and forget all."""
        changed = [call for call in self._calls.values() if call.changed]
        new = [call for call in changed if call.indexed is None]
        self._conn.executemany(_UPDATE, [call.values() for call in changed if call.indexed is not None])
        self._conn.executemany(_INSERT, [call.values() for call in new])
        stale, fresh = [], []
        for call in changed:
            text = call_text(call.input, call.output)
            if text != call.indexed:
                if call.indexed is not None:
                    stale.append((call.id, prepare(call.indexed)))
                given = call.body if call.indexed is None else ""
                fresh.append((call.id, given or prepare(text)))
        self._conn.executemany(_UNINDEX, stale)
        self._conn.executemany(_INDEX, fresh)
        self._flush_changes(changed)
        self._calls.clear()

    def _flush_changes(self, changed: list[Call]) -> None:
        finished = [(call, call.result) for call in changed if call.result is not None]
        self._conn.executemany(_FORGET_CHANGES, [(call.id,) for call, _ in finished if call.indexed is not None])
        rows = [
            (call.session, call.id, change.path, change.op, change.added, change.removed, result.at)
            for call, result in finished
            for change in result.changes
        ]
        self._conn.executemany(_ADD_CHANGE, rows)
        moved = [
            (call.id, call.session, call.id) for call in changed if call.result is None and call.indexed is not None
        ]
        self._conn.executemany(_MOVE_CHANGES, moved)

    def _better(self, call: Call, part: int, session: int, seq: int) -> bool:
        if call.result_part is None or call.result_from is None or call.result_seq is None:
            return True
        new, old = (self._rank(session), -seq, part), (self._rank(call.result_from), -call.result_seq, call.result_part)
        return new < old

    def _already_there(self, call: Call, session: int) -> Call | None:
        """Return what a session has under the id of a call that comes to it."""
        self.prefetch(session, (call.call_id,))
        there = self.of(session, call.call_id)
        return None if there is None or there.id == call.id else there

    def _other_name(self, call: Call) -> str:
        return f"{call.call_id}~{call.part or 0:x}"

    def _add(self, call: Call) -> Call:
        self._next_id += 1
        self.new += 1
        call.changed = True
        self._calls[call.session, call.call_id] = call
        return call

    def _keep(self, call: Call) -> Call:
        """Return the one object that stands for a stored call."""
        return self._calls.setdefault((call.session, call.call_id), call)


def _loaded(row: tuple[object, ...]) -> Call:
    call = Call(*row)  # type: ignore[arg-type]
    call.indexed = call_text(call.input, call.output)
    return call


def _json(values: Iterable[str]) -> str:
    return orjson.dumps(list(values)).decode()
