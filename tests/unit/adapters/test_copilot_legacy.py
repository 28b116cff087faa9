"""Copilot CLI's earliest sessions, one JSON file each, and what later versions make of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Batch, Event, ReadLimits, Source
from memd.errors import TranscriptError
from memd.fold import fold
from memd.model import ChangedFile
from memd_adapters.copilot import ADAPTER

SESSION = "c0b10000-0000-4000-8000-000000000002"
CALL = {
    "callId": "t1",
    "name": "bash",
    "toolTitle": "Bash",
    "intentionSummary": None,
    "arguments": {"command": "false"},
}
EDIT = {"command": "str_replace", "path": "/home/ada/harbor/a.py", "old_str": "1", "new_str": "2\n3"}


def entry(number: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": f"e{number}", "timestamp": f"2025-09-28T10:00:{number:02d}.000Z", **fields}


def conversation() -> list[dict[str, Any]]:
    return [
        entry(1, "info", text="Changed working directory to: /home/ada/harbor"),
        entry(2, "user", text="go"),
        entry(3, "copilot", text="Trying."),
        entry(4, "tool_call_completed", **CALL, result={"type": "success", "log": "no\n<exited with exit code 1>"}),
        entry(5, "tool_call_requested", callId="t2", name="str_replace_editor", arguments=EDIT),
        entry(6, "error", text="Rate limited"),
        entry(7, "novel", text="?"),
    ]


def write(folder: Path, timeline: list[dict[str, Any]]) -> Path:
    path = folder / "history-session-state" / f"session_{SESSION}_1759053600000.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(session(timeline), indent=2))
    return path


def session(timeline: list[dict[str, Any]]) -> dict[str, Any]:
    said = [{"role": "user", "content": "go\n\n<current_datetime>x</current_datetime>"}]
    begun = {"sessionId": SESSION, "startTime": "2025-09-28T10:00:00.000Z", "chatMessages": said}
    return {**begun, "timeline": timeline, "selectedModel": "gpt-5"}


def read(path: Path, before: Batch | None = None) -> Batch:
    return ADAPTER.read(Source("copilot", path, SESSION), before.cursor if before else None, ReadLimits())


def test_a_timeline_is_told_with_calls_and_how_they_ended(tmp_path: Path) -> None:
    batch = read(write(tmp_path, conversation()))
    (told,) = fold("copilot", batch.events)
    assert [(message.kind, message.text) for message in told.messages] == [
        ("prompt", "go"),
        ("reply", "Trying."),
        ("reply", ""),
        ("reply", ""),
        ("notice", "Rate limited"),
    ]
    (shell,), (edit,) = told.messages[2].tool_calls, told.messages[3].tool_calls
    assert (shell.kind, shell.ok, shell.exit_code, shell.output) == ("shell", False, 1, "no")
    assert (edit.kind, edit.ok, edit.changes) == ("edit", None, ())
    assert (told.session.cwd, told.session.model, told.session.started_at) == (
        "/home/ada/harbor",
        "gpt-5",
        1759053600000,
    )
    assert batch.skipped == {"unknown row kind: novel": 1}


def test_a_call_that_is_completed_in_its_place_counts_once(tmp_path: Path) -> None:
    timeline = conversation()
    first = read(write(tmp_path, timeline))
    timeline[4] |= {"type": "tool_call_completed", "result": {"type": "success", "log": "edited"}}
    timeline.append(entry(8, "user", text="more"))
    second = read(write(tmp_path, timeline), first)
    (told,) = fold("copilot", [*first.events, *second.events])
    assert len(second.events) == 3
    assert [message.text for message in told.messages] == ["go", "Trying.", "", "", "Rate limited", "more"]
    (edit,) = told.messages[3].tool_calls
    assert (edit.ok, edit.changes) == (True, (ChangedFile("/home/ada/harbor/a.py", "update", 2, 1),))
    assert read(write(tmp_path, timeline), second).events == ()


def test_what_a_later_version_took_in_is_the_same_and_counts_once(tmp_path: Path) -> None:
    timeline = conversation()
    file: list[Event] = list(read(write(tmp_path, timeline)).events)
    rows = [
        {"type": "session.start", "data": {"sessionId": SESSION, "startTime": "2025-09-28T10:00:00.000Z"}},
        {"type": "session.import_legacy", "data": {"legacySession": session(timeline), "sourceFile": "session_x.json"}},
        {"type": "user.message", "data": {"content": "later"}},
    ]
    path = tmp_path / "session-state" / f"{SESSION}.jsonl"
    path.parent.mkdir()
    stamp = "2025-10-20T10:00:00.000Z"
    lines = [{**row, "id": f"v{place}", "timestamp": stamp, "parentId": None} for place, row in enumerate(rows)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    events = list(read(path).events)
    (alone,) = fold("copilot", events)
    (both,) = fold("copilot", [*file, *events])
    assert [message.text for message in alone.messages] == ["go", "Trying.", "", "", "Rate limited", "later"]
    assert [message.text for message in both.messages] == [message.text for message in alone.messages]


def test_a_copy_anywhere_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(write(tmp_path, conversation()).read_bytes())
    assert ADAPTER.recognise(path, path.read_bytes()[:65536]) == Source("copilot", path, session=SESSION)
    assert ADAPTER.recognise(path, b'{"sessionId": "c0b10000-0000", "projectHash": "x"}') is None


def test_a_file_without_a_timeline_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, [])
    path.write_text("{}")
    with pytest.raises(TranscriptError):
        read(path)
    path.write_text("")
    assert read(path).events == ()
