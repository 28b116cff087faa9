"""Events in the shapes of each host, told under Claude Code's names, with the id that the host's own files have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memd_hooks import client, cline, codex, copilot, cursor, gemini, qwen
from memd_hooks.events import HookEvent, parse_event

LOOM = Path("/home/ada/loom")
SHAPES: dict[str, tuple[str, str, dict[str, object], dict[str, object]]] = {
    "codex starts": (
        "codex",
        "",
        {
            "session_id": "019a-c", "transcript_path": "/home/ada/.codex/sessions/2026/11/30/rollout-x-019a-c.jsonl",
            "cwd": str(LOOM), "hook_event_name": "SessionStart", "model": "m", "permission_mode": "default",
            "source": "startup",
        },
        {"event": "SessionStart", "session_id": "019a-c", "cwd": LOOM, "source": "startup"},
    ),
    "codex without a transcript": (
        "codex",
        "",
        {"session_id": "019a-c", "transcript_path": None, "hook_event_name": "Stop", "turn_id": "1"},
        {"event": "Stop", "session_id": "019a-c", "transcript_path": None},
    ),
    "codex in a subagent": (
        "codex",
        "",
        {"session_id": "019a-c", "hook_event_name": "UserPromptSubmit", "prompt": "go", "agent_id": "a"},
        {"event": "UserPromptSubmit", "prompt": "go", "agent_id": "a"},
    ),
    "gemini before a prompt": (
        "gemini",
        "",
        {
            "session_id": "g1", "transcript_path": "/home/ada/.gemini/tmp/loom/chats/session-x.jsonl",
            "cwd": str(LOOM), "hook_event_name": "BeforeAgent", "timestamp": "2026-11-30T00:00:00Z", "prompt": "why?",
        },
        {"event": "UserPromptSubmit", "session_id": "g1", "cwd": LOOM, "prompt": "why?"},
    ),
    "gemini compresses because the person said so": (
        "gemini", "", {"session_id": "g1", "hook_event_name": "PreCompress", "trigger": "manual"},
        {"event": "PreCompact"},
    ),
    "gemini looks whether it should compress": (
        "gemini", "", {"session_id": "g1", "hook_event_name": "PreCompress", "trigger": "auto"},
        {"event": "PreCompress"},
    ),
    "gemini ends": (
        "gemini", "", {"session_id": "g1", "hook_event_name": "SessionEnd", "reason": "exit"},
        {"event": "SessionEnd", "reason": "exit"},
    ),
    "cursor starts": (
        "cursor",
        "",
        {
            "conversation_id": "c1", "generation_id": "g", "hook_event_name": "sessionStart",
            "cursor_version": "3.20.17",
            "workspace_roots": [str(LOOM), "/home/ada/other"], "transcript_path": None, "session_id": "c1",
            "is_background_agent": False,
        },
        {"event": "SessionStart", "session_id": "c1", "cwd": LOOM},
    ),
    "cursor's prompt": (
        "cursor",
        "",
        {
            "conversation_id": "c", "hook_event_name": "beforeSubmitPrompt", "prompt": "why",
            "workspace_roots": [str(LOOM)],
        },
        {"event": "UserPromptSubmit", "prompt": "why", "cwd": LOOM},
    ),
    "cursor with an odd workspace": (
        "cursor", "", {"conversation_id": "c1", "hook_event_name": "stop", "workspace_roots": [5, "c:\\loom", None]},
        {"event": "Stop", "cwd": None},
    ),
    "copilot starts": (
        "copilot",
        "sessionStart",
        {"sessionId": "p1", "timestamp": 1764460800000, "cwd": str(LOOM), "source": "resume", "initialPrompt": "go"},
        {"event": "SessionStart", "session_id": "p1", "cwd": LOOM, "source": "resume"},
    ),
    "copilot's prompt": (
        "copilot", "userPromptSubmitted", {"sessionId": "p1", "cwd": str(LOOM), "prompt": "why"},
        {"event": "UserPromptSubmit", "session_id": "p1", "prompt": "why", "agent_id": ""},
    ),
    "copilot in a subagent": (
        "copilot", "userPromptSubmitted",
        {"sessionId": "a1", "cwd": str(LOOM), "prompt": "why", "agentId": "a1", "parentAgentId": "p1"},
        {"event": "UserPromptSubmit", "agent_id": "a1"},
    ),
    "qwen before a prompt": (
        "qwen", "",
        {
            "session_id": "q1", "transcript_path": "/home/ada/.qwen/projects/-home-ada-loom/chats/q1.jsonl",
            "cwd": str(LOOM), "hook_event_name": "UserPromptSubmit", "prompt_id": "q1########0", "prompt": "why?",
            "submitted_prompt": "why?",
        },
        {"event": "UserPromptSubmit", "session_id": "q1", "cwd": LOOM, "prompt": "why?"},
    ),
    "copilot's turn ends": (
        "copilot",
        "agentStop",
        {"sessionId": "p1", "cwd": str(LOOM), "transcriptPath": "/home/ada/.copilot/session-state/p1/events.jsonl"},
        {
            "event": "Stop", "session_id": "p1",
            "transcript_path": Path("/home/ada/.copilot/session-state/p1/events.jsonl"),
        },
    ),
    "cline before a tool": (
        "cline",
        "PreToolUse",
        {
            "clineVersion": "3.0.65", "hookName": "tool_call", "timestamp": "2026-11-30T00:00:00Z", "taskId": "conv",
            "sessionContext": {"rootSessionId": "1764460800000_abcde"}, "workspaceRoots": [str(LOOM)],
            "agent_id": "main", "parent_agent_id": None,
            "preToolUse": {"toolName": "bash", "parameters": {"hook_event_name": "Stop", "session_id": "x"}},
        },
        {"event": "PreToolUse", "session_id": "1764460800000_abcde", "cwd": LOOM, "agent_id": ""},
    ),
    "cline in VS Code": (
        "cline",
        "TaskComplete",
        {"hookName": "TaskComplete", "taskId": "1764460800000", "workspaceRoots": [str(LOOM)]},
        {"event": "SessionEnd", "session_id": "1764460800000", "cwd": LOOM},
    ),
    "cline in a subagent": (
        "cline",
        "PreToolUse",
        {"taskId": "conv", "workspaceRoots": [str(LOOM)], "agent_id": "a2", "parent_agent_id": "main"},
        {"event": "PreToolUse", "agent_id": "a2"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("host", "named", "raw", "told"), SHAPES.values(), ids=SHAPES)
def test_an_event_is_told_as_claude_code_would_tell_it(
    host: str, named: str, raw: dict[str, object], told: dict[str, object]
) -> None:
    event = parse_event(host, json.dumps(raw).encode(), named=named, env="CURSOR_VERSION,CLAUDECODE,GEMINI_SESSION_ID")
    assert isinstance(event, HookEvent)
    assert (event.host, event.host_is) == (host, host)
    assert {name: getattr(event, name) for name in told} == told


@pytest.mark.parametrize(("host", "named", "raw", "told"), SHAPES.values(), ids=SHAPES)
def test_the_spool_keeps_enough_to_tell_the_session(
    host: str, named: str, raw: dict[str, object], told: dict[str, object]
) -> None:
    kept = json.loads(b"{" + client.fields(json.dumps(raw).encode())[1:] + b"}")
    event = parse_event(host, json.dumps({**kept, "hook_event_name": named or raw["hook_event_name"]}).encode())
    assert event is not None
    assert event.session_id in {told.get("session_id", event.session_id), raw.get("taskId")}
    assert "prompt" not in kept


def test_every_event_that_may_be_answered_is_waited_for() -> None:
    answered = set(client.ANSWERED)
    for registered in (codex.EVENTS, gemini.EVENTS, cursor.EVENTS, copilot.EVENTS, cline.EVENTS, qwen.EVENTS):
        for name in registered:
            event = parse_event("x", json.dumps({"hook_event_name": name, "session_id": "s"}).encode())
            assert event is not None
            takes = event.event in {"SessionStart", "UserPromptSubmit", "PreToolUse"}
            assert (name.encode() in answered) is takes, name
