"""Cline's tasks of before its SDK that were gone on with in a session of the SDK: what is written twice, and where.

Such a session has the task's id (or names the task in its manifest). It begins with the task's messages in the SDK's
form, without those that Cline had cut from the model's context; a warning of Cline's to the model follows, then what is
new. Later versions also write what is new back behind the task's history, and how much of it into `sdk_writeback.json`.

Forms: cline/cline, apps/vscode/src/sdk/legacy-task-handling.ts, legacy-task-writeback.ts, sdk-user-message-mapping.ts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from memd.adapter import HostEnv
from memd.errors import TranscriptError
from memd_adapters.cline_places import user_folders
from memd_adapters.cline_sdk import sdk_entries
from memd_adapters.cline_task import task_entries
from memd_adapters.cline_words import RESUMED, block_texts
from memd_adapters.json_entries import Entry, Ledger
from memd_adapters.json_file import read_json_file
from memd_adapters.json_telling import rows_of
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import small_json, text_of

_WRITTEN_BACK: Final = "sdk_writeback.json"
_PLACE: Final = 1 << 20
"""Where in a task what its session adds begins: behind all that its own history may hold."""

_HISTORY: Final = "api_conversation_history.json"
_TASK: Final = re.compile(r"\d{12,14}")
_UNSAID: Final = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)|<[^<>\n]{1,80}>|\s+", re.DOTALL)
_SYSTEMS: Final = ("linux", "darwin")


def task_of(session: str, manifest: Row, rows: Sequence[Row]) -> str | None:
    """Return the id of the task that a session goes on with; None for a session of its own."""
    metadata = manifest.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    told = metadata.get("legacyTask")
    if isinstance(told, dict):
        told = text_of(told, "id") or text_of(told, "taskId")
    named = told if isinstance(told, str) else text_of(metadata, "legacyTaskId")
    if named and _TASK.fullmatch(named):
        return named
    is_task = told is True or metadata.get("migratedFromLegacyTask") is True or resumed_at(rows) is not None
    return session if is_task and _TASK.fullmatch(session) else None


def resumed_at(rows: Sequence[Row]) -> int | None:
    """Return the place of Cline's warning, behind which a session's own messages come."""
    for place, row in enumerate(rows):
        if row.get("role") == "user" and any(text.lstrip().startswith(RESUMED) for text in _texts(row)):
            return place
    return None


def own_entries(task: str | None, messages: Path, session: str, rows: list[Row], ledger: Ledger) -> list[Entry]:
    """Return the entries of a session's file at `messages` without those that repeat the history of its task.

    Where the session is the task they are left out, because the history tells them, and the rest goes behind them in
    the session's order; else they are known by the task's parts. Without a history all of them are the session's own.
    """
    entries = sdk_entries(rows)
    path = _history_of(task, messages) if task is not None else None
    if path is None and ledger.shift >= _PLACE:  # the history was there once: what was told begins behind the copies
        known = set(ledger.keys)
        return entries[next((place for place, entry in enumerate(entries) if entry.key in known), len(entries)) :]
    if task is None or path is None:
        return entries
    history = own_rows(path, _history(path))
    copied = _copied(rows, history)
    if task == session:
        ledger.shift = max(ledger.shift, _PLACE)
        return [entry for place, entry in enumerate(entries) if place not in copied]
    parts = [entry.part for entry in task_entries(task, history)]
    for place, other in copied.items():
        if other is not None:
            entries[place] = Entry(parts[other], entries[place].content)
    return [entry for place, entry in enumerate(entries) if copied.get(place, 0) is not None]


def _copied(rows: Sequence[Row], history: Sequence[Row]) -> Mapping[int, int | None]:
    """Return which rows of a session are copies, with their places in the history; None for what is in another form."""
    warned = resumed_at(rows)
    found: dict[int, int | None] = {}
    saying = [_saying(row) for row in history]
    at = 0
    for place, row in enumerate(rows if warned is None else rows[: warned + 1]):
        said = _saying(row)
        same = next((other for other in range(at, len(history)) if saying[other] == said), None)
        if same is None and warned is None:
            break
        found[place] = same
        at = at if same is None else same + 1
    return found


def _history_of(task: str, messages: Path) -> Path | None:
    """Return the history of a task, which lies beside the sessions or with an editor of the same home; None if gone."""
    return next((path for path in _histories(task, messages) if path.is_file()), None)


def _histories(task: str, messages: Path) -> Iterator[Path]:
    yield messages.parent.parent.parent / "tasks" / task / _HISTORY
    home = next((folder.parent for folder in messages.parents if folder.name == ".cline"), None)
    for system in _SYSTEMS if home is not None else ():
        for folder in user_folders(HostEnv(home or messages, {}, system)):
            yield folder / "globalStorage" / "saoudrizwan.claude-dev" / "tasks" / task / _HISTORY


def _history(path: Path) -> list[Row]:
    try:
        return rows_of(read_json_file(path, None).value)
    except (OSError, TranscriptError):
        return []


def own_rows(history: Path, rows: list[Row]) -> list[Row]:
    """Return a task's rows without those that were written back from its session."""
    written = small_json(history.with_name(_WRITTEN_BACK))
    what = "Api" if history.name == _HISTORY else "Ui"
    base, end = written.get(f"base{what}MessageCount"), written.get(f"written{what}MessageCount")
    if not (isinstance(base, int) and isinstance(end, int) and 0 <= base <= end):
        return rows
    return rows[:base] + rows[end:]


def _saying(row: Row) -> tuple[Json, tuple[str, ...], str]:
    """Return what stays of a row when it is written in the SDK's form: who speaks, the calls, the letters."""
    content = row.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    ids = (text_of(block, "id" if block.get("type") == "tool_use" else "tool_use_id") for block in blocks)
    return row.get("role"), tuple(one for one in ids if one), _UNSAID.sub("", "".join(_texts(row)))


def _texts(row: Row) -> list[str]:
    content = row.get("content")
    if isinstance(content, list):
        content = [block for block in content if not isinstance(block, dict) or block.get("type") == "text"]
    return block_texts(content)
