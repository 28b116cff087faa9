"""GitHub Copilot CLI: a folder for each session below `session-state/`, its events in one JSONL file.

<home>/.copilot/session-state/<session>/events.jsonl     and workspace.yaml with the session's name
<home>/.copilot/session-state/<session>.jsonl            earlier versions
<home>/.copilot/history-session-state/session_<session>_<ms>.json      the earliest; see `copilot_legacy`
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, SessionUpdate, Source
from memd.errors import TranscriptError
from memd_adapters.copilot_legacy import FILE, legacy_session, tell
from memd_adapters.copilot_rows import Reading
from memd_adapters.copilot_state import State
from memd_adapters.json_entries import Ledger
from memd_adapters.json_file import read_json_file
from memd_adapters.jsonl import read_lines
from memd_adapters.jsonl_batch import RowReader
from memd_adapters.jsonl_rows import Row, first_rows
from memd_adapters.shaping import clean, text_of

_ID: Final = re.compile(r"[0-9A-Za-z_-]{8,80}")
_NAME: Final = re.compile(rb"^(?:name|summary):[ \t]*(.+?)[ \t\r]*$", re.MULTILINE)
_STARTS: Final = ("session.start", "session.resume", "user.message", "assistant.message", "session.info")
_WORKSPACE: Final = "workspace.yaml"


class Copilot:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "copilot"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Copilot CLI"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the folder of sessions, and the extra roots."""
        given = env.env.get("COPILOT_HOME", "").strip()
        homes = [*([Path(given)] if given and Path(given).is_absolute() else []), env.home / ".copilot"]
        paths = [home / name for home in homes for name in ("session-state", "history-session-state")]
        return tuple(Root(self.name, path) for path in dict.fromkeys([*paths, *env.extra_roots]))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the events of a session, or the file with its name; the place tells the session's id."""
        if path.name in ("events.jsonl", _WORKSPACE) and _ID.fullmatch(path.parent.name):
            return Source(self.name, path, session=path.parent.name)
        if path.suffix == ".jsonl" and path.parent.name == "session-state" and _ID.fullmatch(path.stem):
            return Source(self.name, path, session=path.stem)
        if found := FILE.fullmatch(path.name):
            return Source(self.name, path, session=found[1])
        return None

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when one of the first lines is an event of Copilot CLI's."""
        if session := legacy_session(head):
            return Source(self.name, path, session=session)
        rows = [row for row in first_rows(head) if _is_ours(row)]
        if not rows:
            return None
        said = next((text for row in rows if (text := _session_of(row))), None)
        return Source(self.name, path, session=said or (path.parent.name if path.stem == "events" else path.stem))

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        if source.path.suffix == ".json":
            return _read_file(source, cursor, limits)
        lines = read_lines(source.path, cursor, limits)
        if lines.unchanged:
            return Batch((), lines.cursor)
        if source.path.name == _WORKSPACE:
            content = b"\n".join([*lines.lines, lines.torn])
            return Batch(_named(source, content), lines.cursor, lines.more, lines.restarted, lines=len(lines.lines))
        return _ROWS.read(source, cursor, lines)

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Return nothing: the host keeps no list of its processes."""
        return ()


def _begin(source: Source, carried: str) -> Reading:
    state = State.load(carried)
    state.session = source.session or state.session
    return Reading(state)


def _take(reading: Reading, line: bytes, offset: int) -> None:
    stripped = line.strip(b"\0 \t\r")
    if stripped or reading.state.fragment:
        reading.take_line(stripped, offset)


_ROWS: Final = RowReader("session of Copilot CLI", _begin, _take, halfway=lambda reading: bool(reading.state.fragment))


def _read_file(source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
    """Read a session of the earliest versions, whose file is one JSON value."""
    file = read_json_file(source.path, cursor)
    if file.unchanged:
        return Batch((), file.cursor)
    value = file.value
    if value is None or (file.torn and not (isinstance(value, dict) and "timeline" in value)):
        return Batch((), replace(file.cursor, state=cursor.state if cursor else ""), skipped=file.skipped)
    if not isinstance(value, dict) or "timeline" not in value:
        raise TranscriptError(source.path, "is no session of Copilot CLI: it has no timeline")
    session = source.session or text_of(value, "sessionId") or source.path.stem
    telling = tell(session, value, Ledger.load(cursor, session), limits.batch_bytes, whole=not file.torn)
    return Batch(
        events=telling.told(),
        cursor=telling.ledger.after(file.cursor, telling.news),
        more=telling.news.more,
        skipped=+(telling.skipped + file.skipped),
        lines=len(telling.news.places),
    )


def _named(source: Source, content: bytes) -> tuple[SessionUpdate, ...]:
    found = _NAME.search(content)
    title = clean(found[1].decode("utf-8", "replace").strip("\"'")) if found else ""
    return (SessionUpdate(source.session, title=title),) if source.session and title else ()


def _is_ours(row: Row) -> bool:
    return row.get("type") in _STARTS and isinstance(row.get("data"), dict) and "timestamp" in row and "id" in row


def _session_of(row: Row) -> str | None:
    data = row.get("data")
    return text_of(data, "sessionId") if row.get("type") == "session.start" and isinstance(data, dict) else None


ADAPTER: Final = Copilot()
