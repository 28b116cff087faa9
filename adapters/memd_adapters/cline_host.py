"""Cline and the hosts that grew out of it, as adapters: the same task folders, each under its extension's own name.

    <User>/globalStorage/<extension>/tasks/<task>/api_conversation_history.json   what was sent and answered
                                                  ui_messages.json                what was shown
                                                  history_item.json               Roo: folder, parent task
    <User>/globalStorage/<extension>/state/taskHistory.json                       Cline: the folders of all tasks
    ~/.cline/data/sessions/<id>/<id>.messages.json, <id>.json, agent_*.messages.json

All are written anew as a whole, Cline's SDK sessions in place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd_adapters.cline_forms import form_of
from memd_adapters.cline_places import custom_storage, user_folders
from memd_adapters.cline_resumed import own_entries, own_rows, task_of
from memd_adapters.cline_sdk import ALIVE, manifest_fields, manifest_update, tell_sdk
from memd_adapters.cline_task import task_entries, tell_task
from memd_adapters.cline_ui import tell_ui, times_of_history, ui_entries
from memd_adapters.json_entries import Entry, Ledger, content_digest
from memd_adapters.json_file import WholeFile, read_json_file
from memd_adapters.json_telling import Telling, rows_of, time_ms
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import clean, text_of

HISTORY: Final = "api_conversation_history.json"
SHOWN: Final = ("ui_messages.json", "claude_messages.json")
_MESSAGES: Final = ".messages.json"
_TASK_ID: Final = re.compile(r"\d{12,14}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SESSION_ID: Final = re.compile(r"(?:conv_)?\d{12,14}(?:_[0-9a-z]{3,12})?")
"""A session that goes on with a task of before the SDK has the task's id."""
_MOST_MANIFESTS: Final = 64
_REQUESTS_BEFORE_STAND_IN: Final = 3
"""By then a task whose history is kept has one: what was shown stands in only for histories that are lost."""


@dataclass(frozen=True, slots=True)
class ClineHost:
    """The adapter of one of these hosts; it holds what tells them apart."""

    name: str
    title: str
    extension: str
    """The folder of the extension below `globalStorage`, in lower case."""
    setting: str = ""
    """The setting that names another storage folder."""
    sign: bytes = b""
    """What only this host's histories have in them."""
    homes: tuple[str, ...] = ()
    """Further folders with tasks or sessions, from the home folder."""
    has_sessions: bool = False
    has_items: bool = False
    """Whether a file beside each task tells what it is."""

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the folders of tasks of every editor, and of sessions; settings of editors are looked into."""
        paths = []
        for folder in user_folders(env):
            paths.append(folder / "globalStorage" / self.extension / "tasks")
            if self.setting and (custom := custom_storage(folder, self.setting)):
                paths.append(custom / "tasks")
        if self.has_sessions:
            base = Path(env.env.get("CLINE_DIR") or env.home / ".cline")
            data = Path(env.env.get("CLINE_DATA_DIR") or base / "data")
            paths += [data / "tasks", Path(env.env.get("CLINE_SESSION_DATA_DIR") or data / "sessions")]
        paths += [env.home / folder for folder in self.homes]
        paths += env.extra_roots
        return tuple(Root(self.name, path) for path in dict.fromkeys(paths) if path.is_absolute())

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the task or session a file belongs to, by its name and its folder's."""
        if path.suffix != ".json" or not path.is_relative_to(root.path):
            return None
        folder = path.parent.name
        if path.name == HISTORY or path.name in SHOWN:
            return Source(self.name, path, session=folder)
        if not self.has_sessions or not _SESSION_ID.fullmatch(folder):
            return None
        if path.name == f"{folder}.json":
            return Source(self.name, path, session=folder)
        return self._session_source(path, folder) if path.name.endswith(_MESSAGES) else None

    def _session_source(self, path: Path, folder: str) -> Source:
        stem = path.name.removesuffix(_MESSAGES)
        if stem == folder:
            return Source(self.name, path, session=folder)
        return Source(self.name, path, session=f"{folder}__{stem}", parent=folder)

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when the file begins as one of this host's does; the folder's name may be the session's."""
        parts = {part.lower() for part in path.parts}
        if self.extension not in parts and (parts & _EXTENSIONS or not self._is_signed(path, head)):
            return None
        folder = path.parent.name
        match form_of(head):
            case ("manifest", session) if self.has_sessions:
                return Source(self.name, path, session=session)
            case ("session", _) if self.has_sessions:
                return self._session_source(path, folder) if _SESSION_ID.fullmatch(folder) else Source(self.name, path)
            case ("task", _):
                return Source(self.name, path, session=folder if _TASK_ID.fullmatch(folder) else None)
            case _:
                return None

    def _is_signed(self, path: Path, head: bytes) -> bool:
        """Whether a file that lies anywhere is this host's rather than a relative's."""
        if path.with_name(ITEM).is_file():
            return self.has_items
        return self.sign in head

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read what is new of a file; see `memd.adapter.Adapter.read`."""
        if source.path.name in SHOWN and source.path.with_name(HISTORY).exists():
            return Batch((), _looked_at(source.path, cursor))
        file = read_json_file(source.path, cursor)
        if file.unchanged or file.value is None:
            return Batch((), file.cursor if file.unchanged else _kept(file.cursor, cursor), skipped=file.skipped)
        value = file.value
        if isinstance(value, list):
            return self._task(source, value, file, cursor, limits)
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            return self._session(source, value, file, cursor, limits)
        if isinstance(value, dict) and text_of(value, "session_id"):
            return _manifest(source, value, file, cursor)
        if file.torn:
            return Batch((), _kept(file.cursor, cursor), skipped=file.skipped)
        raise TranscriptError(source.path, f"is no transcript of {self.title}")

    def _task(
        self, source: Source, value: list[Json], file: WholeFile, cursor: Cursor | None, limits: ReadLimits
    ) -> Batch:
        rows = own_rows(source.path, rows_of(value))
        is_shown = any("say" in row or "ask" in row for row in rows)
        if rows and not is_shown and not any("role" in row for row in rows):
            raise TranscriptError(source.path, f"is no transcript of {self.title}")
        if is_shown and not _stands_in(source.path, rows):
            return Batch((), _kept(file.cursor, cursor))
        session = source.session or _session_of_rows(rows)
        entries = (ui_entries if is_shown else task_entries)(session, rows)
        telling = _telling(session, entries, file, Ledger.load(cursor, session), limits)
        telling.fields |= _beside(source.path, session)
        if is_shown:
            tell_ui(telling)
        else:
            tell_task(telling, _times(source.path, rows))
        return _batch(telling, file)

    def _session(self, source: Source, value: Row, file: WholeFile, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        session = source.session or text_of(value, "sessionId") or source.path.name.removesuffix(_MESSAGES)
        manifest = _small_json(source.path.parent / f"{source.path.parent.name}.json")
        ledger = Ledger.load(cursor, session)
        rows = rows_of(value.get("messages"))
        task = task_of(session, manifest, rows)
        entries = own_entries(task, source.path, session, rows, ledger)
        telling = _telling(session, entries, file, ledger, limits)
        telling.fields |= manifest_fields(manifest) | ({"forked_from": task} if task and task != session else {})
        origin = value.get("origin")
        parent = source.parent or (text_of(origin, "parentThreadId") if isinstance(origin, dict) else None)
        if parent:
            for name in ("title", "ended_at", "end_reason", "forked_from", "started_at"):
                telling.fields.pop(name, None)
            telling.fields |= {"kind": "subagent", "parent": parent}
        tell_sdk(telling)
        return _batch(telling, file)

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Return the processes that the manifests of the newest sessions name."""
        if not self.has_sessions:
            return ()
        try:
            names = sorted((entry.name for entry in root.path.iterdir()), reverse=True)
        except OSError:
            return ()
        found = []
        for name in [name for name in names if _SESSION_ID.fullmatch(name)][:_MOST_MANIFESTS]:
            manifest = _small_json(root.path / name / f"{name}.json")
            pid, session = manifest.get("pid"), text_of(manifest, "session_id")
            if type(pid) is int and pid > 0 and session and manifest.get("status") in ALIVE:
                found.append(LiveProcess(session, pid, None))
        return tuple(found)


ITEM: Final = "history_item.json"
_EXTENSIONS: Final = frozenset(("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code"))


def _manifest(source: Source, value: Row, file: WholeFile, cursor: Cursor | None) -> Batch:
    """Tell what a manifest says, once there are messages; before that it would make a session of nothing."""
    session = source.session or text_of(value, "session_id") or ""
    after = _kept(file.cursor, cursor)
    if file.torn or not source.path.with_name(f"{session}{_MESSAGES}").exists():
        return Batch((), after, skipped=file.skipped)
    return Batch((manifest_update(session, value),), after, skipped=file.skipped, lines=1)


def _telling(session: str, entries: list[Entry], file: WholeFile, ledger: Ledger, limits: ReadLimits) -> Telling:
    condensed = any(isinstance(entry.content, dict) and entry.content.get("isSummary") for entry in entries)
    news = ledger.news(entries, limits.batch_bytes, whole=not file.torn, condensed=condensed)
    return Telling(session, ledger, news, entries)


def _batch(telling: Telling, file: WholeFile) -> Batch:
    events = telling.told()
    return Batch(
        events=events,
        cursor=telling.ledger.after(file.cursor, telling.news),
        more=telling.news.more,
        skipped=+(telling.skipped + file.skipped),
        lines=len(telling.news.places),
    )


def _kept(cursor: Cursor, before: Cursor | None) -> Cursor:
    """Return a cursor that keeps what is known of a session."""
    return replace(cursor, state=before.state if before else "")


def _looked_at(path: Path, before: Cursor | None) -> Cursor:
    """Return the cursor of a file that needs no reading as it is."""
    found = path.stat()
    looked = Cursor(found.st_size, found.st_size, found.st_ino, found.st_mtime_ns)
    return replace(looked, state=before.state if before else "")


def _stands_in(path: Path, rows: list[Row]) -> bool:
    """Whether what was shown is all there is of a task; a history that is just being replaced counts as there."""
    if sum(row.get("say") == "api_req_started" for row in rows) < _REQUESTS_BEFORE_STAND_IN and _in_task(path):
        return False
    try:
        return not any(HISTORY in entry.name for entry in path.parent.iterdir())
    except OSError:
        return False


def _in_task(path: Path) -> bool:
    return path.name in SHOWN and path.parent.parent.name == "tasks"


def _session_of_rows(rows: list[Row]) -> str:
    """Return the id of a task whose folder does not tell it: the time of its first row, as Cline makes them."""
    at = time_ms(rows[0].get("ts")) if rows else None
    return str(at) if at is not None else content_digest(rows[0] if rows else None)


def _times(path: Path, rows: list[Row]) -> Mapping[int, int]:
    if all("ts" in row for row in rows):
        return {}
    for name in SHOWN:
        try:
            return times_of_history(rows_of(read_json_file(path.with_name(name), None).value))
        except (OSError, TranscriptError):
            continue
    return {}


def _beside(path: Path, session: str) -> dict[str, str | int]:
    """Return what lies beside a task's history tells of it: Roo's item, or the task's item in Cline's list."""
    fields: dict[str, str | int] = {}
    item = _small_json(path.with_name(ITEM))
    if not item and path.parent.parent.name == "tasks":
        listed = _json(path.parent.parent.parent / "state" / "taskHistory.json")
        item = next((row for row in rows_of(listed) if row.get("id") == session), {})
    if cwd := text_of(item, "workspace") or text_of(item, "cwdOnTaskInitialization"):
        fields["cwd"] = clean(cwd)
    if parent := text_of(item, "parentTaskId"):
        fields |= {"kind": "subagent", "parent": parent}
    if session.isdecimal() and time_ms(int(session)):
        fields["started_at"] = int(session)
    return fields


def _small_json(path: Path) -> Row:
    value = _json(path)
    return value if isinstance(value, dict) else {}


def _json(path: Path) -> Json:
    """Return what a file beside a transcript holds; None when it cannot be read now."""
    try:
        return read_json_file(path, None).value
    except (OSError, TranscriptError):
        return None
