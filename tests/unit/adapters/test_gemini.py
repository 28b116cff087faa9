from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Batch, Cursor, Event, FileChange, HostEnv, MessagePart, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd.fold import fold
from memd.model import Transcript
from memd_adapters.gemini import ADAPTER, TORN
from memd_adapters.gemini_state import State
from memd_adapters.gemini_tools import changes_of, outcome, own_words
from memd_adapters.jsonl_rows import Json

SESSION = "9e000000-0000-4000-8000-000000000001"
HEAD = {"sessionId": SESSION, "projectHash": "0" * 64, "startTime": "2026-05-01T10:00:00.000Z", "kind": "main"}
CONTEXT = (
    "<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /home/ada/harbor\n</session_context>"
)


def row(message: str, kind: str, content: Any, second: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "id": message,
        "timestamp": f"2026-05-01T10:00:{second:02d}.000Z",
        "type": kind,
        "content": content,
    } | fields


def call(call_id: str, name: str, args: dict[str, Any], output: str, **fields: Any) -> dict[str, Any]:
    response = {"id": call_id, "name": name, "response": {"output": output}}
    result = [{"functionResponse": response}]
    return {"id": call_id, "name": name, "args": args, "result": result, "status": "success"} | fields


def write(folder: Path, *rows: dict[str, Any], name: str = "session-2026-05-01T10-00-9e000000.jsonl") -> Path:
    path = folder / "tmp" / "harbor" / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in rows))
    return path


def read(path: Path, cursor: Cursor | None = None) -> Batch:
    source = ADAPTER.classify(Root("gemini", path.parents[2]), path)
    assert source is not None
    return ADAPTER.read(source, cursor, ReadLimits())


def tell(path: Path) -> Transcript:
    (transcript,) = fold("gemini", read(path).events)
    return transcript


def test_a_message_written_again_is_one_message_as_it_was_last(tmp_path: Path) -> None:
    first = row("a1", "gemini", "Looking.", 2, model="gemini-3-pro")
    running = call("c1", "read_file", {"file_path": "a.py"}, "", status="executing")
    done = call("c1", "read_file", {"file_path": "a.py"}, "x = 1")
    path = write(
        tmp_path,
        HEAD,
        row("u1", "user", [{"text": "read a.py"}]),
        first,
        first | {"toolCalls": [running]},
        first | {"content": "Looking closer.", "toolCalls": [done], "tokens": {"input": 1}},
    )
    prompt, reply = tell(path).messages
    assert (prompt.text, reply.text, reply.model) == ("read a.py", "Looking closer.", "gemini-3-pro")
    assert [(made.call_id, made.ok, made.output) for made in reply.tool_calls] == [("c1", True, "x = 1")]


def test_a_context_adds_only_what_the_log_does_not_have(tmp_path: Path) -> None:
    rich = row("a1", "gemini", "Looking.", 2, toolCalls=[call("c1", "glob", {"pattern": "*"}, "a.py")])
    poor = row("a1", "gemini", [{"text": "Looking."}, {"functionCall": {"id": "c1", "name": "glob", "args": {}}}], 2)
    response = {"functionResponse": {"id": "c1", "name": "glob", "response": {"output": "a.py"}}}
    snapshot = row("s1", "user", [{"text": "<state_snapshot>\nf returns 2\n</state_snapshot>"}], 3)
    messages = [row("x", "user", CONTEXT), poor, row("a1", "user", [response], 2), snapshot]
    path = write(tmp_path, HEAD, row("u1", "user", "go"), rich, HEAD, {"$set": {"messages": messages}})
    told = tell(path)
    assert [(message.kind, message.text) for message in told.messages] == [
        ("prompt", "go"),
        ("reply", "Looking."),
        ("summary", "<state_snapshot>\nf returns 2\n</state_snapshot>"),
    ]
    assert len(told.messages[1].tool_calls) == 1
    assert told.session.cwd == "/home/ada/harbor"


def test_a_rewind_takes_back_its_target_and_what_follows(tmp_path: Path) -> None:
    rows = [
        HEAD,
        row("u1", "user", "one"),
        row("a1", "gemini", "1"),
        row("u2", "user", "two"),
        row("a2", "gemini", "2"),
    ]
    path = write(tmp_path, *rows, {"$rewindTo": "u2"}, row("u3", "user", "three"))
    assert [(m.text, m.abandoned) for m in tell(path).messages] == [
        ("one", False),
        ("1", False),
        ("two", True),
        ("2", True),
        ("three", False),
    ]
    path = write(tmp_path, *rows, {"$rewindTo": "nobody"}, name="session-2026-05-01T10-01-9e000000.jsonl")
    assert all(message.abandoned for message in tell(path).messages)


def test_what_the_host_and_hooks_say_is_no_prompt(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        HEAD,
        row("x", "user", CONTEXT),
        row("u1", "user", [{"text": "go"}, {"text": "<hook_context>\nremember\n</hook_context>"}]),
        row("u2", "user", "see @a.py\n--- Content from referenced files ---\nsecret plans"),
        row("u3", "user", [{"text": "expanded"}], displayContent=[{"text": "typed"}]),
        row("u4", "user", [{"inlineData": {"data": "iVBOR"}}, {"text": "look"}]),
        row("u5", "user", "/memory show"),
        row("u6", "user", "/usr/bin/env is missing"),
        row("i1", "info", "Update available"),
        row("e1", "error", [{"text": "[API Error: 429]"}]),
    )
    told = tell(path)
    assert [message.text for message in told.messages if message.kind == "prompt"] == [
        "go",
        "see @a.py",
        "typed",
        "[image]\nlook",
        "/usr/bin/env is missing",
    ]
    assert [message.text for message in told.messages if message.kind == "command"] == ["/memory show"]
    assert [message.text for message in told.messages if message.kind == "notice"] == [
        "Update available",
        "[API Error: 429]",
    ]


@pytest.mark.parametrize("beside", [".project_root", "projects.json"])
def test_the_folder_comes_from_beside_where_the_chat_does_not_tell(tmp_path: Path, beside: str) -> None:
    path = write(tmp_path, HEAD, row("u1", "user", "go"))
    if beside == ".project_root":
        (path.parents[1] / beside).write_text("/home/ada/harbor\n")
    else:
        (tmp_path / beside).write_text(json.dumps({"projects": {"/home/ada/other": "x", "/home/ada/harbor": "harbor"}}))
    assert tell(path).session.cwd == "/home/ada/harbor"


def test_a_subagent_belongs_to_the_session_whose_folder_it_lies_in(tmp_path: Path) -> None:
    head = HEAD | {"sessionId": "agent-1", "kind": "subagent"}
    path = write(tmp_path, head, row("u1", "user", "look"), name=f"{SESSION}/agent-1.jsonl")
    session = tell(path).session
    assert (session.native_id, session.kind, session.parent) == ("agent-1", "subagent", SESSION)


def test_a_chat_in_one_object_is_read_whole_and_waits_while_it_is_torn(tmp_path: Path) -> None:
    messages = [row("u1", "user", "go"), row("a1", "gemini", "Done.", 2, model="gemini-2.5-pro")]
    content = json.dumps(HEAD | {"messages": messages, "summary": "A harbour"}, indent=2)
    path = write(tmp_path, name="session-2026-05-01T10-00-9e000000.json")
    path.write_text(content[:200])
    torn = read(path)
    assert (torn.events, torn.skipped) == ((), {TORN: 1})
    path.write_text(content)
    whole = read(path, torn.cursor)
    (told,) = fold("gemini", whole.events)
    assert ([message.text for message in told.messages], told.session.title) == (["go", "Done."], "A harbour")
    assert read(path, whole.cursor).events == ()
    path.write_text(json.dumps(HEAD | {"messages": [*messages, row("u2", "user", "more", 3)]}))
    again = read(path, whole.cursor)
    assert len(fold("gemini", [*whole.events, *again.events])[0].messages) == 3


@pytest.mark.parametrize("content", ["[1]", "no json", '"text"'])
def test_a_file_that_is_no_chat_is_refused(tmp_path: Path, content: str) -> None:
    path = write(tmp_path, name="session-2026-05-01T10-00-9e000000.json")
    path.write_text(content)
    with pytest.raises(TranscriptError):
        read(path)


def test_unknown_rows_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD, row("u1", "user", "go"), row("n1", "novel", "x"), {"odd": 1})
    assert read(path).skipped == {"unknown row kind: novel": 1, "row of unknown form": 1}


@pytest.mark.parametrize(
    ("status", "output", "expected"),
    [
        (
            "success",
            "<untrusted_context>\nOutput: a\nb\nProcess Group PGID: 7\n</untrusted_context>",
            (True, 0, "a\nb"),
        ),
        ("success", "Output: no\nExit Code: 2\nProcess Group PGID: 7", (False, 2, "no")),
        (
            "success",
            "Command: x\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: (none)",
            (True, 0, ""),
        ),
        ("error", "Error: not allowed", (False, None, "Error: not allowed")),
        ("cancelled", "", (False, None, "")),
        ("executing", "", (None, None, "")),
    ],
)
def test_a_shells_output_tells_its_exit_code(status: str, output: str, expected: tuple[Any, ...]) -> None:
    came = outcome("run_shell_command", {}, status, output, None)
    assert (came.ok, came.exit_code, came.output) == expected


def test_edits_tell_their_file_and_lines() -> None:
    diff = "Index: a.py\n===\n--- a.py\tCurrent\n+++ a.py\tProposed\n@@ -1 +1,2 @@\n-1\n+2\n+3\n"
    shown: dict[str, Json] = {"fileDiff": diff, "filePath": "/w/a.py", "originalContent": "1\n", "isNewFile": False}
    assert changes_of("replace", {"file_path": "a.py"}, shown) == (FileChange("/w/a.py", "update", 2, 1),)
    assert changes_of("write_file", {}, shown | {"isNewFile": True}) == (FileChange("/w/a.py", "create", 2, 1),)
    assert changes_of("write_file", {"file_path": "a.py"}, "text") == (FileChange("a.py", "update"),)
    assert changes_of("read_file", {"file_path": "a.py"}, "text") == ()


def test_own_words_stay_as_they_are() -> None:
    assert own_words("what does <b>x</b> mean?") == "what does <b>x</b> mean?"


def test_roots_and_places(tmp_path: Path) -> None:
    roots = ADAPTER.roots(HostEnv(tmp_path, {"GEMINI_CLI_HOME": "/srv/g"}, "linux"))
    assert [root.path for root in roots] == [Path("/srv/g/.gemini/tmp"), tmp_path / ".gemini" / "tmp"]
    top = tmp_path / ".gemini" / "tmp"
    for path, is_source in {
        top / "harbor/chats/session-2026-05-01T10-00-9e000000.jsonl": True,
        top / ("0" * 64) / "chats/session-2025-05-01T10-00-9e000000.json": True,
        top / f"harbor/chats/{SESSION}/agent-1.jsonl": True,
        top / "harbor/logs.json": False,
        top / "harbor/checkpoint-x.json": False,
        top / "harbor/tool-outputs/session-x/run.txt": False,
        top / "harbor/chats/notes.txt": False,
    }.items():
        assert (ADAPTER.classify(roots[1], path) is not None) == is_source, path


def test_a_chat_anywhere_is_recognised_by_its_head(tmp_path: Path) -> None:
    line = json.dumps(HEAD).encode()
    assert ADAPTER.recognise(tmp_path / "x.jsonl", line) == Source("gemini", tmp_path / "x.jsonl", session=SESSION)
    assert ADAPTER.recognise(tmp_path / "x.jsonl", b'{"sessionId":"1"}') is None
    assert ADAPTER.recognise(tmp_path / "x.jsonl", b"\0" * 100) is None


def test_a_long_chat_keeps_a_small_state(tmp_path: Path) -> None:
    rows = [row(f"00000000-0000-4000-8000-{number:012d}", "user", f"prompt {number}") for number in range(2000)]
    cursor = read(write(tmp_path, HEAD, *rows)).cursor
    assert len(cursor.state) < 64 << 10
    assert State.load(cursor.state).dump() == cursor.state
    assert State.load("{torn") == State()


def test_a_row_without_an_id_is_known_by_what_it_says(tmp_path: Path) -> None:
    unnamed = {"id": "", "timestamp": "2026-05-01T10:00:01.000Z", "type": "user", "content": "go"}
    path = write(tmp_path, name="session-2026-05-01T10-00-9e000000.json")
    path.write_text(json.dumps(HEAD | {"messages": [unnamed, unnamed]}))
    parts: list[Event] = [event for event in read(path).events if isinstance(event, MessagePart)]
    assert len(parts) == 2
    assert len(fold("gemini", parts)[0].messages) == 1


def context(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"$set": {"messages": list(messages), "lastUpdated": "2026-05-01T10:00:09.000Z"}}


def test_a_chat_that_has_lost_its_head_and_messages_is_read_from_its_contexts(tmp_path: Path) -> None:
    asked = row("u1", "user", [{"text": "list the piers"}], 2)
    named = {"id": "c1", "name": "run_shell_command", "args": {"command": "ls piers"}}
    called = row("a1", "gemini", [{"text": "I look."}, {"functionCall": named}], 3)
    output = "<untrusted_context>\nOutput: north\nExit Code: 2\n</untrusted_context>"
    response = {"functionResponse": {"id": "c1", "name": "run_shell_command", "response": {"output": output}}}
    came = row("a1_response", "user", [response], 4)
    first = context(row("c0", "user", [{"text": CONTEXT}]), asked)
    path = write(tmp_path, first, context(row("c0", "user", [{"text": CONTEXT}]), asked, called, came, came))
    for source in (ADAPTER.classify(Root("gemini", tmp_path), path), ADAPTER.recognise(path, path.read_bytes())):
        assert source is not None
        (told,) = fold("gemini", ADAPTER.read(source, None, ReadLimits()).events)
        assert (told.session.native_id, told.session.cwd) == (path.stem, "/home/ada/harbor")
        assert [(message.kind, message.text) for message in told.messages] == [
            ("prompt", "list the piers"),
            ("reply", "I look."),
        ]
        (call,) = told.messages[1].tool_calls
        assert (call.name, call.exit_code, call.ok, call.output) == (
            "run_shell_command",
            2,
            False,
            "north",
        )


def test_contexts_without_a_word_in_them_are_no_chat(tmp_path: Path) -> None:
    path = write(tmp_path, {"$set": {"lastUpdated": "2026-05-01T10:00:09.000Z"}}, {"$set": {"messages": []}})
    assert ADAPTER.recognise(path, path.read_bytes()) is None
    assert read(path).events == ()


def test_the_calls_of_a_whole_chat_are_not_told_again_by_its_contexts(tmp_path: Path) -> None:
    whole = call("c1", "run_shell_command", {"command": "ls"}, "Output: north")
    logged = row("a1", "gemini", "I look.", 3, toolCalls=[whole])
    part = {"functionCall": {"id": "c1", "name": "run_shell_command", "args": {"command": "ls"}}}
    repeated = row("a1", "gemini", [{"text": "I look."}, part], 3)
    (told,) = fold("gemini", read(write(tmp_path, HEAD, logged, HEAD, context(repeated))).events)
    assert [len(message.tool_calls) for message in told.messages] == [1]
