"""Hook events: what a host told its hook, read once from whatever bytes arrived.

The fields are those of Claude Code 2.1 (`HookEvent` in its SDK), whose shape other hosts have taken over; events of
other names are told under Claude Code's. Several hosts also run the hooks they find in Claude Code's settings (Cursor,
VS Code, Continue), so which host it really was is read from the event and the environment. Nobody but its owner runs
what is registered elsewhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLAUDE_CODE: Final = "claude_code"

# Other hosts' names for the events of Claude Code, apart from the first letter's case.
_EVENT_ALIASES: Final = {
    "BeforeSubmitPrompt": "UserPromptSubmit",  # Cursor
    "UserPromptSubmitted": "UserPromptSubmit",  # Copilot CLI
    "BeforeAgent": "UserPromptSubmit",  # Gemini CLI
    "AfterAgent": "Stop",
    "AgentStop": "Stop",  # Copilot CLI
    "TaskComplete": "SessionEnd",  # Cline
}

# Where the session's id stands. Cursor's transcripts and Cline's folders are called by these, and what a tool of
# theirs was given may hold one of the others.
_SESSION_KEYS: Final = ("conversation_id", "taskId", "session_id", "sessionId")


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event. Text that the host did not send is "", a path that it did not send is None."""

    host: str
    """The host whose registration ran the hook."""
    host_is: str
    """The host that ran it in truth; memd answers only when both are the same."""
    event: str
    """The event's name as Claude Code spells it. PreToolUse comes from hosts that take no context before it."""
    session_id: str
    transcript_path: Path | None = None
    cwd: Path | None = None
    prompt: str = ""
    source: str = ""
    """Why a session starts: startup, resume, clear, compact, fork; who sent a prompt: user, sdk, system, ..."""
    reason: str = ""
    """Why a session ends: clear, resume, logout, prompt_input_exit, other."""
    model: str = ""
    agent_id: str = ""
    """Not empty only for what happens inside a subagent."""
    agent_transcript_path: Path | None = None
    cut: bool = False
    """The event was too large for the hook client, which sent only what names the session."""


def parse_event(host: str, raw: bytes, *, named: str = "", env: str = "") -> HookEvent | None:
    """The event in `raw`, or None where there is no JSON object that names an event and a session. Never raises.

    `named` is the event of the client's header, for hosts that do not put it into the event; `env` is the header's
    comma-separated list of the environment variables that were set.
    """
    try:
        data = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    event = _text(data, "hook_event_name", "hookEventName") or named
    session_id = _session(data)
    if not event or not session_id:
        return None
    return HookEvent(
        host=host,
        host_is=_real_host(data, frozenset(env.split(","))) if host == _CLAUDE_CODE else host,
        event=_event(event, _text(data, "trigger")),
        session_id=session_id,
        transcript_path=_path(data, "transcript_path") or _path(data, "transcriptPath"),
        cwd=_path(data, "cwd") or _workspace(data),
        prompt=_text(data, "prompt"),
        source=_text(data, "source"),
        reason=_text(data, "reason"),
        model=_text(data, "model"),
        agent_id=_agent(data),
        agent_transcript_path=_path(data, "agent_transcript_path"),
        cut=data.get("memd_cut") is True,
    )


def _event(name: str, trigger: str) -> str:
    """The event as Claude Code calls it."""
    name = name[0].upper() + name[1:]
    if name == "PreCompress" and trigger == "manual":
        # Gemini CLI reports it at every turn, before it looks whether there is anything to compress: only what the
        # person asked for is a compaction for certain.
        return "PreCompact"
    return _EVENT_ALIASES.get(name, name)


def _session(data: Mapping[str, object]) -> str:
    """The id by which the host's own files know the session."""
    # Cline's conversation is a run of its session, which the context names where it differs.
    context = data.get("sessionContext")
    root = _text(context, "rootSessionId") if isinstance(context, dict) else ""
    return root or _text(data, *_SESSION_KEYS)


def _agent(data: Mapping[str, object]) -> str:
    """The subagent's id; Cline names its main agent, too, which has no parent."""
    main = "parent_agent_id" in data and not data["parent_agent_id"]
    return "" if main else _text(data, "agent_id", "agentId")


def _workspace(data: Mapping[str, object]) -> Path | None:
    """The first of the folders that an editor has open."""
    for key in ("workspace_roots", "workspaceRoots"):
        roots = data.get(key)
        for root in roots if isinstance(roots, list) else ():
            if path := _path({"root": root}, "root"):
                return path
    return None


def _real_host(data: Mapping[str, object], env: frozenset[str]) -> str:
    """Who ran a hook of Claude Code's settings.

    The event is believed before the environment, which a host inherits from its own parent: an editor started from a
    Claude Code session has CLAUDECODE set, and a Claude Code started in an editor's terminal may have the editor's
    variables.
    """
    if "cursor_version" in data:
        return "cursor"
    if "hookEventName" in data or "sessionId" in data or "initial_prompt" in data:
        return "copilot"
    if "prompt_id" in data or _is_claude_transcript(_path(data, "transcript_path"), _text(data, "session_id")):
        return _CLAUDE_CODE
    if "turn_id" in data:
        return "codex"
    # Each is set by that host for its hooks alone, so an inherited one means a hook that runs an agent: rare.
    for variable, host in (
        ("CURSOR_VERSION", "cursor"),
        ("CONTINUE_PROJECT_DIR", "continue"),
        ("GEMINI_SESSION_ID", "gemini"),
        ("COPILOT_PROJECT_DIR", "copilot"),
    ):
        if variable in env:
            return host
    return _CLAUDE_CODE


def _is_claude_transcript(path: Path | None, session_id: str) -> bool:
    """Whether the path is `<config>/projects/<slug>/<session id>.jsonl`, where only Claude Code writes."""
    return path is not None and path.name == f"{session_id}.jsonl" and path.parent.parent.name == "projects"


def _text(data: Mapping[str, object], *keys: str) -> str:
    """The first of the members that is a text with something in it, fit to be encoded as UTF-8."""
    for key in keys:
        value = data.get(key)
        if isinstance(value, str) and value:
            # A host that cuts its text between the halves of a surrogate pair writes "\ud83d", which JSON lets through.
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return ""


def _path(data: Mapping[str, object], key: str) -> Path | None:
    """An absolute path; a relative one would be read from the daemon's own folder, and a NUL is in no path."""
    value = _text(data, key)
    return Path(value) if value.startswith("/") and "\0" not in value else None
