"""The tools of Cline and its relatives: what kind each is, what it was given, and what came of it.

Up to 3.x the model writes a call as XML in its text, later versions as blocks; either way results are text:
"Command executed and exited with code 2.\\nOutput:\\n...", "The user denied this operation.", "The content was
successfully saved to x". Roo says "Exit code: 2" and, from its native tools on, answers in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from memd.adapter import ChangeOp, FileChange, ToolKind
from memd_adapters.json_telling import Outcome
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import line_count, text_of

TOOL_KINDS: Final[Mapping[str, ToolKind]] = {
    "execute_command": "shell",
    "run_command": "shell",
    "run_commands": "shell",
    "bash": "shell",
    "write_to_file": "write",
    "new_rule": "write",
    "apply_diff": "edit",
    "apply_patch": "edit",
    "edit": "edit",
    "edit_file": "edit",
    "editor": "edit",
    "insert_content": "edit",
    "replace_in_file": "edit",
    "search_and_replace": "edit",
    "search_replace": "edit",
    "read_file": "read",
    "read_files": "read",
    "fetch_instructions": "read",
    "list_files": "search",
    "list_files_recursive": "search",
    "list_files_top_level": "search",
    "search_files": "search",
    "search_codebase": "search",
    "codebase_search": "search",
    "list_code_definition_names": "search",
    "view_source_code_definitions_top_level": "search",
    "browser_action": "web",
    "fetch_web_content": "web",
    "inspect_site": "web",
    "web_fetch": "web",
    "web_search": "web",
    "new_task": "agent",
    "spawn_agent": "agent",
    "subagent": "agent",
    "use_subagents": "agent",
    "focus_chain": "todo",
    "update_todo_list": "todo",
    "access_mcp_resource": "mcp",
    "load_mcp_documentation": "mcp",
    "use_mcp_tool": "mcp",
}

TALKING: Final[Mapping[str, str]] = {
    "ask_followup_question": "question",
    "ask_question": "question",
    "attempt_completion": "result",
    "plan_mode_respond": "response",
    "plan_mode_response": "response",
}
"""Tools whose input is what the model says to the person, and the field it stands in."""

_OTHER_TOOLS: Final = (*TALKING, "condense", "report_bug", "switch_mode", "use_skill", "skill", "run_slash_command")
_NEVER_XML: Final = frozenset("bash edit editor read_files run_commands skill spawn_agent subagent".split())
_NAMES: Final = "|".join(sorted({*TOOL_KINDS, *_OTHER_TOOLS} - _NEVER_XML, key=len, reverse=True))
_CALL: Final = re.compile(rf"<({_NAMES})>(.*?)</\1>", re.DOTALL)
_FIELD: Final = re.compile(r"<([a-z][a-z_]{0,40})>(.*?)</\1>", re.DOTALL)
_LONG_FIELD: Final = re.compile(r"<(content|diff|result|response)>(.*)</\1>", re.DOTALL)
_EXIT: Final = re.compile(r"\bexit(?:ed)?(?: with)?(?: code)?:? ?(-?\d{1,10})\b", re.IGNORECASE)
_FAILED: Final = re.compile(
    r"\s*(?:The tool execution failed|The user denied|The user rejected|Error\b|\[ERROR\]|<error>"
    r'|\{"status":\s*"(?:error|denied)"|Command failed)'
)
_HEAD_CHARS: Final = 600
"""Within this much of its start a result tells how a command ended."""
_RUNNING: Final = re.compile(r"Command is still running")
_CREATED: Final = re.compile(r'"operation":\s*"created"|New file created|"query":\s*"create:|\bCreated ')
_ARGUMENT_PATH: Final = re.compile(r"<path>(.*?)</path>", re.DOTALL)
_SEARCH: Final = re.compile(r"(?:-{5,}|<{5,}) ?SEARCH>?")
_REPLACE: Final = re.compile(r"(?:\+{5,}|>{5,}) ?REPLACE>?")
_MIDDLE: Final = re.compile(r"={5,}")
_PATCH_FILE: Final = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_PATCH_OPS: Final[Mapping[str, ChangeOp]] = {"Add": "create", "Update": "update", "Delete": "delete"}


def kind_of(name: str) -> ToolKind:
    """Return the kind of a tool by its name."""
    if name.startswith(("mcp__", "mcp--", "mcp_")) or "__" in name:
        return "mcp"
    return TOOL_KINDS.get(name, "other")


def calls_in_text(text: str) -> tuple[str, list[tuple[str, Row]]]:
    """Return the model's text without the calls it wrote as XML, and these calls with their fields."""
    if "<" not in text:
        return text, []
    calls = [(found[1], _fields(found[2])) for found in _CALL.finditer(text)]
    return (_CALL.sub("", text).strip(), calls) if calls else (text, [])


def _fields(body: str) -> Row:
    """Return the fields of a call; what may hold tags of its own is taken to its last closing tag."""
    fields: Row = {}
    if found := _LONG_FIELD.search(body):
        fields[found[1]] = found[2].strip("\n")
        body = body[: found.start()] + body[found.end() :]
    return {found[1]: found[2].strip() for found in _FIELD.finditer(body)} | fields


def outcome(name: str, given: Json, body: str, *, failed: bool | None = None) -> Outcome:
    """Return what came of a call from the text that came back; `failed` where the host says it in so many words."""
    exit_code: int | None = None
    ok: bool | None = not failed if failed is not None else not _FAILED.match(body)
    if kind_of(name) == "shell":
        head = body[:_HEAD_CHARS].partition("Output:")[0]
        if found := _EXIT.search(head):
            exit_code = int(found[1])
            ok = exit_code == 0
        elif ok and _RUNNING.search(head):
            ok = None
    changes = planned_changes(name, given, created=_CREATED.search(body[:2000]) is not None) if ok is not False else ()
    return Outcome(ok, exit_code, changes)


def shell_output(body: str) -> str:
    """Return what a command printed, without the host's words about it."""
    head, found, output = body.partition("Output:\n")
    return output if found and len(head) <= _HEAD_CHARS else body


def planned_changes(name: str, given: Json, *, created: bool = False) -> tuple[FileChange, ...]:
    """Return the changes that a call asks for, with the lines it adds and takes away where its input tells."""
    if not isinstance(given, dict) or kind_of(name) not in ("edit", "write"):
        return ()
    patch = text_of(given, "input") or text_of(given, "patch") or ""
    if "*** " in patch:
        return _patch_changes(patch)
    if arguments := text_of(given, "args"):
        paths = dict.fromkeys(path.strip() for path in _ARGUMENT_PATH.findall(arguments))
        return tuple(FileChange(path, "update") for path in paths if path)
    path = next((path for key in ("path", "file_path", "absolutePath") if (path := text_of(given, key))), None)
    if path is None:
        return ()
    added, removed = _counts(name, given)
    return (FileChange(path, "create" if created else "update", added, removed),)


def _counts(name: str, given: Row) -> tuple[int | None, int | None]:
    if diff := text_of(given, "diff"):
        return diff_counts(diff)
    for old, new in (("old_text", "new_text"), ("old_string", "new_string")):
        if new in given:
            return line_count(given.get(new)), line_count(given.get(old))
    if name == "insert_content" or "insert_line" in given:
        return line_count(given.get("content")), 0
    return (line_count(given["content"]), None) if "content" in given else (None, None)


def diff_counts(diff: str) -> tuple[int | None, int | None]:
    """Count the lines that SEARCH/REPLACE blocks, or else a unified diff, add and take away."""
    added = removed = 0
    side = ""
    blocks = False
    for line in diff.split("\n"):
        if _SEARCH.match(line):
            side, blocks = "old", True
        elif side == "old" and _MIDDLE.match(line):
            side = "new"
        elif side and _REPLACE.match(line):
            side = ""
        elif side == "old":
            if line.startswith((":start_line:", ":end_line:")):
                continue
            removed += not line.startswith("-------")
        elif side == "new":
            added += 1
    if blocks:
        return added, removed
    if not re.search(r"^(?:@@|--- )", diff, re.MULTILINE):
        return None, None
    lines = diff.split("\n")
    return (
        sum(line.startswith("+") and not line.startswith("+++") for line in lines),
        sum(line.startswith("-") and not line.startswith("---") for line in lines),
    )


def _patch_changes(patch: str) -> tuple[FileChange, ...]:
    """Return the changes of a patch in the language of `apply_patch`."""
    counts: dict[str, list[int]] = {}
    ops: dict[str, ChangeOp] = {}
    path = ""
    for line in patch.split("\n"):
        if found := _PATCH_FILE.match(line):
            path = found[2].strip()
            ops[path] = _PATCH_OPS[found[1]]
            counts.setdefault(path, [0, 0])
        elif path and line.startswith("+"):
            counts[path][0] += 1
        elif path and line.startswith("-"):
            counts[path][1] += 1
    return tuple(
        FileChange(path, op) if op == "delete" else FileChange(path, op, *counts[path]) for path, op in ops.items()
    )
