from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Cursor, Event, FileChange, HostEnv, ReadLimits, Root, SessionUpdate, Source, ToolResult
from memd.errors import TranscriptError
from memd.fold import fold
from memd.model import ChangedFile, Transcript
from memd_adapters.copilot import ADAPTER
from memd_adapters.copilot_state import State
from memd_adapters.copilot_tools import exit_code_in, planned_changes

SESSION = "c0b10000-0000-4000-8000-000000000001"
START = {
    "sessionId": SESSION,
    "copilotVersion": "1.0.54",
    "startTime": "2026-05-01T10:00:00.000Z",
    "context": {"cwd": "/home/ada/harbor", "branch": "main"},
}


def event_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


class Events:
    """A session being written."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.number = 0

    def event(self, kind: str, data: dict[str, Any], **fields: Any) -> bytes:
        self.number += 1
        row = {
            "type": kind,
            "data": data,
            "id": event_id(self.number),
            "timestamp": f"2026-05-01T10:00:{self.number:02d}.000Z",
            "parentId": event_id(self.number - 1) if self.number > 1 else None,
        }
        return json.dumps(row | fields, ensure_ascii=False, separators=(",", ":")).encode()

    def put(self, kind: str, data: dict[str, Any], **fields: Any) -> None:
        self.lines.append(self.event(kind, data, **fields))

    def write(self, folder: Path) -> Path:
        path = folder / "session-state" / SESSION / "events.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(line + b"\n" for line in self.lines))
        return path


def begun() -> Events:
    events = Events()
    events.put("session.start", START)
    events.put("user.message", {"content": "go", "transformedContent": "<current_datetime>x</current_datetime>\ngo"})
    return events


def read(path: Path) -> tuple[list[Event], dict[str, int]]:
    source = ADAPTER.classify(Root("copilot", path.parents[1]), path)
    assert source is not None
    batch = ADAPTER.read(source, None, ReadLimits())
    return list(batch.events), dict(batch.skipped)


def tell(path: Path) -> Transcript:
    return fold("copilot", read(path)[0])[0]


def test_a_turn_is_told_with_its_calls(tmp_path: Path) -> None:
    events = begun()
    edit = {"path": "/home/ada/harbor/a.py", "old_str": "1", "new_str": "2\n3"}
    requests = [
        {"toolCallId": "t1", "name": "edit", "arguments": edit},
        {"toolCallId": "t2", "name": "bash", "arguments": '{"command":"false"}'},
        {"toolCallId": "t3", "name": "search", "arguments": {}, "mcpServerName": "docs"},
    ]
    events.put(
        "assistant.message", {"messageId": "m1", "content": "On it.", "reasoningText": "Hm.", "toolRequests": requests}
    )
    events.put("tool.execution_start", {"toolCallId": "t1", "toolName": "edit", "arguments": edit})
    events.put("tool.execution_complete", {"toolCallId": "t1", "success": True, "result": {"content": "ok"}})
    output = {"content": "no\n<exited with exit code 1>"}
    events.put("tool.execution_complete", {"toolCallId": "t2", "success": True, "result": output})
    events.put("tool.execution_complete", {"toolCallId": "t3", "success": False, "error": {"message": "denied"}})
    events.put("tool.execution_start", {"toolCallId": "t4", "toolName": "view", "arguments": {"path": "a.py"}})
    events.put("tool.execution_complete", {"toolCallId": "t4", "success": True, "result": {"content": "1"}})
    told = tell(events.write(tmp_path))
    assert [(message.kind, message.text) for message in told.messages] == [
        ("prompt", "go"),
        ("reply", "On it."),
        ("reply", ""),
    ]
    first, second, third = told.messages[1].tool_calls
    assert (first.kind, first.ok, [(c.path, c.added, c.removed) for c in first.changes]) == (
        "edit",
        True,
        [("/home/ada/harbor/a.py", 2, 1)],
    )
    assert (second.kind, second.ok, second.exit_code, second.output) == ("shell", False, 1, "no")
    assert (third.kind, third.ok, third.output) == ("mcp", False, "denied")
    assert (told.session.cwd, told.session.branch, told.session.version) == ("/home/ada/harbor", "main", "1.0.54")


def test_a_session_ends_with_its_process_and_goes_on_with_the_next(tmp_path: Path) -> None:
    events = begun()
    events.put("session.shutdown", {"shutdownType": "routine", "codeChanges": {"filesModified": ["b.py"]}})
    events.put("session.resume", {"context": {"cwd": "/home/ada/harbor"}})
    events.put("user.message", {"content": "more"})
    events.put("session.shutdown", {"shutdownType": "error", "currentModel": "gpt-6"})
    read_events, skipped = read(events.write(tmp_path))
    ends = [event for event in read_events if isinstance(event, SessionUpdate) and event.ended_at is not None]
    assert [(end.ended_at, end.end_reason) for end in ends] == [(1777629603000, "routine"), (1777629606000, "error")]
    changes = [event.changes for event in read_events if isinstance(event, ToolResult)]
    assert changes == [(FileChange("b.py", "update"),)]
    assert skipped == {}
    assert tell(events.write(tmp_path)).session.model == "gpt-6"


def test_what_an_agent_says_is_a_session_of_its_own(tmp_path: Path) -> None:
    events = begun()
    request = {"toolCallId": "t1", "name": "task", "arguments": {"prompt": "look"}}
    events.put("assistant.message", {"messageId": "m1", "content": "", "toolRequests": [request]})
    events.put("subagent.started", {"toolCallId": "t1", "agentName": "explore"})
    events.put("assistant.message", {"messageId": "m2", "content": "Nothing.", "parentToolCallId": "t1"})
    events.put("assistant.message", {"messageId": "m3", "content": "Really.", "parentToolCallId": "t1"})
    events.put("tool.execution_complete", {"toolCallId": "t1", "success": True, "result": {"content": "Nothing."}})
    read_events, _ = read(events.write(tmp_path))
    main, agent = fold("copilot", read_events)
    assert [message.text for message in agent.messages] == ["Nothing.", "Really."]
    assert (agent.session.kind, agent.session.parent, agent.session.agent) == ("subagent", SESSION, "explore")
    assert len(main.messages) == 2
    (result,) = [event for event in read_events if isinstance(event, ToolResult)]
    assert result.child == agent.session.native_id


def test_an_agent_of_later_versions_is_known_by_its_id(tmp_path: Path) -> None:
    events = begun()
    request = {"toolCallId": "t1", "name": "task", "arguments": {"prompt": "look"}}
    events.put("assistant.message", {"messageId": "m1", "content": "", "toolRequests": [request]})
    events.put("subagent.started", {"toolCallId": "t1", "agentName": "explore"}, agentId="a1")
    events.put("session.model_change", {"newModel": "small"}, agentId="a1")
    events.put("user.message", {"content": "look", "source": f"agent-{SESSION}"}, agentId="a1")
    events.put("assistant.message", {"messageId": "m2", "content": "No.", "parentToolCallId": "t1"}, agentId="a1")
    events.put("user.message", {"content": "go on", "isAutopilotContinuation": True})
    main, agent = fold("copilot", read(events.write(tmp_path))[0])
    assert [(message.kind, message.text) for message in agent.messages] == [("prompt", "look"), ("reply", "No.")]
    assert (agent.session.native_id, agent.session.cwd) == (f"{SESSION}:t1", "/home/ada/harbor")
    assert [(message.kind, message.text) for message in main.messages] == [
        ("prompt", "go"),
        ("reply", ""),
        ("notice", "go on"),
    ]
    assert main.session.model != "small"


def test_later_versions_tell_exit_codes_and_changes_themselves(tmp_path: Path) -> None:
    events = begun()
    requests = [
        {"toolCallId": "t1", "name": "bash", "arguments": {"command": "false"}},
        {"toolCallId": "t2", "name": "create", "arguments": {"path": "/a", "file_text": "1\n2"}},
        {"toolCallId": "t3", "name": "apply_patch", "arguments": "*** Begin Patch"},
        {"toolCallId": "t4", "name": "edit", "arguments": {"path": "/a", "old_str": "1", "new_str": "2"}},
    ]
    events.put("assistant.message", {"messageId": "m1", "content": "", "toolRequests": requests})
    output = {"content": "no\n<shellId: 0 completed with exit code 1>"}
    shell = {"exitCode": 1}
    edits = [{"path": "/b", "kind": "delete"}, {"path": "/c", "kind": "edit"}]
    done = "tool.execution_complete"
    events.put(done, {"toolCallId": "t1", "success": True, "result": output, "shellExecution": shell})
    events.put(done, {"toolCallId": "t2", "success": True, "fileEdits": [{"path": "/a", "kind": "create"}]})
    events.put(done, {"toolCallId": "t3", "success": False, "error": {"message": "half"}, "fileEdits": edits})
    events.put(done, {"toolCallId": "t4", "success": True, "fileEdits": []})
    first, second, third, fourth = tell(events.write(tmp_path)).messages[1].tool_calls
    assert (first.ok, first.exit_code, first.output) == (False, 1, "no")
    assert second.changes == (ChangedFile("/a", "create", 2, 0),)
    assert third.changes == (ChangedFile("/b", "delete", None, None), ChangedFile("/c", "update", None, None))
    assert fourth.changes == ()


def test_a_rewind_goes_on_from_an_older_event(tmp_path: Path) -> None:
    events = begun()
    events.put("assistant.message", {"messageId": "m1", "content": "1"})
    events.put("user.message", {"content": "wrong"})
    events.put("assistant.message", {"messageId": "m2", "content": "2"})
    events.put("user.message", {"content": "right"}, parentId=event_id(3))
    assert [(m.text, m.abandoned) for m in tell(events.write(tmp_path)).messages] == [
        ("go", False),
        ("1", False),
        ("wrong", True),
        ("2", True),
        ("right", False),
    ]


@pytest.mark.parametrize("batch_bytes", [1, 1 << 20])
def test_an_event_with_raw_line_ends_is_put_together(tmp_path: Path, batch_bytes: int) -> None:
    events = begun()
    broken = events.event("user.message", {"content": "one\n\nthree"}).replace(b"\\n", b"\n")
    events.lines.append(broken)
    events.put("assistant.message", {"messageId": "m1", "content": "Yes."})
    path = events.write(tmp_path)
    found: list[Event] = []
    cursor: Cursor | None = None
    more = True
    while more:
        batch = ADAPTER.read(Source("copilot", path, SESSION), cursor, ReadLimits(batch_bytes=batch_bytes))
        assert batch.skipped == {}
        found += batch.events
        cursor, more = batch.cursor, batch.more
    assert [message.text for message in fold("copilot", found)[0].messages] == ["go", "one\n\nthree", "Yes."]


def test_the_beginning_of_an_event_before_a_whole_one_is_counted(tmp_path: Path) -> None:
    events = begun()
    events.lines.append(
        b'{"type":"assistant.mes' + events.event("assistant.message", {"messageId": "m1", "content": "Yes."})
    )
    events.lines.append(b'{"type":"user.message","data":{"content":"lost')
    events.put("user.message", {"content": "more"})
    events.lines.append(b"\0" * 40)
    path = events.write(tmp_path)
    assert read(path)[1] == {"damaged line": 2}
    assert [message.text for message in tell(path).messages] == ["go", "Yes.", "more"]


def test_separators_that_are_no_line_ends_stay(tmp_path: Path) -> None:
    events = begun()
    events.put("assistant.message", {"messageId": "m1", "content": "a\u2028b\u0085c"})
    assert tell(events.write(tmp_path)).messages[1].text == "a\u2028b\u0085c"


def test_notices_summaries_and_unknown_events(tmp_path: Path) -> None:
    events = begun()
    events.put("abort", {"reason": "user initiated"})
    events.put("session.error", {"message": "Rate limited"})
    events.put("session.compaction_complete", {"summaryContent": "Short."})
    events.put("user.message", {"content": "agent says", "source": "system"})
    events.put("hook.start", {})
    events.put("novel", {})
    path = events.write(tmp_path)
    assert [(message.kind, message.text) for message in tell(path).messages[1:]] == [
        ("notice", "[Turn ended early: user initiated]"),
        ("notice", "Rate limited"),
        ("summary", "Short."),
        ("notice", "agent says"),
    ]
    assert read(path)[1] == {"unknown row kind: novel": 1}


def test_the_workspace_file_names_the_session(tmp_path: Path) -> None:
    path = begun().write(tmp_path)
    workspace = path.parent / "workspace.yaml"
    workspace.write_text(f'id: {SESSION}\ncwd: /home/ada/harbor\nname: "Two: the return"\n')
    assert read(workspace)[0] == [SessionUpdate(SESSION, title="Two: the return")]
    workspace.write_text("id: x\n")
    assert read(workspace)[0] == []


def test_places_and_recognition(tmp_path: Path) -> None:
    (root, legacy) = ADAPTER.roots(HostEnv(tmp_path, {}, "linux"))
    assert legacy.path == tmp_path / ".copilot" / "history-session-state"
    assert root.path == tmp_path / ".copilot" / "session-state"
    for path, session in {
        root.path / SESSION / "events.jsonl": SESSION,
        root.path / SESSION / "workspace.yaml": SESSION,
        root.path / f"{SESSION}.jsonl": SESSION,
        root.path / SESSION / "files" / "a.jsonl": None,
        root.path / SESSION / "session.db": None,
        legacy.path / f"session_{SESSION}_1759000000000.json": SESSION,
        legacy.path / f"{SESSION}.json": None,
    }.items():
        source = ADAPTER.classify(root, path)
        assert (source.session if source else None) == session
    head = begun().write(tmp_path).read_bytes()
    found = ADAPTER.recognise(tmp_path / "copy.jsonl", head)
    assert found == Source("copilot", tmp_path / "copy.jsonl", session=SESSION)
    assert ADAPTER.recognise(tmp_path / "x.jsonl", b'{"type":"user","uuid":"1"}\n{"type":"user.message"}\n') is None


def test_a_file_without_events_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"nothing\n")
    with pytest.raises(TranscriptError):
        ADAPTER.read(Source("copilot", path, SESSION), None, ReadLimits())


def test_tools_tell_exit_codes_and_changes() -> None:
    assert exit_code_in("a\n<exited with exit code 0>") == ("a", 0)
    assert exit_code_in("a\n<exited with code -1>\n") == ("a", -1)
    assert exit_code_in("a\n<shellId: 0 completed with exit code 3>") == ("a", 3)
    assert exit_code_in("a") == ("a", None)
    assert planned_changes("create", {"path": "a", "file_text": "x\ny"}) == (FileChange("a", "create", 2, 0),)
    assert planned_changes("str_replace_editor", {"command": "view", "path": "a"}) == ()
    assert planned_changes("view", {"path": "a"}) == ()


def test_the_state_survives_being_stored(tmp_path: Path) -> None:
    events = begun()
    request = {"toolCallId": "t1", "name": "create", "arguments": {"path": "a", "file_text": "x"}}
    events.put("assistant.message", {"messageId": "m1", "content": "", "toolRequests": [request]})
    batch = ADAPTER.read(Source("copilot", events.write(tmp_path), SESSION), None, ReadLimits())
    assert State.load(batch.cursor.state).dump() == batch.cursor.state
    assert State.load('{"calls":{"a":1}}') == State()
