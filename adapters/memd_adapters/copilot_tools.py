"""Copilot CLI's tools: what kind each is, which files it changed, and how a command ended."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from memd.adapter import ChangeOp, FileChange, ToolKind
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import line_count, text_of

_KINDS: Final[Mapping[str, ToolKind]] = {
    "bash": "shell",
    "powershell": "shell",
    "shell": "shell",
    "write_bash": "shell",
    "read_bash": "shell",
    "stop_bash": "shell",
    "list_bash": "shell",
    "create": "write",
    "edit": "edit",
    "str_replace_editor": "edit",
    "apply_patch": "edit",
    "view": "read",
    "read_file": "read",
    "grep": "search",
    "rg": "search",
    "glob": "search",
    "web_fetch": "web",
    "web_search": "web",
    "task": "agent",
    "update_todo": "todo",
    "sql": "other",
}
_OPS: Final[Mapping[str, ChangeOp]] = {"create": "create", "delete": "delete"}
_EXIT: Final = re.compile(
    r"\n?<(?:command with shellId: \S+ exited|shellId: \S+ completed|exited) with (?:exit )?code (-?\d{1,9})>\s*\Z"
)


def kind_of(name: str, server: str | None = None) -> ToolKind:
    """Return the kind of a tool by its name and the MCP server it came from."""
    return "mcp" if server else _KINDS.get(name, "other")


def exit_code_in(output: str) -> tuple[str, int | None]:
    """Return a command's output without the line that tells its exit code, and the code."""
    found = _EXIT.search(output)
    return (output[: found.start()], int(found[1])) if found else (output, None)


def planned_changes(name: str, given: Json) -> tuple[FileChange, ...]:
    """Return the changes a call asks for; the host reports none call by call."""
    if not isinstance(given, dict) or kind_of(name) not in ("edit", "write"):
        return ()
    path = text_of(given, "path") or text_of(given, "file_path")
    command = text_of(given, "command")
    if path is None or command == "view":
        return ()
    if name == "create" or command == "create":
        return (FileChange(path, "create", line_count(given.get("file_text", given.get("content"))), 0),)
    added = line_count(given.get("new_str", given.get("insert_text")))
    return (FileChange(path, "update", added, line_count(given.get("old_str"))),)


def committed_changes(edits: Json, planned: tuple[FileChange, ...], *, ok: bool | None) -> tuple[FileChange, ...]:
    """Return the changes that came of a call: those the host says it made, in later versions; else those asked for.

    A call that failed in the middle has made some of them.
    """
    rows = [row for row in edits if isinstance(row, dict)] if isinstance(edits, list) else None
    if rows is None:
        return planned if ok is not False else ()
    counts = {change.path: change for change in planned}
    made = []
    for row in rows:
        if path := text_of(row, "path"):
            asked = counts.get(path)
            op = _OPS.get(text_of(row, "kind") or "", "update")
            made.append(FileChange(path, op, asked.added if asked else None, asked.removed if asked else None))
    return tuple(made)


def result_text(data: Row) -> str:
    """Return what a completed call gave back: its content, or why it failed."""
    result = data.get("result")
    if isinstance(result, dict):
        text = text_of(result, "content") or text_of(result, "detailedContent")
        if text:
            return text
    error = data.get("error")
    if isinstance(error, dict):
        return text_of(error, "message") or ""
    return error if isinstance(error, str) else result if isinstance(result, str) else ""
