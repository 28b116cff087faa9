"""Cursor's transcripts of rows and of text, and where they lie."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.adapter import FileChange, HostEnv, Root, Source, ToolResult
from memd.errors import TranscriptError
from memd_adapters.cursor import ADAPTER
from memd_adapters.cursor_text import shown, told_at, unwrapped
from tests.unit.adapters.cursor_host import Reader, assistant, user, write_rows
from tests.unit.adapters.opencode_host import calls, said

ID = "7896c168-45c1-42d4-841a-c8c731c24f45"
CHILD = "0d4f1c57-1111-4c6e-9f5a-5a3f1f9b7a01"
MONDAY = "Monday, Aug 24, 2026, 3:01 PM (UTC-5)"


@pytest.fixture
def slug(tmp_path: Path) -> Path:
    return tmp_path / ".cursor/projects/Users-ada-code-harbor-app"


def test_rows_become_prompts_replies_and_calls(slug: Path) -> None:
    path = write_rows(slug / f"agent-transcripts/{ID}/{ID}.jsonl", [
        user("paint it", MONDAY),
        assistant("[REDACTED]", "I paint.\n\n[REDACTED]", ("Shell", {"command": "paint"})),
        assistant(("StrReplace", {"path": "lamp.ts", "old_string": "a\nb", "new_string": "c"})),
        assistant(("Write", {"path": "/h/b.ts", "contents": "x"})),
        assistant(("ApplyPatch", "*** Begin Patch\n*** Delete File: /h/c.ts\n*** End Patch")),
        assistant(("Delete", {"path": "/h/d.ts"})),
        assistant("Done."),
        {"type": "turn_ended", "status": "success"},
        user("again"),
        {"type": "turn_ended", "status": "error", "error": "Request aborted by user"},
        {"type": "error", "error": "No network"},
    ])  # fmt: skip
    (slug / ".workspace-trusted").write_text(json.dumps({"workspacePath": "/Users/ada/code/harbor.app"}))
    reader = Reader(path, ID)
    reader.read()
    told = reader.told()[ID]
    assert said(told) == [
        "prompt: paint it",
        "reply: I paint.",
        "reply: Done.",
        "prompt: again",
        "notice: Request aborted by user",
        "notice: No network",
    ]
    assert [call.kind for call in told.messages[1].tool_calls] == ["shell", "edit", "write", "edit", "edit"]
    assert {ok for _, ok, _ in calls(told.messages)} == {None}
    changes = [change for event in reader.events if isinstance(event, ToolResult) for change in event.changes]
    assert changes == [
        FileChange("/Users/ada/code/harbor.app/lamp.ts", "update", 1, 2),
        FileChange("/h/b.ts", "update"),
        FileChange("/h/c.ts", "delete"),
        FileChange("/h/d.ts", "delete"),
    ]
    assert told.session.cwd == "/Users/ada/code/harbor.app"
    assert [message.at for message in told.messages] == [1_787_601_660_000, None, None, None, None, None]


def test_the_folder_is_told_by_the_workers_log_and_never_by_the_slug(slug: Path) -> None:
    path = write_rows(slug / f"agent-transcripts/{ID}.jsonl", [user("hello")])
    reader = Reader(path, ID)
    reader.read()
    assert reader.told()[ID].session.cwd is None
    (slug / "worker.log").write_text("[info] Getting tree structure for workspacePath=/Users/ada/My App\n[info] x\n")
    write_rows(path, [user("hello"), user("more")])
    reader.read()
    assert reader.told()[ID].session.cwd == "/Users/ada/My App"


def test_the_same_words_twice_are_two_messages(slug: Path) -> None:
    rows = [user("continue"), assistant("Ok.", ("Shell", {"command": "ls"})), assistant("Ok.")] * 3
    reader = Reader(write_rows(slug / f"agent-transcripts/{ID}.jsonl", rows), ID, batch_bytes=1)
    reader.read()
    assert said(reader.told()[ID]) == ["prompt: continue", "reply: Ok.", "reply: Ok."] * 3
    assert len(calls(reader.told()[ID].messages)) == 3


def test_one_session_under_two_folders_is_told_once(slug: Path) -> None:
    rows = [user("create it"), assistant(("Write", {"path": "/h/a", "contents": ""})), assistant("Created.")]
    whole = Reader(write_rows(slug / f"agent-transcripts/{ID}.jsonl", rows), ID)
    shorter = slug.parent / f"agent-transcripts/{ID}/{ID}.jsonl"
    part = Reader(write_rows(shorter, [rows[0], rows[2]]), ID)
    whole.read()
    whole.events += part.read()
    assert said(whole.told()[ID]) == ["prompt: create it", "reply: ", "reply: Created."]


def test_files_of_ends_alone_hold_no_session(slug: Path) -> None:
    path = write_rows(slug / f"agent-transcripts/{ID}.jsonl", [{"type": "turn_ended", "status": "success"}] * 2)
    assert ADAPTER.recognise(path, path.read_bytes()) == Source("cursor", path, ID)
    reader = Reader(path, ID)
    assert reader.read() == []


def test_unknown_rows_and_blocks_are_counted(slug: Path) -> None:
    strange = {"role": "assistant", "message": {"content": [{"type": "hologram"}, 7]}}
    rows = [user("hello"), strange, {"type": "aurora"}, {"role": "assistant", "message": {}}]
    reader = Reader(write_rows(slug / f"agent-transcripts/{ID}.jsonl", rows), ID)
    reader.read()
    assert reader.skipped == {
        "unknown block: hologram": 1,
        "block without a type": 1,
        "unknown row kind: aurora": 1,
        "row without content": 1,
    }


def test_a_file_of_another_host_is_refused(slug: Path) -> None:
    path = write_rows(slug / f"agent-transcripts/{ID}.jsonl", [{"uuid": "x", "type": "user"}])
    assert ADAPTER.recognise(path, path.read_bytes()) is None
    with pytest.raises(TranscriptError, match="no transcript of Cursor"):
        Reader(path, ID).read()


TEXT = """user:
<user_query>
why is it dark?
</user_query>

A:
[Thinking]
  the switch
First I look.
[Tool call] ReadFile
  path=lamp.ts
[Tool result]
  off()
  user: this line is output
It is off.
[Tool call] Shell
  {"command": "lamp on"}
[Tool result]
  Exit code: 1
[Tool call] Grep
  pattern=on

assistant:
Broken.
"""


def test_a_transcript_of_text_is_told(slug: Path) -> None:
    path = slug / f"agent-transcripts/{ID}.txt"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    assert ADAPTER.recognise(path, path.read_bytes()) == Source("cursor", path, ID)
    reader = Reader(path, ID)
    reader.read()
    told = reader.told()[ID]
    assert said(told) == ["prompt: why is it dark?", "reply: First I look.", "reply: It is off.", "reply: Broken."]
    assert told.messages[1].thinking == "the switch"
    assert told.messages[1].tool_calls[0].output == "off()\nuser: this line is output"
    assert calls(told.messages) == [("ReadFile", True, None), ("Shell", False, 1), ("Grep", None, None)]
    assert reader.read() == []


def test_text_nobody_speaks_in_is_refused(slug: Path) -> None:
    path = slug / f"agent-transcripts/{ID}.txt"
    path.parent.mkdir(parents=True)
    path.write_text("notes\nmore notes\n")
    assert ADAPTER.recognise(path, path.read_bytes()) is None
    with pytest.raises(TranscriptError, match="nobody speaks"):
        Reader(path, ID).read()


@given(st.text(max_size=200))
def test_any_text_of_a_user_is_borne(text: str) -> None:
    speaker, words = unwrapped(text)
    assert (speaker == "nothing") == (words == "")
    shown(text)
    told_at(text)


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("Monday, Aug 24, 2026, 3:01 PM (UTC-5)", 1_787_601_660_000),
        ("Tuesday, Nov 10, 2026, 12:05 AM (UTC+1)", 1_794_265_500_000),
        ("Tuesday, Nov 10, 2026, 12:05 AM (UTC+5:30)", 1_794_249_300_000),
        ("Tuesday, Nov 10, 2026, 12:05 PM (UTC)", 1_794_312_300_000),
        ("Someday, Foo 99, 2026, 12:05 PM (UTC)", None),
    ],
)
def test_the_time_before_a_prompt_is_read(stamp: str, at: int | None) -> None:
    assert told_at(f"<timestamp>{stamp}</timestamp>\n<user_query>\nx\n</user_query>") == at
    assert told_at(f"x <timestamp>{stamp}</timestamp>") is None


def test_what_cursor_adds_to_a_prompt_is_taken_off() -> None:
    assert unwrapped("<open_files>\na.py\n</open_files>\n<user_query>\nhi\n</user_query>") == ("prompt", "hi")
    assert unwrapped("<user_info>\nOS: linux\n</user_info>") == ("nothing", "")
    assert unwrapped("<system_reminder>x</system_reminder>\nhello") == ("prompt", "hello")
    assert unwrapped("<system_notification>\nShell ended.\n</system_notification>") == ("notice", "Shell ended.")
    assert unwrapped("plain") == ("prompt", "plain")


def test_places() -> None:
    root = Root("cursor", Path("/home/ada/.cursor/projects"))
    below = root.path / "slug/agent-transcripts"
    expected = {
        below / f"{ID}.jsonl": Source("cursor", below / f"{ID}.jsonl", ID),
        below / f"{ID}.txt": Source("cursor", below / f"{ID}.txt", ID),
        below / f"{ID}/{ID}.jsonl": Source("cursor", below / f"{ID}/{ID}.jsonl", ID),
        below / f"{ID}/subagents/{CHILD}.jsonl": Source("cursor", below / f"{ID}/subagents/{CHILD}.jsonl", CHILD, ID),
        root.path / f"agent-transcripts/{ID}.jsonl": Source("cursor", root.path / f"agent-transcripts/{ID}.jsonl", ID),
        below / f"{ID}/other.jsonl": None,
        below / "..jsonl": None,
        root.path / "slug/worker.log": None,
        root.path / f"slug/{ID}.jsonl": None,
    }
    assert {path: ADAPTER.classify(root, path) for path in expected} == expected
    chats = Root("cursor", Path("/home/ada/.cursor/chats"))
    store = chats.path / f"7d3c/{ID}/store.db"
    assert (
        ADAPTER.classify(chats, store) == ADAPTER.classify(chats, Path(f"{store}-wal")) == Source("cursor", store, ID)
    )
    assert ADAPTER.classify(chats, Path(f"{store}-shm")) is None
    users = Root("cursor", Path("/home/ada/.config/Cursor/User"))
    for folder in ("globalStorage", "workspaceStorage/1f2e", "profiles/p1/globalStorage"):
        state = users.path / folder / "state.vscdb"
        assert ADAPTER.classify(users, Path(f"{state}-wal")) == Source("cursor", state)
        assert ADAPTER.classify(users, Path(f"{state}.backup")) is None


def test_roots_follow_system_and_environment() -> None:
    def roots(platform: str, **variables: str) -> list[str]:
        return [str(root.path) for root in ADAPTER.roots(HostEnv(Path("/home/ada"), variables, platform))]

    assert roots("linux")[0] == "/home/ada/.config/Cursor/User/globalStorage"
    assert "/home/ada/.cursor/projects" in roots("linux")
    assert roots("darwin")[0] == "/home/ada/Library/Application Support/Cursor/User/globalStorage"
    assert "/cfg/Cursor/User/workspaceStorage" in roots("linux", XDG_CONFIG_HOME="/cfg")
    assert "/srv/cursor/chats" in roots("linux", CURSOR_CONFIG_DIR="/srv/cursor")


def test_an_old_text_file_is_recognised_by_its_marks_too(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    text = b"user:\nUse zod.\n\nA:\n[Thinking] hm\nOk.\n[Tool call] Read\n  path=a.ts\n"
    assert ADAPTER.recognise(path, text) is not None
    assert ADAPTER.recognise(path, b"user:\nA letter.\n\nA:\nAn answer.\n") is None
