"""OpenCode's tools: what kind each is, what came back and which files it changed.

Shapes of `part.data.state` as versions 1.1.65, 1.2.27 and 1.18.33 write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from memd.adapter import ChangeOp, FileChange, ToolKind
from memd.text.noise import strip_noise
from memd_adapters.jsonl_rows import Row
from memd_adapters.shaping import line_count, text_of

TOOL_KINDS: Final[Mapping[str, ToolKind]] = {
    "bash": "shell",
    "shell": "shell",
    "edit": "edit",
    "multiedit": "edit",
    "patch": "edit",
    "apply_patch": "edit",
    "write": "write",
    "read": "read",
    "grep": "search",
    "glob": "search",
    "list": "search",
    "ls": "search",
    "codesearch": "search",
    "lsp": "search",
    "webfetch": "web",
    "websearch": "web",
    "task": "agent",
    "todowrite": "todo",
    "todoread": "todo",
}
_OWN: Final = frozenset(("batch", "plan_enter", "plan_exit", "question", "skill", "invalid"))

_OPS: Final[Mapping[str, ChangeOp]] = {
    "add": "create",
    "update": "update",
    "delete": "delete",
    "move": "rename",
}
_PATCH_FILE: Final = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a tool call."""

    ok: bool
    exit_code: int | None
    output: str
    changes: tuple[FileChange, ...]
    child: str | None


def kind_of(name: str) -> ToolKind:
    """Return the kind of a tool by its name; those of MCP servers are called `<server>_<tool>`."""
    kind = TOOL_KINDS.get(name)
    if kind is None:
        return "mcp" if "_" in name and name not in _OWN else "other"
    return kind


def outcome(name: str, state: Row) -> Outcome | None:
    """Return what came of a call from its part's `state`; None while it is pending or runs."""
    status = state.get("status")
    if status not in ("completed", "error"):
        return None
    metadata = state.get("metadata")
    details = metadata if isinstance(metadata, dict) else {}
    failed = status == "error"
    output = text_of(state, "error" if failed else "output") or text_of(details, "output") or ""
    exit_code: int | None = None
    if kind_of(name) == "shell" and "exit" in details:
        code = details["exit"]
        exit_code = code if type(code) is int and abs(code) < 1 << 31 else None
        failed = failed or exit_code != 0
    if "<system-reminder>" in output or "\x1b" in output:
        output = strip_noise(output)
    given = state.get("input")
    wanted = given if isinstance(given, dict) else {}
    changes = () if status == "error" else tuple(_changes(name, wanted, details))
    return Outcome(not failed, exit_code, output, changes, text_of(details, "sessionId"))


def _changes(name: str, given: Row, details: Row) -> Iterator[FileChange]:
    match name:
        case "write":
            yield from _written(given, details)
        case "edit":
            yield from _edited(given, details)
        case "multiedit":
            results = details.get("results")
            for result in results if isinstance(results, list) else []:
                if isinstance(result, dict):
                    yield from _edited(given, result)
        case "patch" | "apply_patch":
            yield from _patched(given, details)
        case _:
            pass


def _written(given: Row, details: Row) -> Iterator[FileChange]:
    path = text_of(given, "filePath") or text_of(details, "filepath")
    if path is None:
        return
    if details.get("exists") is False:
        yield FileChange(path, "create", line_count(given.get("content")), 0)
    else:
        yield FileChange(path, "update", *_counted(details))


def _edited(given: Row, details: Row) -> Iterator[FileChange]:
    diff = details.get("filediff")
    path = text_of(given, "filePath") or (text_of(diff, "file") if isinstance(diff, dict) else None)
    if path is not None:
        yield FileChange(path, "create" if given.get("oldString") == "" else "update", *_counted(details))


def _counted(details: Row) -> tuple[int | None, int | None]:
    """Return lines added and removed: as the host counted them, or from its unified diff."""
    counts = details.get("filediff")
    if isinstance(counts, dict):
        added, removed = counts.get("additions"), counts.get("deletions")
        if type(added) is int and type(removed) is int and 0 <= min(added, removed) <= max(added, removed) < 1 << 31:
            return added, removed
    diff = text_of(details, "diff")
    return diff_counts(diff) if diff else (None, None)


def diff_counts(diff: str) -> tuple[int, int]:
    """Count the lines that a unified diff adds and removes."""
    added = removed = 0
    for line in diff.split("\n"):
        if line.startswith("+") and not line.startswith("+++ "):
            added += 1
        elif line.startswith("-") and not line.startswith("--- "):
            removed += 1
    return added, removed


def _patched(given: Row, details: Row) -> Iterator[FileChange]:
    files = details.get("files")
    if not isinstance(files, list):
        patch = text_of(given, "patchText") or ""
        for op, path in _PATCH_FILE.findall(patch):
            yield FileChange(path.strip(), _OPS[op.lower()])
        return
    for file in files:
        if not isinstance(file, dict):
            continue
        path = text_of(file, "movePath") or text_of(file, "filePath") or text_of(file, "relativePath")
        kind = file.get("type")
        if path is not None:
            yield FileChange(path, _OPS.get(kind, "update") if isinstance(kind, str) else "update", *_counted(
                {"filediff": file, "diff": file.get("diff")}
            ))  # fmt: skip
