from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Event, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd.fold import fold
from memd.model import Transcript
from memd_adapters.qwen import ADAPTER

SESSION = "0e1e0000-0000-4000-8000-000000000001"
OTHER = "0e1e0000-0000-4000-8000-000000000002"


def row_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def row(number: int, kind: str, *parts: dict[str, Any], parent: int | None = None, **fields: Any) -> dict[str, Any]:
    parent = number - 1 if parent is None else parent
    made: dict[str, Any] = {
        "uuid": row_id(number),
        "parentUuid": row_id(parent) if parent else None,
        "sessionId": SESSION,
        "timestamp": f"2026-05-01T10:00:{number:02d}.000Z",
        "type": kind,
        "cwd": "/home/ada/harbor",
        "version": "0.15.10",
        "gitBranch": "main",
    }
    if parts:
        made["message"] = {"role": "model" if kind == "assistant" else "user", "parts": list(parts)}
    return made | fields


def write(folder: Path, *rows: dict[str, Any], session: str = SESSION) -> Path:
    path = folder / "projects" / "-home-ada-harbor" / "chats" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in rows))
    return path


def tell(*paths: Path) -> tuple[tuple[Transcript, ...], dict[str, int]]:
    events: list[Event] = []
    skipped: dict[str, int] = {}
    for path in paths:
        source = ADAPTER.classify(Root("qwen", path.parents[2]), path)
        assert source is not None
        batch = ADAPTER.read(source, None, ReadLimits())
        events += batch.events
        skipped.update(batch.skipped)
    return fold("qwen", events), skipped


def test_a_turn_is_told_with_thoughts_calls_and_results(tmp_path: Path) -> None:
    call = {"functionCall": {"id": "c1", "name": "run_shell_command", "args": {"command": "false"}}}
    response = {
        "functionResponse": {"id": "c1", "name": "run_shell_command", "response": {"output": "Output: x\nExit Code: 1"}}
    }
    path = write(
        tmp_path,
        row(1, "user", {"text": "go"}),
        row(2, "assistant", {"text": "Think.", "thought": True}, {"text": "Running."}, call, model="qwen3-coder"),
        row(3, "tool_result", response, toolCallResult={"callId": "c1", "status": "success"}),
        row(4, "assistant", {"text": "It failed."}, model="qwen3-coder"),
        row(5, "system", subtype="ui_telemetry", systemPayload={}),
    )
    ((told,), skipped) = tell(path)
    assert [(message.kind, message.text, message.thinking) for message in told.messages] == [
        ("prompt", "go", ""),
        ("reply", "Running.", "Think."),
        ("reply", "It failed.", ""),
    ]
    (made,) = told.messages[1].tool_calls
    assert (made.kind, made.ok, made.exit_code, made.output) == ("shell", False, 1, "x")
    session = told.session
    assert (session.cwd, session.branch, session.model, session.version) == (
        "/home/ada/harbor",
        "main",
        "qwen3-coder",
        "0.15.10",
    )
    assert skipped == {}


@pytest.mark.parametrize("with_mark", [False, True])
def test_a_rewind_leaves_what_lies_between_abandoned(tmp_path: Path, with_mark: bool) -> None:
    rows = [
        row(1, "user", {"text": "one"}),
        row(2, "assistant", {"text": "1"}),
        row(3, "user", {"text": "two"}),
        row(4, "assistant", {"text": "2"}),
    ]
    if with_mark:
        rows += [row(5, "system", subtype="rewind", systemPayload={}, parent=2), row(6, "user", {"text": "three"})]
    else:
        rows.append(row(5, "user", {"text": "three"}, parent=2))
    ((told,), _) = tell(write(tmp_path, *rows))
    assert [(message.text, message.abandoned) for message in told.messages] == [
        ("one", False),
        ("1", False),
        ("two", True),
        ("2", True),
        ("three", False),
    ]


def test_a_fork_counts_its_parents_rows_once(tmp_path: Path) -> None:
    rows = [row(1, "user", {"text": "one"}), row(2, "assistant", {"text": "1"})]
    copies = [
        one
        | {"sessionId": OTHER, "uuid": row_id(50 + n), "forkedFrom": {"sessionId": SESSION, "messageUuid": one["uuid"]}}
        for n, one in enumerate(rows)
    ]
    fork = [
        *copies,
        row(60, "user", {"text": "on the fork"}) | {"sessionId": OTHER, "timestamp": "2026-05-01T11:00:00Z"},
    ]
    (transcripts, _) = tell(write(tmp_path, *fork, session=OTHER), write(tmp_path, *rows))
    told = {transcript.session.native_id: transcript for transcript in transcripts}
    assert [message.text for message in told[OTHER].messages] == ["on the fork"]
    assert [message.text for message in told[SESSION].messages] == ["one", "1"]
    assert (told[OTHER].session.kind, told[OTHER].session.forked_from) == ("fork", SESSION)


def test_what_system_rows_tell(tmp_path: Path) -> None:
    history = [{"role": "user", "parts": [{"text": "<state_snapshot>short</state_snapshot>"}]}]
    path = write(
        tmp_path,
        row(1, "user", {"text": "go"}),
        row(2, "system", subtype="slash_command", systemPayload={"phase": "invocation", "rawCommand": "/stats"}),
        row(3, "system", subtype="slash_command", systemPayload={"phase": "result", "rawCommand": "/stats"}),
        row(4, "system", subtype="mid_turn_user_message", systemPayload={"text": "and use uv"}),
        row(5, "system", subtype="custom_title", systemPayload={"customTitle": "harbour"}),
        row(6, "system", subtype="chat_compression", systemPayload={"compressedHistory": history}),
        row(7, "system", subtype="novel", systemPayload={}),
        row(8, "novel"),
    )
    ((told,), skipped) = tell(path)
    assert [(message.kind, message.text) for message in told.messages] == [
        ("prompt", "go"),
        ("command", "/stats"),
        ("prompt", "and use uv"),
        ("summary", "<state_snapshot>short</state_snapshot>"),
    ]
    assert told.session.title == "harbour"
    assert skipped == {"unknown row kind: system/novel": 1, "unknown row kind: novel": 1}


def test_what_hooks_added_to_a_prompt_is_not_the_persons(tmp_path: Path) -> None:
    added = {
        "text": "<qwen:user-prompt-submit-context>\n&lt;memd-context&gt;\nwool\n</qwen:user-prompt-submit-context>"
    }
    payload = {"displayText": "go", "hookContext": "&lt;memd-context&gt;\nwool"}
    path = write(
        tmp_path,
        row(1, "user", {"text": "go"}, added, provenance="real_user", systemPayload=payload),
        row(2, "assistant", {"text": "Gone."}),
        row(3, "user", {"text": "why is <qwen:user-prompt-submit-context> in the file?"}),
    )
    ((told,), _) = tell(path)
    assert [message.text for message in told.messages if message.role == "user"] == [
        "go",
        "why is <qwen:user-prompt-submit-context> in the file?",
    ]


def test_what_the_host_lists_as_running_is_told(tmp_path: Path) -> None:
    (root, _) = ADAPTER.roots(HostEnv(tmp_path, {}, "linux"))
    listed = root.path.parent / "sessions"
    assert ADAPTER.live(root) == ()
    listed.mkdir(parents=True)
    record = {"schemaVersion": 1, "pid": 4711, "procStart": "a1b2-boot:8895124", "sessionId": SESSION}
    (listed / "4711.json").write_text(json.dumps(record))
    (listed / "4711-0a1b2c3d.json").write_text(json.dumps(record | {"sessionId": OTHER, "procStart": None}))
    (listed / "4711.key").write_text(json.dumps(record))
    (listed / "4712.json").write_text("{")
    told = set(ADAPTER.live(root))
    assert told == {LiveProcess(SESSION, 4711, "8895124"), LiveProcess(OTHER, 4711, None)}


def test_an_agents_rows_are_a_session_of_their_own(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        row(1, "user", {"text": "go"}),
        row(2, "user", {"text": "look"}, agentId="a1", isSidechain=True),
        row(3, "assistant", {"text": "Nothing."}, agentId="a1", isSidechain=True),
    )
    (transcripts, _) = tell(path)
    told = {transcript.session.native_id: transcript for transcript in transcripts}
    assert [message.text for message in told[f"{SESSION}:a1"].messages] == ["look", "Nothing."]
    assert (told[f"{SESSION}:a1"].session.kind, told[f"{SESSION}:a1"].session.parent) == ("subagent", SESSION)


def test_older_chats_in_geminis_form_are_read(tmp_path: Path) -> None:
    path = tmp_path / "tmp" / "harbor" / "chats" / "session-2025-10-01T10-00-0e1e0000.json"
    path.parent.mkdir(parents=True)
    head = {"sessionId": SESSION, "projectHash": "0" * 64, "startTime": "2025-10-01T10:00:00Z"}
    message = {"id": "u1", "timestamp": "2025-10-01T10:00:01Z", "type": "user", "content": "go"}
    path.write_text(json.dumps(head | {"messages": [message]}))
    ((told,), _) = tell(path)
    assert (told.session.native_id, [message.text for message in told.messages]) == (SESSION, ["go"])


def test_places_and_recognition(tmp_path: Path) -> None:
    roots = ADAPTER.roots(HostEnv(tmp_path, {}, "linux"))
    assert [root.path for root in roots] == [tmp_path / ".qwen" / "projects", tmp_path / ".qwen" / "tmp"]
    moved = ADAPTER.roots(HostEnv(tmp_path, {"QWEN_HOME": "/srv/qwen", "QWEN_RUNTIME_DIR": "~/run"}, "linux"))
    assert [str(root.path) for root in moved[:4:2]] == [f"{tmp_path}/run/projects", "/srv/qwen/projects"]
    path = write(tmp_path, row(1, "user", {"text": "go"}))
    head = path.read_bytes()
    assert ADAPTER.recognise(tmp_path / "copy.jsonl", head) == Source("qwen", tmp_path / "copy.jsonl", session=SESSION)
    claude = row(1, "user") | {"message": {"role": "user", "content": "go"}, "isSidechain": False}
    assert ADAPTER.recognise(path, json.dumps(claude).encode()) is None
    assert ADAPTER.classify(roots[0], roots[0].path / "x" / "memory" / f"{SESSION}.jsonl") is None


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_bytes(b"nothing\nof the kind\n")
    with pytest.raises(TranscriptError):
        ADAPTER.read(Source("qwen", path, SESSION), None, ReadLimits())
