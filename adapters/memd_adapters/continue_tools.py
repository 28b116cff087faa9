"""Continue's tools, of its editor extensions (`read_file`, `run_terminal_command`) and of its CLI (`Read`, `Bash`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote, urlsplit

from memd.adapter import ChangeOp, FileChange, ToolKind
from memd_adapters.json_telling import Outcome
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import line_count, text_of

TOOL_KINDS: Final[Mapping[str, ToolKind]] = {
    "run_terminal_command": "shell",
    "Bash": "shell",
    "edit_existing_file": "edit",
    "single_find_and_replace": "edit",
    "multi_edit": "edit",
    "search_and_replace_in_file": "edit",
    "Edit": "edit",
    "MultiEdit": "edit",
    "create_new_file": "write",
    "Write": "write",
    "read_file": "read",
    "read_file_range": "read",
    "read_currently_open_file": "read",
    "view_diff": "read",
    "Read": "read",
    "Diff": "read",
    "ls": "search",
    "grep_search": "search",
    "file_glob_search": "search",
    "view_repo_map": "search",
    "view_subdirectory": "search",
    "codebase": "search",
    "List": "search",
    "Search": "search",
    "search_web": "web",
    "fetch_url_content": "web",
    "Fetch": "web",
    "Subagent": "agent",
    "Checklist": "todo",
}

_EXIT: Final = re.compile(
    r"Command failed with exit code (-?\d{1,10})\s*\Z|\AError executing tool [^\n]{0,200}?exit code (\d{1,10})"
)
_DIFF_START: Final = re.compile(r"^(?:Index: |--- )", re.MULTILINE)
_DRIVE: Final = re.compile(r"/[A-Za-z]:")


def kind_of(name: str) -> ToolKind:
    """Return the kind of a tool by its name."""
    return TOOL_KINDS.get(name, "mcp" if "__" in name or name.startswith("mcp") else "other")


def path_of(uri: str) -> str:
    """Return the path that a workspace or a file is named by: a `file:` or remote URI, or the path itself."""
    if "://" not in uri:
        return uri
    path = unquote(urlsplit(uri).path)
    return path[1:] if _DRIVE.match(path) else path


def output_of(items: Json) -> tuple[str, str]:
    """Return the text of a tool's output, and what the editor says of how the command ended."""
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    texts = [text for row in rows if (text := text_of(row, "content"))]
    return "\n\n".join(texts), next((status for row in rows if (status := text_of(row, "status"))), "")


def outcome(name: str, given: Json, output: str, status: str, *, state: str) -> Outcome:
    """Return what came of a call whose `state` is one of done, errored and canceled."""
    ok = state == "done"
    exit_code = None
    if kind_of(name) == "shell":
        found = _EXIT.search(status) or _EXIT.search(output)
        if found:
            exit_code = int(found[1] or found[2])
            ok = exit_code == 0
        elif ok and (not status or status == "Command completed"):
            exit_code = 0
    return Outcome(ok, exit_code, planned_changes(name, given, output) if ok else ())


def planned_changes(name: str, given: Json, output: str) -> tuple[FileChange, ...]:
    """Return the change that a call made, with the lines that its output's diff or its input tells."""
    if not isinstance(given, dict) or kind_of(name) not in ("edit", "write"):
        return ()
    path = next((path for key in ("filepath", "file_path", "path") if (path := text_of(given, key))), None)
    if path is None:
        return ()
    written = given.get("contents", given.get("content"))
    if kind_of(name) == "write":
        is_new = name == "create_new_file" or "created" in output[:200].lower()
        op: ChangeOp = "create" if is_new else "update"
        return (FileChange(path_of(path), op, line_count(written), 0 if is_new else None),)
    added, removed = _diff_counts(output) or _edit_counts(given)
    return (FileChange(path_of(path), "update", added, removed),)


def _diff_counts(output: str) -> tuple[int, int] | None:
    found = _DIFF_START.search(output)
    if found is None:
        return None
    lines = output[found.start() :].split("\n")
    added = sum(line.startswith("+") and not line.startswith("+++") for line in lines)
    return added, sum(line.startswith("-") and not line.startswith("---") for line in lines)


def _edit_counts(given: Row) -> tuple[int | None, int | None]:
    several = given.get("edits")
    edits = [edit for edit in several if isinstance(edit, dict)] if isinstance(several, list) else [given]
    if not any("new_string" in edit for edit in edits):
        return None, None
    added = sum(line_count(edit.get("new_string")) for edit in edits)
    return added, sum(line_count(edit.get("old_string")) for edit in edits)
