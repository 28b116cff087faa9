"""The tools of Gemini CLI and of its descendant Qwen Code: kinds, what came back, and the files they changed.

Outputs of the shell are text in lines of the host's (`Output:`, `Exit Code:`, `Process Group PGID:`); edits come with a
unified diff for display.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memd.adapter import ChangeOp, FileChange, ToolKind
from memd.text.noise import strip_noise
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import diff_counts, text_of

_KINDS: Final[Mapping[str, ToolKind]] = {
    "run_shell_command": "shell",
    "shell": "shell",
    "write_file": "write",
    "replace": "edit",
    "edit": "edit",
    "notebook_edit": "edit",
    "read_file": "read",
    "read_many_files": "read",
    "glob": "search",
    "grep": "search",
    "grep_search": "search",
    "search_file_content": "search",
    "list_directory": "search",
    "ls": "search",
    "google_web_search": "web",
    "web_search": "web",
    "web_fetch": "web",
    "write_todos": "todo",
    "todo_write": "todo",
    "task": "agent",
    "agent": "agent",
    "codebase_investigator": "agent",
    "delegate_to_agent": "agent",
}
_WRAPPER: Final = re.compile(r"\A\s*<untrusted_context>\n?(.*?)\n?</untrusted_context>\s*\Z", re.DOTALL)
_EXIT_CODE: Final = re.compile(r"^Exit Code: (-?\d{1,9})$", re.MULTILINE)
_HEADS: Final = re.compile(r"\A(?:Command: [^\n]*\n)?(?:Directory: [^\n]*\n)?(?:Output|Stdout): ", re.MULTILINE)
_TAIL: Final = re.compile(
    r"(?:Exit Code|Signal|Background PIDs|Process Group PGID): |(?:Stderr|Error|Signal): \((?:empty|none)\)$"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a tool call; `ok` is None while it runs."""

    ok: bool | None
    exit_code: int | None
    output: str
    changes: tuple[FileChange, ...]


def kind_of(name: str) -> ToolKind:
    """Return the kind of a tool by its name."""
    return "mcp" if name.startswith("mcp_") else _KINDS.get(name, "other")


def outcome(name: str, given: Json, status: str | None, output: str, display: Json) -> Outcome:
    """Return what came of a call from its status, the output given to the model, and what was shown to the person."""
    ok = {"success": True, "error": False, "cancelled": False}.get(status or "")
    exit_code: int | None = None
    if found := _WRAPPER.match(output):
        output = found[1]
    if kind_of(name) == "shell":
        codes = _EXIT_CODE.findall(output)
        exit_code = int(codes[-1]) if codes else 0 if ok else None
        ok = ok and exit_code == 0 if exit_code is not None else ok
        output = _plain_shell(output)
    return Outcome(ok, exit_code, output, changes_of(name, given, display) if ok else ())


def _plain_shell(output: str) -> str:
    """Return a shell's own output without the lines the host puts around it, but for those that tell of an error."""
    if not (head := _HEADS.match(output)):
        return output
    lines = output[head.end() :].split("\n")
    while lines and _TAIL.match(lines[-1]):
        lines.pop()
    body = "\n".join(lines)
    return "" if body.strip() == "(empty)" else body


def changes_of(name: str, given: Json, display: Json) -> tuple[FileChange, ...]:
    """Return the file a call changed, with the lines of the diff that was shown."""
    shown = display if isinstance(display, dict) else {}
    arguments = given if isinstance(given, dict) else {}
    if "fileDiff" not in shown and kind_of(name) not in ("write", "edit"):
        return ()
    path = text_of(shown, "filePath") or text_of(arguments, "file_path") or text_of(arguments, "absolute_path")
    if path is None:
        return ()
    added, removed = diff_counts(shown.get("fileDiff"))
    is_new = shown.get("isNewFile") is True or ("originalContent" in shown and shown.get("originalContent") is None)
    op: ChangeOp = "create" if is_new else "update"
    return (FileChange(path, op, added, removed),)


def response_text(response: Json) -> str:
    """Return the output in a function response: `{"output": ...}` or `{"error": ...}`, or any text in it."""
    if isinstance(response, str):
        return response
    if not isinstance(response, dict):
        return ""
    for key in ("output", "error", "content", "result"):
        value = response.get(key)
        if isinstance(value, str):
            return value
    return ""


def parts_text(content: Json) -> str:
    """Return the text of content: a string, or parts of which those with functions in them say nothing."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(text for part in parts if (text := _part_text(part)))


def _part_text(part: Json) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("thought") is True:
        return ""
    if "inlineData" in part or "fileData" in part:
        return "[image]"
    return text_of(part, "text") or ""


def responses_in(content: Json) -> list[Row]:
    """Return the function responses among parts."""
    return _functions_in(content, "functionResponse")


def calls_in(content: Json) -> list[Row]:
    """Return the function calls among parts."""
    return _functions_in(content, "functionCall")


def _functions_in(content: Json, what: str) -> list[Row]:
    parts = content if isinstance(content, list) else []
    return [found for part in parts if isinstance(part, dict) and isinstance(found := part.get(what), dict)]


_FILES: Final = "\n--- Content from referenced files ---"
_CONTEXT_STARTS: Final = ("<session_context>", "This is the Gemini CLI.", "This is the Qwen Code.", "<hook_context>\n")
_FOLDERS: Final = re.compile(
    r"Workspace Directories:\**\n\s+- ([^\n]{1,4096})\n|working in the directory: ([^\n]{1,4096})\n"
)
SUMMARY_STARTS: Final = ("<state_snapshot>", "<compressed_history>", "<compression_summary>")


def own_words(text: str) -> str:
    """Return a person's own words: no context of the host's or of hooks, no files pasted in behind an `@path`."""
    text = text.partition(_FILES)[0] if _FILES in text else text
    words = strip_noise(text).strip()
    return "" if words.startswith(_CONTEXT_STARTS) else words


def folder_in(text: str) -> str | None:
    """Return the working folder that the host's context text names."""
    found = _FOLDERS.search(text) if text.lstrip().startswith(_CONTEXT_STARTS) else None
    return (found[1] or found[2]).strip() or None if found else None
