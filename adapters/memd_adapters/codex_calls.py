"""Tool calls of a Codex rollout: the call, its output, and what events and items tell of its end."""

from __future__ import annotations

from memd.adapter import FileChange, ToolUse
from memd_adapters.codex_patch import PATCH_START, patch_changes, reported_changes
from memd_adapters.codex_reading import Place, Reading
from memd_adapters.codex_state import Call
from memd_adapters.codex_text import content_text
from memd_adapters.codex_tools import (
    answers_in,
    arguments_of,
    child_in,
    command_text,
    kind_of,
    outcome,
    questions_in,
    script_commands,
)
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import input_text, text_of

_FIRST_OUTPUT_CHARS = 800
_CODE_MODE_ID = "exec-"


def take_call(reading: Reading, kind: str, item: Row, place: Place) -> None:
    """Take a call as the model made it."""
    name = text_of(item, "name") or kind.removesuffix("_call")
    call_id = text_of(item, "call_id") or text_of(item, "id")
    if call_id is None:
        call_id = f"{kind}@{place.at or 0}"
    namespace = text_of(item, "namespace")
    match kind:
        case "function_call" | "tool_search_call":
            given = arguments_of(item.get("arguments"))
        case "custom_tool_call":
            given = _custom_input(name, text_of(item, "input") or "")
        case _:
            given = item.get("action") or {}
    call = Call(name, kind_of(name, namespace))
    if isinstance(given, dict):
        if call.kind == "other" and "commands" in given:
            call.kind = "shell"
        _plan(reading, call, given)
        if name == "request_user_input":
            call.asked = questions_in(given)
    reading.state.remember_call(call_id, call)
    full_name = f"{namespace.rstrip('_')}__{name}" if namespace and call.kind == "mcp" else name
    reading.reply(place, call=ToolUse(call_id, full_name.replace("\0", ""), call.kind, input_text(given)))


def _custom_input(name: str, text: str) -> Json:
    if name == "apply_patch":
        return {"patch": text}
    commands = script_commands(text) if name == "exec" else []
    return {"commands": list(commands), "script": text} if commands else {"input": text}


def _plan(reading: Reading, call: Call, given: Row) -> None:
    """Note which files the call would change, and which process it speaks to."""
    folder = text_of(given, "workdir") or reading.state.cwd
    patch = text_of(given, "patch") or text_of(given, "input") or text_of(given, "script")
    if call.kind == "shell" and patch is None:
        patch = command_text(given.get("command", given.get("cmd")))
    if patch and PATCH_START in patch:
        if call.name == "exec":  # a patch inside a script is quoted
            patch = patch.replace("\\n", "\n")
        call.changes = list(patch_changes(patch, folder))
        if call.changes and (
            call.kind == "other" or (call.kind == "shell" and patch.lstrip().startswith("apply_patch"))
        ):
            call.kind = "edit"
    if call.name == "write_stdin" and isinstance(number := given.get("session_id"), int | str):
        call.process = str(number)[:20]


def take_output(reading: Reading, item: Row, place: Place) -> None:
    """Take what a call gave back to the model."""
    state = reading.state
    state.reply = ""
    call_id = text_of(item, "call_id")
    if call_id is None:
        return
    call = state.calls.pop(call_id, None) or Call("", "other")
    raw = item.get("output", item.get("tools"))
    if isinstance(raw, dict):
        success = raw.get("success")
        call.ok = success if isinstance(success, bool) and call.ok is None else call.ok
        raw = raw.get("content")
    came = outcome(content_text(raw))
    exit_code = call.exit_code if call.exit_code is not None else came.exit_code
    ok = call.ok if call.ok is not None else came.ok
    changes = tuple(call.changes) if call.reported or (ok is not False and came.process is None) else ()
    reading.result(
        call_id,
        place,
        ok=ok,
        output=came.output,
        exit_code=exit_code,
        changes=changes,
        child=call.child or (child_in(came.output, {}) if call.kind == "agent" else None),
    )
    if came.process and call.name != "write_stdin":
        state.remember_process(came.process, call_id, came.output[-_FIRST_OUTPUT_CHARS:])
    elif call.process and came.process is None and came.exit_code is not None:
        _end_process(reading, call.process, came.output, came.exit_code, place)
    if call.asked and (words := answers_in(came.output, call.asked)):
        reading.prompt(words, place)


def _end_process(reading: Reading, process: str, output: str, exit_code: int, place: Place) -> None:
    """Tell the call that started a process how it ended, though another call saw it."""
    known = reading.state.processes.pop(process, None)
    if known is not None:
        call_id, first = known
        whole = f"{first.rstrip()}\n{output}" if first.strip() else output
        reading.result(call_id, place, ok=exit_code == 0, output=whole, exit_code=exit_code, word="e")


def take_end(reading: Reading, kind: str, end: Row, place: Place) -> None:
    """Take the host's account of how a call ended: an event of the older files, a completed item of the newer."""
    call_id = text_of(end, "call_id") or text_of(end, "id") or text_of(end, "event_id")
    if call_id is None:
        return
    match kind:
        case "exec_command_end" | "CommandExecution":
            _command_ended(reading, call_id, end, place)
        case "patch_apply_end" | "FileChange":
            changes = reported_changes(end.get("changes"), reading.state.cwd)
            failed = end.get("success") is False or end.get("status") in ("failed", "declined")
            _edit_ended(reading, call_id, end, () if failed else changes, failed, place)
        case "mcp_tool_call_end" | "McpToolCall":
            if (call := reading.state.calls.get(call_id)) is not None:
                call.ok = _mcp_ok(end)
        case "collab_agent_spawn_end" | "sub_agent_activity" | "CollabAgentToolCall":
            call = reading.state.calls.get(call_id)
            if call is not None and (child := child_in("", end)) is not None:
                call.child = child
        case _:
            pass


def _command_ended(reading: Reading, call_id: str, end: Row, place: Place) -> None:
    code = end.get("exit_code")
    exit_code = code if type(code) is int and abs(code) < 1 << 31 else None
    ok = exit_code == 0 if exit_code is not None else None
    output = text_of(end, "aggregated_output") or "\n".join(
        text for key in ("stdout", "stderr") if (text := text_of(end, key))
    )
    command = command_text(end.get("command"))
    if end.get("source") in ("user_shell", "userShell"):
        reading.say("user", "command", f"! {command}\n\n{output}".rstrip(), place)
        return
    call = reading.state.calls.get(call_id)
    if call is not None:
        call.exit_code, call.ok = exit_code, ok
    elif call_id.startswith(_CODE_MODE_ID) and command:
        script = _open_script(reading)
        if script is not None and script[1].kind == "shell":
            return  # the script's own text told the command
        reading.reply(place, call=ToolUse(call_id, "exec_command", "shell", input_text({"command": command})))
    changes = tuple(call.changes) if call is not None and ok is not False else ()
    reading.result(call_id, place, ok=ok, output=output, exit_code=exit_code, changes=changes, word="e")


def _edit_ended(
    reading: Reading, call_id: str, end: Row, changes: tuple[FileChange, ...], failed: bool, place: Place
) -> None:
    call = reading.state.calls.get(call_id)
    if call is None and call_id.startswith(_CODE_MODE_ID) and (script := _open_script(reading)) is not None:
        call_id, call = script
        changes = (*(call.changes if call.reported else ()), *changes)
    if call is not None:
        call.changes, call.reported, call.ok = list(changes)[:50], True, not failed
    output = "\n".join(text for key in ("stdout", "stderr") if (text := text_of(end, key)))
    reading.result(call_id, place, ok=not failed, output=output, exit_code=None, changes=changes, word="e")


def _open_script(reading: Reading) -> tuple[str, Call] | None:
    """Return the code-mode call that is running."""
    for call_id, call in reversed(reading.state.calls.items()):
        if call.name == "exec":
            return call_id, call
    return None


def _mcp_ok(end: Row) -> bool | None:
    result = end.get("result")
    if isinstance(result, dict):
        if "Err" in result:
            return False
        inner = result.get("Ok", result)
        if isinstance(inner, dict) and isinstance(error := inner.get("is_error", inner.get("isError")), bool):
            return not error
        return True
    return {"completed": True, "failed": False}.get(str(end.get("status")))
