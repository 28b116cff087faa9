"""The files a Codex edit touches: from the patch the model wrote, or from the changes the host reports.

The patch language has `*** Add File: path`, `*** Update File: path` (with `*** Move to: path`), `*** Delete File: path`
and lines that begin with `+`, `-` or a space.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memd.adapter import ChangeOp, FileChange
from memd_adapters.jsonl_rows import Json
from memd_adapters.shaping import diff_counts, line_count

PATCH_START: Final = "*** Begin Patch"

_OPS: Final[dict[str, ChangeOp]] = {"Add": "create", "Update": "update", "Delete": "delete"}
_FILE: Final = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_MOVE: Final = "*** Move to: "
_ABSOLUTE: Final = re.compile(r"[/\\~]|[A-Za-z]:[/\\]")
_MOST_FILES: Final = 200


def patch_changes(patch: str, folder: str | None) -> tuple[FileChange, ...]:
    """Return the changes a patch asks for, in its order; paths are joined to the folder it is applied in."""
    start = patch.find(PATCH_START)
    if start < 0:
        return ()
    files: list[_File] = []
    for line in patch[start:].split("\n"):
        if line.startswith("*** "):
            if line.startswith("*** End Patch"):
                break
            _take_header(files, line.rstrip("\r"), folder)
        elif files and line[:1] == "+":
            files[-1].added += 1
        elif files and line[:1] == "-":
            files[-1].removed += 1
    return tuple(file.change() for file in files[:_MOST_FILES])


@dataclass(slots=True)
class _File:
    """A file of a patch, while its lines are counted."""

    path: str
    op: ChangeOp
    added: int = 0
    removed: int = 0

    def change(self) -> FileChange:
        if self.op == "delete":  # a patch does not say how long the file was
            return FileChange(self.path, self.op)
        return FileChange(self.path, self.op, self.added, self.removed)


def _take_header(files: list[_File], line: str, folder: str | None) -> None:
    if found := _FILE.match(line):
        files.append(_File(_joined(found[2].strip(), folder), _OPS[found[1]]))
    elif line.startswith(_MOVE) and files:
        files[-1].path, files[-1].op = _joined(line[len(_MOVE) :].strip(), folder), "rename"


def reported_changes(changes: Json, folder: str | None) -> tuple[FileChange, ...]:
    """Return the changes the host reports: by path, `{type: add | delete | update, content | unified_diff}`."""
    if not isinstance(changes, dict):
        return ()
    found = []
    for path, change in list(changes.items())[:_MOST_FILES]:
        if path and isinstance(change, dict):
            found.append(_reported(_joined(path, folder), change, folder))
    return tuple(found)


def _reported(path: str, change: dict[str, Json], folder: str | None) -> FileChange:
    kind = change.get("type")
    if isinstance(kind, dict):
        kind = kind.get("type")
    if kind is None and len(change) == 1:  # {"add": {"content": ...}} of older versions
        kind, inner = next(iter(change.items()))
        change = inner if isinstance(inner, dict) else {}
    match kind:
        case "add":
            return FileChange(path, "create", line_count(change.get("content")), 0)
        case "delete":
            content = change.get("content")
            return FileChange(path, "delete", 0, line_count(content) if isinstance(content, str) else None)
        case _:
            added, removed = diff_counts(change.get("unified_diff"))
            moved = change.get("move_path")
            if isinstance(moved, str) and moved:
                return FileChange(_joined(moved, folder), "rename", added, removed)
            return FileChange(path, "update", added, removed)


def _joined(path: str, folder: str | None) -> str:
    if not folder or _ABSOLUTE.match(path):
        return path
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}"
