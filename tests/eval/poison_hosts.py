"""Poisoned hosts: a conversation as each host writes it down, with its tools, its agents and its summaries."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from tests.unit.adapters.cursor_host import assistant, user
from tests.unit.adapters.opencode_host import OpenCodeHost

Turn: TypeAlias = tuple[Literal["user", "reply", "tool", "mcp", "agent", "summary"], str, str]
"""Who, what they say (or what a tool or agent was given), and what came back."""

_CURSOR: Final = "7896c168-45c1-42d4-841a-c8c731c24faa"
_MCP: Final = "mcp__tracker__get_issue"
SUMMARISED: Final = frozenset({"claude_code", "codex", "copilot"})
"""Hosts that write down the summary of a compaction as such."""
SILENT: Final = frozenset({"cursor"})
"""Hosts whose transcripts hold no output of tools."""


def _called(who: str, given: str, shell: str, agent: str = "task") -> tuple[str, dict[str, str]]:
    """Return the name of a tool and what it is given; `shell` and `agent` are what the host calls those."""
    if who == "mcp":
        return _MCP, {"id": given}
    return (agent, {"prompt": given}) if who == "agent" else (shell, {"command": given})


def claude_code(turns: tuple[Turn, ...]) -> str:
    """Return the lines of a Claude Code transcript."""
    rows: list[dict[str, Any]] = []

    def put(kind: str, content: Any) -> None:
        rows.append(
            {
                "parentUuid": rows[-1]["uuid"] if rows else None,
                "isSidechain": False,
                "type": kind,
                "uuid": f"00000000-0000-4000-8000-{len(rows):012d}",
                "timestamp": f"2026-04-01T10:00:{len(rows):02d}.000Z",
                "cwd": "/home/ada/harbor",
                "sessionId": "0a11ce00-0000-4000-8000-0000000000aa",
                "version": "2.1.332",
                "message": {"role": kind, "id": f"msg_{len(rows)}", "content": content},
            }
        )

    for number, (who, text, output) in enumerate(turns):
        if who == "user":
            put("user", text)
        elif who == "reply":
            put("assistant", [{"type": "text", "text": text}])
        elif who == "summary":
            put("user", f"This session is being continued from a previous conversation.\n\n{output}")
            rows[-1]["isCompactSummary"] = True
        else:
            name, given = _called(who, text, "Bash", "Task")
            put("assistant", [{"type": "tool_use", "id": f"t{number}", "name": name, "input": given}])
            put("user", [{"type": "tool_result", "tool_use_id": f"t{number}", "content": output}])
    return "".join(json.dumps(row) + "\n" for row in rows)


def codex(turns: tuple[Turn, ...]) -> str:
    """Return the lines of a Codex rollout."""
    head = {"id": "0c0dec00-0000-7000-8000-0000000000aa", "cwd": "/home/ada/harbor", "cli_version": "0.104.0"}
    rows: list[tuple[str, dict[str, Any]]] = [("session_meta", head | {"timestamp": "2026-04-01T10:00:00.000Z"})]
    for number, (who, text, output) in enumerate(turns):
        if who == "summary":
            rows.append(("compacted", {"message": output}))
            continue
        if who not in ("user", "reply"):
            name, given = _called(who, text, "shell_command", "spawn_agent")
            call = {"name": name, "arguments": json.dumps(given), "call_id": f"c{number}"}
            rows.append(("response_item", {"type": "function_call"} | call))
            rows.append(("response_item", {"type": "function_call_output", "call_id": f"c{number}", "output": output}))
            continue
        role, kind = ("user", "input_text") if who == "user" else ("assistant", "output_text")
        rows.append(
            ("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}),
        )
        said = {"type": "user_message" if who == "user" else "agent_message", "message": text}
        rows.append(("event_msg", said))
    return "".join(
        json.dumps({"timestamp": f"2026-04-01T10:00:{n:02d}.000Z", "type": kind, "payload": payload}) + "\n"
        for n, (kind, payload) in enumerate(rows)
    )


def gemini(turns: tuple[Turn, ...]) -> str:
    """Return the lines of a Gemini CLI chat."""
    time = "2026-04-01T10:00:00.000Z"
    session = "9ed05920-0000-4000-8000-0000000000aa"
    rows: list[dict[str, Any]] = [
        {"sessionId": session, "projectHash": "0" * 64, "startTime": time, "lastUpdated": time, "kind": "main"}
    ]
    for number, (who, text, output) in enumerate(turns):
        row: dict[str, Any] = {"id": f"00000000-0000-4000-8000-{number:012d}", "timestamp": time}
        if who == "user":
            row |= {"type": "user", "content": [{"text": text}]}
        else:
            row |= {"type": "gemini", "content": text if who == "reply" else "", "model": "gemini-2.5-pro"}
        if who not in ("user", "reply"):
            name, given = _called(who, text, "run_shell_command")
            answer = {"id": f"s{number}", "name": name, "response": {"output": output}}
            row["toolCalls"] = [
                {
                    "id": f"s{number}",
                    "name": name,
                    "args": given,
                    "result": [{"functionResponse": answer}],
                    "status": "success",
                    "timestamp": time,
                    "resultDisplay": output,
                }
            ]
        rows.append(row)
    return "".join(json.dumps(row) + "\n" for row in rows)


def cline(turns: tuple[Turn, ...]) -> str:
    """Return a Cline task's conversation with the model."""
    rows: list[dict[str, Any]] = []
    for number, (who, text, output) in enumerate(turns):
        time = {"ts": 1_790_000_000_000 + number * 1_000}
        if who == "user":
            tag = "task" if number == 0 else "feedback"
            rows.append({"role": "user", "content": [{"type": "text", "text": f"<{tag}>\n{text}\n</{tag}>"}]} | time)
        elif who == "reply":
            rows.append({"role": "assistant", "content": [{"type": "text", "text": text}]} | time)
        else:
            name, given = _called(who, text, "execute_command", "new_task")
            call = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}
            rows.append({"role": "assistant", "content": [call]} | time)
            result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": output}
            rows.append({"role": "user", "content": [result]} | time)
    return json.dumps(rows)


def continue_(turns: tuple[Turn, ...]) -> str:
    """Return a Continue session."""
    history: list[dict[str, Any]] = []
    for number, (who, text, output) in enumerate(turns):
        if who in ("user", "reply"):
            role = "user" if who == "user" else "assistant"
            history.append({"message": {"role": role, "content": text}, "contextItems": []})
            continue
        name, given = _called(who, text, "run_terminal_command")
        function = {"name": name, "arguments": json.dumps(given)}
        call = {"id": f"call_{number}", "type": "function", "function": function}
        history.append({"message": {"role": "assistant", "content": "", "toolCalls": [call]}, "contextItems": []})
        answer = {"role": "tool", "content": output, "toolCallId": f"call_{number}"}
        history.append({"message": answer, "contextItems": []})
    head = {"sessionId": "0c0de000-0000-4000-8000-0000000000aa", "title": "Tides", "workspaceDirectory": "/home/ada/h"}
    return json.dumps(head | {"history": history})


def aider(turns: tuple[Turn, ...]) -> str:
    """Return an Aider chat history; what a command printed stands in it as quoted lines."""
    lines = ["", "# aider chat started at 2026-04-01 10:00:00", "", "> Aider v0.86.2  ", "> Git repo: .git  "]
    for who, text, output in turns:
        if who == "user":
            lines += ["", *(f"#### {line}  " for line in text.split("\n"))]
        elif who == "reply":
            lines += ["", text]
        else:
            lines += ["", f"> Running {text}  ", *(f"> {line}  " for line in output.split("\n"))]
    return "\n".join(lines) + "\n"


def copilot(turns: tuple[Turn, ...]) -> str:
    """Return the events of a Copilot CLI session."""
    session = "c0b10000-0000-4000-8000-0000000000aa"
    context = {"cwd": "/home/ada/harbor", "branch": "main"}
    start = {"sessionId": session, "copilotVersion": "1.0.54", "startTime": "2026-04-01T10:00:00.000Z"}
    rows: list[tuple[str, dict[str, Any]]] = [("session.start", start | {"context": context})]
    for number, (who, text, output) in enumerate(turns):
        if who == "user":
            rows.append(("user.message", {"content": text, "transformedContent": text}))
        elif who == "summary":
            rows.append(("session.compaction_complete", {"success": True, "summaryContent": output}))
        elif who == "reply":
            rows.append(("assistant.message", {"messageId": f"m{number}", "content": text, "toolRequests": []}))
        else:
            name, given = _called(who, text, "bash")
            call = {"toolCallId": f"t{number}", "name": name, "arguments": given}
            rows.append(("assistant.message", {"messageId": f"m{number}", "content": "", "toolRequests": [call]}))
            done = {"toolCallId": f"t{number}", "success": True, "result": {"content": output}}
            rows.append(("tool.execution_complete", done))
    return _lines(
        {
            "type": kind,
            "data": data,
            "id": f"00000000-0000-4000-8000-{number:012d}",
            "timestamp": f"2026-04-01T10:00:{number:02d}.000Z",
            "parentId": f"00000000-0000-4000-8000-{number - 1:012d}" if number else None,
        }
        for number, (kind, data) in enumerate(rows)
    )


def qwen(turns: tuple[Turn, ...]) -> str:
    """Return the lines of a Qwen Code chat."""
    rows: list[tuple[str, dict[str, Any]]] = []
    for number, (who, text, output) in enumerate(turns):
        if who in ("user", "reply"):
            rows.append(("user" if who == "user" else "assistant", {"text": text}))
            continue
        name, given = _called(who, text, "run_shell_command")
        rows.append(("assistant", {"functionCall": {"id": f"c{number}", "name": name, "args": given}}))
        answer = {"id": f"c{number}", "name": name, "response": {"output": output}}
        rows.append(("tool_result", {"functionResponse": answer}))
    return _lines(
        {
            "uuid": f"00000000-0000-4000-8000-{number:012d}",
            "parentUuid": f"00000000-0000-4000-8000-{number - 1:012d}" if number else None,
            "sessionId": "0e1e0000-0000-4000-8000-0000000000aa",
            "timestamp": f"2026-04-01T10:00:{number:02d}.000Z",
            "type": kind,
            "cwd": "/home/ada/harbor",
            "version": "0.15.10",
            "message": {"role": "model" if kind == "assistant" else "user", "parts": [part]},
        }
        for number, (kind, part) in enumerate(rows)
    )


def cursor(turns: tuple[Turn, ...]) -> str:
    """Return the rows of a Cursor agent's transcript, which hold no output of tools."""
    rows = []
    for who, text, _ in turns:
        if who == "user":
            rows.append(user(text))
        else:
            rows.append(assistant(text) if who == "reply" else assistant(_called(who, text, "Shell")))
    return _lines(rows)


def opencode(turns: tuple[Turn, ...]) -> bytes:
    """Return the database of OpenCode."""
    with tempfile.TemporaryDirectory() as folder:
        host = OpenCodeHost(Path(folder) / "opencode.db")
        session = host.session()
        for number, (who, text, output) in enumerate(turns):
            if who == "user":
                host.prompt(session, text)
            elif who == "reply":
                host.reply(session, text)
            else:
                name, given = _called(who, text, "bash")
                times = {"start": host.clock, "end": host.clock + 5}
                state = {"status": "completed", "input": given, "output": output, "title": text, "time": times}
                message = host.message(session, "assistant")
                host.part(session, message, type="tool", tool=name, callID=f"c{number}", state=state)
        content = host.conn.serialize()
        host.close()
    return content


def _lines(rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


HOSTS: Final[dict[str, tuple[str, Callable[[tuple[Turn, ...]], str | bytes]]]] = {
    "claude_code": (".claude/projects/-home-ada-harbor/0a11ce00-0000-4000-8000-0000000000aa.jsonl", claude_code),
    "codex": (
        ".codex/sessions/2026/04/01/rollout-2026-04-01T10-00-00-0c0dec00-0000-7000-8000-0000000000aa.jsonl",
        codex,
    ),
    "gemini": (".gemini/tmp/harbor/chats/session-2026-04-01T10-00-9ed05920.jsonl", gemini),
    "cline": ("saoudrizwan.claude-dev/tasks/1790000000000/api_conversation_history.json", cline),
    "roo": ("rooveterinaryinc.roo-cline/tasks/0a11ce00-aa/api_conversation_history.json", cline),
    "continue": (".continue/sessions/0c0de000-0000-4000-8000-0000000000aa.json", continue_),
    "aider": ("harbor/.aider.chat.history.md", aider),
    "copilot": (".copilot/session-state/c0b10000-0000-4000-8000-0000000000aa/events.jsonl", copilot),
    "qwen": (".qwen/projects/-home-ada-harbor/chats/0e1e0000-0000-4000-8000-0000000000aa.jsonl", qwen),
    "cursor": (
        f".cursor/projects/home-ada-harbor/agent-transcripts/{_CURSOR}/{_CURSOR}.jsonl",
        cursor,
    ),
    "opencode": (".local/share/opencode/opencode.db", opencode),
    "kilo": (".local/share/kilo/kilo.db", opencode),
}
"""Of each host: where the file lies below a home folder, and what is in it."""
