"""Claude Code's tools: what kind each is, what it was given, what came back and which files it changed.

Shapes by tool (`toolUseResult` beside the `tool_result` block) as written by versions 1.0.128, 2.0.76 and 2.1.332.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memd.adapter import ChangeOp, FileChange, ToolKind
from memd.text.noise import strip_noise
from memd_adapters.claude_code_text import plain
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import OUTPUT_CHARS, head_and_tail, line_count

TOOL_KINDS: Final[Mapping[str, ToolKind]] = {
    "Bash": "shell",
    "PowerShell": "shell",
    "Edit": "edit",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "Write": "write",
    "Read": "read",
    "NotebookRead": "read",
    "Grep": "search",
    "Glob": "search",
    "LS": "search",
    "LSP": "search",
    "WebFetch": "web",
    "WebSearch": "web",
    "web_search": "web",
    "web_fetch": "web",
    "Agent": "agent",
    "Task": "agent",
    "TodoWrite": "todo",
    "TodoRead": "todo",
    "TaskCreate": "todo",
    "TaskUpdate": "todo",
    "TaskList": "todo",
    "TaskGet": "todo",
}

_EXIT_CODE: Final = re.compile(r"(?:Error: )?Exit code (\d{1,10})\b[ \t]*\n?")
_ERROR_TAG: Final = re.compile(r"\A<tool_use_error>(.*?)(?:</tool_use_error>)?\Z", re.DOTALL)

_TURNED_DOWN: Final = "To tell you how to proceed, the user said:\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a tool call."""

    ok: bool
    exit_code: int | None
    output: str
    output_chars: int
    changes: tuple[FileChange, ...]


def kind_of(name: str) -> ToolKind:
    """Return the kind of a tool by its name."""
    if name.startswith("mcp__"):
        return "mcp"
    return TOOL_KINDS.get(name, "other")


def planned_change(name: str, given: Json) -> FileChange | None:
    """Return the change that a call asks for; it stands in where the host writes no structured result."""
    if not isinstance(given, dict) or kind_of(name) not in ("edit", "write"):
        return None
    path = given.get("file_path") or given.get("notebook_path")
    if not isinstance(path, str) or not path:
        return None
    if name == "Write":
        return FileChange(path, "update", None, None)
    edits = given.get("edits") if name == "MultiEdit" else [given]
    if name == "NotebookEdit" or not isinstance(edits, list):
        return FileChange(path, "update", None, None)
    added = removed = 0
    for edit in edits:
        if isinstance(edit, dict):
            removed += line_count(edit.get("old_string"))
            added += line_count(edit.get("new_string"))
    return FileChange(path, "update", added, removed)


def outcome(block: Row, result: Json, kind: ToolKind | None, planned: FileChange | None) -> Outcome:
    """Return what came of a call from its `tool_result` block, its `toolUseResult` and what is known of the call."""
    failed = block.get("is_error") is True
    output = content_text(block.get("content"))
    details = result if isinstance(result, dict) else {}
    if not output and isinstance(result, str):
        output = result
    is_shell = kind == "shell" or (kind is None and "stdout" in details)
    exit_code: int | None = None
    if failed:
        output = _ERROR_TAG.sub(r"\1", output)
        found = _EXIT_CODE.match(output) if is_shell or kind is None else None
        if found:
            exit_code = int(found[1])
            output = output[found.end() :]
    elif is_shell and not (
        details.get("interrupted") or details.get("backgroundTaskId") or details.get("returnCodeInterpretation")
    ):
        exit_code = 0
    size = details.get("persistedOutputSize")
    return Outcome(
        ok=not failed and details.get("interrupted") is not True,
        exit_code=exit_code,
        output=head_and_tail(output, OUTPUT_CHARS),
        output_chars=max(size, len(output)) if type(size) is int and size < 1 << 62 else len(output),
        changes=() if failed else changes_of(details) or ((planned,) if planned else ()),
    )


def own_words(details: Json, block: Row) -> str:
    """Return what a person said by way of a tool: an answer picked in a dialog, or why a call was turned down."""
    if isinstance(details, dict) and isinstance(answers := details.get("answers"), dict) and "questions" in details:
        return "\n".join(f'"{asked}"="{given}"' for asked, given in answers.items() if isinstance(given, str) and given)
    if block.get("is_error") is True and isinstance(content := block.get("content"), str):
        _, said, words = content.partition(_TURNED_DOWN)
        return words.strip() if said else ""
    return ""


def content_text(content: Json) -> str:
    """Return the text of a `tool_result`'s content: a string, or blocks of text, images and references."""
    if isinstance(content, str):
        text = content
    elif isinstance(content, list):
        text = "\n".join(part for block in content if (part := _block_text(block)))
    else:
        return ""
    if "<" in text:
        if "<system-reminder>" in text:
            text = strip_noise(text)
        text = text.replace("<persisted-output>", "").replace("</persisted-output>", "")
    return plain(text) if "\x1b" in text else text.strip("\n")


def _block_text(block: Json) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return ""
    match block.get("type"):
        case "text":
            text = block.get("text")
            return text if isinstance(text, str) else ""
        case "image":
            return "[image]"
        case "document":
            return "[document]"
        case "tool_reference":
            return f"[tool: {block.get('tool_name')}]"
        case "web_search_result":
            return f"{block.get('title')} {block.get('url')}"
        case _:
            return ""


def changes_of(details: Row) -> tuple[FileChange, ...]:
    """Return the file changes that a `toolUseResult` tells of."""
    diff = details.get("bashEditDiff")
    if isinstance(diff, dict):
        return _shell_changes(diff)
    path = details.get("filePath") or details.get("notebook_path")
    if not isinstance(path, str) or not path:
        return ()
    patch = details.get("structuredPatch")
    if details.get("type") == "create":
        return (FileChange(path, "create", line_count(details.get("content")), 0),)
    if not isinstance(patch, list):
        return (FileChange(path, "update"),) if "notebook_path" in details and not details.get("error") else ()
    added, removed = _patch_counts(patch)
    is_new = details.get("oldString") == "" and not details.get("originalFile")
    return (FileChange(path, "create" if is_new else "update", added, removed),)


def _shell_changes(diff: Row) -> tuple[FileChange, ...]:
    changes: dict[str, FileChange] = {}
    files = diff.get("files")
    for file in files if isinstance(files, list) else []:
        if isinstance(file, dict) and isinstance(path := file.get("filePath"), str) and path:
            hunks = file.get("hunks")
            added, removed = _patch_counts(hunks if isinstance(hunks, list) else [])
            op: ChangeOp = "create" if file.get("created") else "delete" if file.get("deleted") else "update"
            changes[path] = FileChange(path, op, added, removed)
    also = diff.get("changedFiles")
    for path in also if isinstance(also, list) else []:
        if isinstance(path, str) and path:
            changes.setdefault(path, FileChange(path, "update"))
    return tuple(changes.values())


def _patch_counts(hunks: list[Json]) -> tuple[int, int]:
    added = removed = 0
    for hunk in hunks:
        lines = hunk.get("lines") if isinstance(hunk, dict) else None
        for line in lines if isinstance(lines, list) else []:
            if isinstance(line, str):
                added += line.startswith("+")
                removed += line.startswith("-")
    return added, removed
