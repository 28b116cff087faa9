"""Cursor's tools under all their names: kind, what tells a call from others, results, and the files that were changed.

Transcripts and chat stores call a tool `Shell` or `StrReplace`, the editor's database `run_terminal_command_v2` or
`edit_file_v2`, and each gives it other parameters. One call is recognised in both by its kind and by the one parameter
that all of them keep: the command, the file's name, the pattern, the question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

import orjson

from memd.adapter import FileChange, ToolKind
from memd_adapters.codex_patch import PATCH_START, patch_changes
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.opencode_tools import diff_counts
from memd_adapters.shaping import line_count, text_of

_KINDS: Final[Mapping[str, ToolKind]] = {
    "shell": "shell",
    "bash": "shell",
    "runterminalcmd": "shell",
    "runterminalcommand": "shell",
    "strreplace": "edit",
    "multistrreplace": "edit",
    "searchreplace": "edit",
    "edit": "edit",
    "editfile": "edit",
    "multiedit": "edit",
    "editnotebook": "edit",
    "applypatch": "edit",
    "delete": "edit",
    "deletefile": "edit",
    "write": "write",
    "writefile": "write",
    "createfile": "write",
    "read": "read",
    "readfile": "read",
    "readlints": "read",
    "grep": "search",
    "grepsearch": "search",
    "ripgrep": "search",
    "ripgrepsearch": "search",
    "ripgreprawsearch": "search",
    "rg": "search",
    "glob": "search",
    "globfilesearch": "search",
    "filesearch": "search",
    "ls": "search",
    "listdir": "search",
    "codebasesearch": "search",
    "semanticsearch": "search",
    "semanticsearchfull": "search",
    "websearch": "web",
    "webfetch": "web",
    "fetch": "web",
    "task": "agent",
    "subagent": "agent",
    "todowrite": "todo",
    "todoread": "todo",
    "updatetodos": "todo",
}
_VERSION: Final = re.compile(r"v\d\Z")
_PLAIN: Final = re.compile(r"[^a-z0-9]")
_PATHS: Final = (
    *("path", "file_path", "filePath", "target_file", "targetFile", "relativeWorkspacePath", "target_notebook"),
    *("relative_workspace_path", "effectiveUri"),
)
_TELLING: Final[Mapping[ToolKind, tuple[str, ...]]] = {
    "shell": ("command",),
    "search": ("pattern", "query", "glob_pattern", "globPattern", "target_directory", "targetDirectory", "path"),
    "web": ("url", "search_term", "searchTerm", "query"),
    "agent": ("prompt", "description"),
    "todo": (),
}
_DELETES: Final = ("delete", "deletefile")
_EXIT_CODE: Final = re.compile(r"\A\s*Exit code:? (-?\d{1,10})\b")
_OUTPUT: Final = re.compile(r"\A\s*Exit code:? -?\d+\s*(?:Command output:\s*)?(?:```\w*\n(.*?)\n?```\s*\Z)?", re.DOTALL)
_LAST_CODE: Final = 1 << 31


PLANNED: Final = 0
TOLD: Final = 1
TOLD_BY_EDITOR: Final = 2
TOLD_BY_CHAT: Final = 3


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `mark` is what it is recognised by in every store."""

    name: str
    kind: ToolKind
    given: Json
    mark: str


@dataclass(frozen=True, slots=True)
class Result:
    """What came back from a call; `at` is in UTC epoch milliseconds."""

    ok: bool | None
    output: str
    exit_code: int | None = None
    changes: tuple[FileChange, ...] = ()
    child: str | None = None
    at: int | None = None
    rank: int = TOLD
    """How good the store is that it comes from: of several results of a call the one of the highest rank counts."""


def call_of(name: str, given: Json) -> Call:
    """Return a call by its tool's name and its input: an object, a patch as text, or JSON as text."""
    if isinstance(given, str) and given.lstrip().startswith("{"):
        given = object_in(given) or given
    kind = kind_of(name)
    return Call(name, kind, given, _mark(name, kind, given))


def kind_of(name: str) -> ToolKind:
    """Return the kind of a tool by any of its names."""
    lowered = name.lower()
    if lowered.startswith(("mcp", "callmcp")):
        return "mcp"
    return _KINDS.get(_plain(name), "other")


def _plain(name: str) -> str:
    return _VERSION.sub("", _PLAIN.sub("", name.lower()))


def _mark(name: str, kind: ToolKind, given: Json) -> str:
    if kind in ("edit", "write", "read"):
        path = path_of(given)
        group = "read" if kind == "read" else "edit"
        return f"{group} {PurePosixPath(path.replace(chr(92), '/')).name}" if path else group
    wanted = _TELLING.get(kind)
    if wanted is None:
        return f"{_plain(name)} {orjson.dumps(given, option=orjson.OPT_SORT_KEYS).decode()}"
    values = (text_of(given, key) for key in wanted) if isinstance(given, dict) else iter(())
    return f"{kind} {' '.join(next(filter(None, values), '').split())}"


def path_of(given: Json) -> str | None:
    """Return the file that a call is about."""
    if isinstance(given, str):
        changes = patch_changes(given, None) if PATCH_START in given else ()
        return changes[0].path if changes else None
    if not isinstance(given, dict):
        return None
    for key in _PATHS:
        value = given.get(key)
        if isinstance(value, dict):
            value = value.get("fsPath") or value.get("path")
        if isinstance(value, str) and value:
            return value
    patch = text_of(given, "patch") or text_of(given, "input")
    return path_of(patch) if patch else None


def planned(call: Call, cwd: str | None) -> tuple[FileChange, ...]:
    """Return the changes that a call asks for; they stand in where a store keeps no result."""
    if call.kind not in ("edit", "write"):
        return ()
    given = call.given
    patch = given if isinstance(given, str) else text_of(given, "patch") if isinstance(given, dict) else None
    if patch and PATCH_START in patch:
        return patch_changes(patch, cwd)
    path = path_of(given)
    if path is None:
        return ()
    path = joined(path, cwd)
    if _plain(call.name) in _DELETES:
        return (FileChange(path, "delete"),)
    if isinstance(given, dict) and isinstance(given.get("new_string"), str):
        old, new = given.get("old_string"), given.get("new_string")
        return (FileChange(path, "create" if old == "" else "update", line_count(new), line_count(old)),)
    return (FileChange(path, "update"),)


def joined(path: str, cwd: str | None) -> str:
    """Return a path below a folder when it is relative."""
    if cwd is None or path.startswith(("/", "\\", "~")) or path[1:2] == ":":
        return path
    return f"{cwd.rstrip('/')}/{path.removeprefix('./')}"


def text_result(output: str, *, failed: bool, kind: ToolKind) -> Result:
    """Return a result that is told as text alone."""
    exit_code: int | None = None
    if kind == "shell" and (found := _EXIT_CODE.match(output)):
        exit_code = _code(int(found[1]))
        body = _OUTPUT.match(output)
        output = (body[1] if body and body[1] is not None else output[found.end() :]).strip("\n")
        output = output.removeprefix("Command output:").strip("\n")
    return Result(not failed and exit_code in (0, None), output, exit_code)


def structured_result(call: Call, result: Json, *, failed: bool, cwd: str | None) -> Result:
    """Return a result as the editor's database keeps it: an object, JSON as text, or text."""
    details = result if isinstance(result, dict) else object_in(result) if isinstance(result, str) else None
    if details is None:
        plain = text_result(result if isinstance(result, str) else "", failed=failed, kind=call.kind)
        return replace(plain, changes=() if failed else planned(call, cwd), rank=TOLD_BY_EDITOR)
    exit_code = None
    if call.kind == "shell":
        exit_code = _code(details.get("exitCode", details.get("exitCodeV2")))
        failed = failed or exit_code not in (0, None) or details.get("rejected") is True
    output = next((text for key in ("output", "contents", "content", "error") if (text := text_of(details, key))), "")
    if not output and call.kind in ("search", "web", "agent", "mcp", "other"):
        output = orjson.dumps(details).decode() if details else ""
    changes = () if failed else _told_changes(call, details, cwd) or planned(call, cwd)
    return Result(not failed, output, exit_code, changes, rank=TOLD_BY_EDITOR)


def _told_changes(call: Call, details: Row, cwd: str | None) -> tuple[FileChange, ...]:
    diff = details.get("diff")
    chunks = diff.get("chunks") if isinstance(diff, dict) else None
    path = path_of(call.given)
    if call.kind not in ("edit", "write") or path is None or not isinstance(chunks, list):
        return ()
    added = removed = 0
    for chunk in chunks:
        counts = diff_counts(text_of(chunk, "diffString") or "") if isinstance(chunk, dict) else (0, 0)
        added, removed = added + counts[0], removed + counts[1]
    return (FileChange(joined(path, cwd), "update", added, removed),)


def object_in(text: str) -> Row | None:
    """Return the object that a text is the JSON of."""
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _code(value: Json) -> int | None:
    return value if type(value) is int and abs(value) < _LAST_CODE else None
