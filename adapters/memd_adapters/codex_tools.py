"""Codex's tools: what kind each is, what it was given, and what its output says of how it went.

Outputs come as text with a head of the host's lines (from 0.5x on), as a JSON string `{"output", "metadata"}` (before),
or as content parts. In code mode (from 0.14x on) the model writes a script for one tool, `exec`, that calls the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import orjson

from memd.adapter import ToolKind
from memd_adapters.jsonl_rows import Json, Row

_KINDS: Final[Mapping[str, ToolKind]] = {
    "shell": "shell",
    "shell_command": "shell",
    "local_shell": "shell",
    "container.exec": "shell",
    "exec_command": "shell",
    "write_stdin": "shell",
    "apply_patch": "edit",
    "view_image": "read",
    "read_file": "read",
    "list_dir": "search",
    "grep_files": "search",
    "tool_search": "search",
    "web_search": "web",
    "web_run": "web",
    "spawn_agent": "agent",
    "send_input": "agent",
    "send_message": "agent",
    "followup_task": "agent",
    "resume_agent": "agent",
    "wait_agent": "agent",
    "list_agents": "agent",
    "close_agent": "agent",
    "interrupt_agent": "agent",
    "update_plan": "todo",
    "list_mcp_resources": "mcp",
    "read_mcp_resource": "mcp",
}

_HEAD_LINE: Final = re.compile(
    r"(?:Chunk ID: \S*|Wall time:? [^\n]*|Original token count: \d+|Total output lines: \d+"
    r"|Script (?P<script>completed|failed|terminated|running[^\n]*)"
    r"|Process running with session ID (?P<process>\d+)"
    r"|(?:Process exited with code|Exit code:) (?P<code>-?\d+)|Output:)[ \t]*(?:\n|\Z)"
)
_HEAD_STARTS: Final = ("Chunk ID: ", "Wall time", "Script ", "Exit code: ", "Process ")
_FAILURES: Final = (
    "unsupported call",
    "aborted",
    "execution error",
    "failed to ",
    "failed for ",
    "err: ",
    "error: ",
    "exec_command failed",
    "write_stdin failed",
    "apply_patch verification failed",
    "patch rejected",
    "exec command rejected",
    "rejected by user",
    "tool call error",
    "Collab spawn failed",
)
_SUCCESSES: Final = ("Success. Updated the following files", "Plan updated", "Done!")

_CMD: Final = re.compile(r"""["']?\bcmd["']?\s*:\s*("(?:[^"\\\n]|\\.)*"|`[^`$\\]*`|'[^'\\\n]*')""")
_MOST_COMMANDS: Final = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an output says: its text without the host's head, and how the call went as far as it tells."""

    output: str
    ok: bool | None = None
    exit_code: int | None = None
    process: str | None = None
    """The number of a process that goes on running; `write_stdin` speaks to it."""


def kind_of(name: str, namespace: str | None = None) -> ToolKind:
    """Return the kind of a tool by its name and the namespace it is called in."""
    if name.startswith("mcp__") or (namespace or "").startswith("mcp__"):
        return "mcp"
    return _KINDS.get(name, "other")


def arguments_of(value: Json) -> Json:
    """Return a call's arguments; the model writes them as JSON text, and not always well."""
    if not isinstance(value, str):
        return value if value is not None else {}
    try:
        given: Json = orjson.loads(value)
    except orjson.JSONDecodeError:
        return {"arguments": value} if value else {}
    return given if given is not None else {}


def script_commands(script: str) -> list[str]:
    """Return the command lines that a code-mode script gives as plain literals, in its order."""
    if "exec_command" not in script:
        return []
    return [_literal(found[1]) for found in _CMD.finditer(script)][:_MOST_COMMANDS]


def _literal(quoted: str) -> str:
    if quoted.startswith('"'):
        try:
            return str(orjson.loads(quoted))
        except orjson.JSONDecodeError:
            pass
    return quoted[1:-1]


def outcome(text: str) -> Outcome:
    """Return what the text of an output tells."""
    if text.startswith("{"):
        return _of_object(text)
    if not text.startswith(_HEAD_STARTS):
        return Outcome(text, _plain_success(text))
    position, code, process, script = 0, None, None, ""
    end = 0
    while found := _HEAD_LINE.match(text, position):
        position = found.end()
        code = _number(found["code"], code)
        process = found["process"] or process
        script = found["script"] or script
        if found[0].startswith("Output:"):
            end = position
    if not end:  # no head of the host's after all, or one without a body
        end = position if position == len(text) else 0
    body = text[end:]
    if script and body.startswith('{"') and (inner := _of_object(body)).output != body:
        return inner
    ok = code == 0 if code is not None else False if script in ("failed", "terminated") else _plain_success(body)
    return Outcome(body, ok, code, process)


def _of_object(text: str) -> Outcome:
    """Read `{"output", "metadata": {"exit_code"}}`, and the result of a code-mode command; other objects are text."""
    try:
        given = orjson.loads(text)
    except orjson.JSONDecodeError:
        return Outcome(text)
    if not isinstance(given, dict):
        return Outcome(text)
    output = given.get("output", given.get("content"))
    details = given.get("metadata")
    details = details if isinstance(details, dict) else given
    code, success = details.get("exit_code"), given.get("success")
    if not isinstance(output, str) or not (
        isinstance(code, int) or isinstance(success, bool) or {"metadata", "chunk_id"} & given.keys()
    ):
        return Outcome(text)
    process = details.get("session_id")
    if type(code) is not int or abs(code) >= 1 << 31:
        return Outcome(output, success if isinstance(success, bool) else None, None, str(process) if process else None)
    return Outcome(output, code == 0, code, None)


def _plain_success(text: str) -> bool | None:
    if text.startswith(_FAILURES):
        return False
    return True if text.startswith(_SUCCESSES) else None


def _number(digits: str | None, otherwise: int | None) -> int | None:
    return int(digits) if digits is not None and len(digits) < 10 else otherwise


def command_text(command: Json) -> str:
    """Return a command line from the words the host runs; the shell around it is taken off."""
    if isinstance(command, str):
        return command
    words = [word for word in command if isinstance(word, str)] if isinstance(command, list) else []
    if len(words) == 3 and words[1] in ("-c", "-lc", "-Command"):
        return words[2]
    return " ".join(words)


def answers_in(output: str, asked: Mapping[str, str]) -> str:
    """Return what a person answered to `request_user_input`, as `"question"="answer"` lines."""
    try:
        given = orjson.loads(output)
    except orjson.JSONDecodeError:
        return ""
    answers = given.get("answers") if isinstance(given, dict) else None
    lines = []
    for key, answer in answers.items() if isinstance(answers, dict) else ():
        words = answer.get("answers") if isinstance(answer, dict) else answer
        words = words if isinstance(words, list) else [words]
        said = ", ".join(word for word in words if isinstance(word, str) and word)
        if said:
            lines.append(f'"{asked.get(key, key)}"="{said}"')
    return "\n".join(lines)


def questions_in(given: Json) -> dict[str, str]:
    """Return the questions of a `request_user_input` call by their ids."""
    questions = given.get("questions") if isinstance(given, dict) else None
    found: dict[str, str] = {}
    for question in questions if isinstance(questions, list) else ():
        if isinstance(question, dict) and isinstance(key := question.get("id"), str):
            text = question.get("question")
            found[key] = text[:400] if isinstance(text, str) else key
    return dict(list(found.items())[:8])


def child_in(output: str, row: Row) -> str | None:
    """Return the session id of an agent that a call started, from the call's output or the host's report of it."""
    for key in ("new_thread_id", "agent_thread_id"):
        if isinstance(value := row.get(key), str) and value:
            return value
    receivers = row.get("receiver_thread_ids")
    if isinstance(receivers, list) and len(receivers) == 1 and isinstance(receivers[0], str):
        return receivers[0]
    if output.startswith('{"') and "agent_id" in output[:400]:
        try:
            given = orjson.loads(output)
        except orjson.JSONDecodeError:
            return None
        value = given.get("agent_id") if isinstance(given, dict) else None
        return value if isinstance(value, str) and value else None
    return None
