"""A Cline task's `ui_messages.json` (older: `claude_messages.json`): what was shown to the person.

It stands in where the history of what was sent to the model is lost, and lends its times to histories that have none.
A row has `ts`, `type` (say or ask) and a kind under that name; it is updated in place while it streams (`partial`).
What came of a tool call is told by the next request to the model (`api_req_started`).
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import orjson

from memd.adapter import FileChange
from memd_adapters.cline_tools import diff_counts, kind_of, outcome, shell_output
from memd_adapters.cline_words import tell
from memd_adapters.json_entries import Entry, digest
from memd_adapters.json_telling import Call, Outcome, Telling, time_ms
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import line_count, text_of

IGNORED: Final = frozenset((
    "api_req_deleted", "api_req_finished", "api_req_rate_limit_wait", "api_req_retried", "api_req_retry_delayed",
    "auto_approval_max_req_reached", "browser_action", "browser_action_result", "browser_session_status",
    "checkpoint_created", "checkpoint_saved", "clineignore_error", "codebase_search_result",
    "command_permission_denied", "condense", "condense_context", "condense_context_error", "deleted_api_reqs",
    "diff_error", "error_retry", "generate_explanation", "hook_output_stream", "hook_status", "image", "info",
    "load_mcp_documentation", "mcp_notification", "mcp_server_request_started", "mcp_server_response",
    "mistake_limit_reached", "new_task", "report_bug", "resume_completed_task", "resume_task", "rooignore_error",
    "shell_integration_warning", "sliding_window_truncation", "subtask_result", "summarize_task", "task_progress",
    "too_many_mistakes_reached", "user_edit_todos",
))  # fmt: skip
"""Kinds that hold nothing to keep."""

_TOOL_NAMES: Final = {
    "appliedDiff": "apply_diff",
    "codebaseSearch": "codebase_search",
    "editedExistingFile": "replace_in_file",
    "fileDeleted": "apply_patch",
    "insertContent": "insert_content",
    "listCodeDefinitionNames": "list_code_definition_names",
    "listFilesRecursive": "list_files",
    "listFilesTopLevel": "list_files",
    "newFileCreated": "write_to_file",
    "newTask": "new_task",
    "readFile": "read_file",
    "searchAndReplace": "search_and_replace",
    "searchFiles": "search_files",
    "updateTodoList": "update_todo_list",
    "webFetch": "web_fetch",
    "webSearch": "web_search",
}
_EDITS: Final = frozenset(
    ("replace_in_file", "write_to_file", "apply_diff", "insert_content", "search_and_replace", "apply_patch")
)
_APPROVAL_MARK: Final = "REQ_APP"
_LOADING: Final = "\n\nLoading..."


def ui_entries(session: str, rows: list[Row]) -> list[Entry]:
    """Return the rows that may say something; equal ones of one moment are counted."""
    seen: Counter[str] = Counter()
    entries = []
    for row in rows:
        kind = kind_of_row(row)
        if kind in IGNORED:
            continue
        name = digest(session, str(row.get("ts")), text_of(row, "type") or "", kind)
        seen[name] += 1
        entries.append(Entry(name if seen[name] == 1 else f"{name}-{seen[name]}", row))
    return entries


def kind_of_row(row: Row) -> str:
    """Return what a row says or asks."""
    return text_of(row, "say") or text_of(row, "ask") or ""


def times_of_history(rows: list[Row]) -> dict[int, int]:
    """Return the times of the rows of the history beside it, by place: what was shown first after the row before."""
    times: dict[int, int] = {}
    for row in rows:
        place, at = row.get("conversationHistoryIndex"), time_ms(row.get("ts"))
        if isinstance(place, int) and at is not None:
            times[place + 1] = min(at, times.get(place + 1, at))
    return times


def tell_ui(telling: Telling) -> None:
    """Tell what was shown."""
    shown = _Shown(telling)
    for index, entry in enumerate(telling.entries):
        telling.turn_to(index)
        if isinstance(entry.content, dict):
            shown.take(entry.content, index)


class _Shown:
    """The walk through what was shown: calls whose outcome is not known yet, and the output so far."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._open: list[tuple[Call, tuple[FileChange, ...]]] = []
        self._output: list[str] = []
        self._result = ""

    def take(self, row: Row, index: int) -> None:
        at = time_ms(row.get("ts"))
        text = (text_of(row, "text") or "").strip()
        model = self._model(row)
        if at is not None:
            self._telling.fields.setdefault("started_at", at)
        match kind_of_row(row):
            case "api_req_started":
                self._settle(text, at)
            case "task" | "user_feedback" | "user_feedback_diff":
                self._prompt(row, text, at)
            case "text" if not index:
                self._prompt(row, text, at)
            case "text" | "followup" | "plan_mode_respond":
                self._telling.say("assistant", "reply", _question(text), at, model=model)
            case "completion_result":
                if text != self._result:
                    self._telling.say("assistant", "reply", text, at, model=model)
                self._result = text
            case "reasoning":
                self._telling.say("assistant", "reply", "", at, thinking=text, model=model)
            case kind:
                self._of_host(kind, row, text, at)

    def _of_host(self, kind: str, row: Row, text: str, at: int | None) -> None:
        match kind:
            case "error" | "api_req_failed":
                self._telling.say("system", "notice", text_of(_object(text), "message") or text, at)
            case "command_output":
                self._output.append(text)
            case "tool" | "command" | "use_mcp_server" | "browser_action_launch":
                if row.get("partial") is not True:
                    self._call(kind, text, at, self._model(row))
            case _:
                self._telling.skip(f"unknown row kind: {kind[:80]}")

    def _model(self, row: Row) -> str | None:
        info = row.get("modelInfo")
        model = text_of(info, "modelId") if isinstance(info, dict) else None
        if model:
            self._telling.fields["model"] = model
        return model

    def _prompt(self, row: Row, text: str, at: int | None) -> None:
        if kind_of_row(row) == "user_feedback_diff":
            text = ""  # the person's edit of a file, shown as a diff
        images = row.get("images")
        marks = ["[image]"] * len(images) if isinstance(images, list) else []
        self._telling.say("user", "prompt", "\n\n".join(part for part in (text, *marks) if part), at)

    def _call(self, kind: str, text: str, at: int | None, model: str | None) -> None:
        name, given, changes = _call_of(kind, text)
        call = Call(self._telling.call_id(None, 0), name, given, kind_of(name))
        self._open.append((call, changes))
        self._telling.say("assistant", "reply", "", at, calls=(call,), model=model)

    def _settle(self, text: str, at: int | None) -> None:
        """Tell what came of the calls since the last request, by what the next one reports."""
        if not self._open:
            return
        request = _object(text).get("request")
        said = tell([request.removesuffix(_LOADING)] if isinstance(request, str) else [], first=False)
        body = said.results[0].body if said.results else ""
        for call, changes in self._open:
            came = outcome(call.name, call.given, body)
            told = changes if came.ok is not False else ()
            is_shell = call.name == "execute_command"
            output = shell_output(body) or "\n".join(self._output) if is_shell else body if len(self._open) == 1 else ""
            self._telling.result(call, Outcome(came.ok, came.exit_code, told), output, at)
        self._open, self._output = [], []


def _call_of(kind: str, text: str) -> tuple[str, Json, tuple[FileChange, ...]]:
    if kind == "command":
        return "execute_command", {"command": text.removesuffix(_APPROVAL_MARK).strip()}, ()
    details = _object(text)
    if kind != "tool":
        return ("use_mcp_tool" if kind == "use_mcp_server" else "browser_action"), details or {"text": text}, ()
    shown = text_of(details, "tool") or ""
    name = _TOOL_NAMES.get(shown, shown or "unknown")
    path = text_of(details, "path")
    if name not in _EDITS or path is None:
        return name, {key: value for key, value in details.items() if key not in ("tool", "content")}, ()
    if shown == "fileDeleted":
        return name, details, (FileChange(path, "delete"),)
    added, removed = diff_counts(diff) if (diff := text_of(details, "diff")) else (None, None)
    if shown == "newFileCreated":
        return name, details, (FileChange(path, "create", line_count(details.get("content") or diff), 0),)
    return name, details, (FileChange(path, "update", added, removed),)


def _question(text: str) -> str:
    """Return what a question asks: it is shown with its options, as JSON."""
    details = _object(text)
    return text_of(details, "question") or text_of(details, "response") or text


def _object(text: str) -> Row:
    if not text.startswith("{"):
        return {}
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
