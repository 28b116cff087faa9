"""Cursor's editor databases: every form of a conversation, where it belongs, and reading while it is written."""

from __future__ import annotations

import json
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import FileChange, ReadLimits, SessionUpdate, Source, ToolResult
from memd.errors import TranscriptError
from memd.text.redaction import scrub
from memd_adapters.cursor import ADAPTER
from tests.unit.adapters.cursor_host import START, Editor, Reader
from tests.unit.adapters.opencode_host import calls, said

ONE = "aaaa1111-0000-4000-8000-000000000001"
TWO = "aaaa1111-0000-4000-8000-000000000002"
FOLDER = {"workspaceIdentifier": {"id": "1f2e", "uri": {"fsPath": "/home/ada/Häfen one"}}}


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    editor = Editor(tmp_path / "User/globalStorage/state.vscdb", headers=True)
    yield editor
    editor.close()


def at(seconds: int) -> str:
    return f"2026-08-29T09:20:{seconds:02}.000Z"


def shell(command: str, output: str, code: int, **more: object) -> dict[str, object]:
    return {
        "name": "run_terminal_command_v2", "toolCallId": "toolu_01A", "status": "completed",
        "params": json.dumps({"command": command}), "result": json.dumps({"output": output, "exitCode": code}), **more,
    }  # fmt: skip


def test_a_conversation_is_told_in_the_order_of_its_headers(editor: Editor) -> None:
    editor.bubble(ONE, "a2", "It was the bulb.", createdAt=at(9))
    editor.bubble(ONE, "u1", "why is it dark", createdAt=at(1))
    editor.bubble(ONE, "t1", toolFormerData=shell("lamp test", "1 failing\n", 1), createdAt=at(4))
    editor.bubble(ONE, "a1", thinking={"text": "the bulb?"}, createdAt=at(2), modelInfo={"modelName": "sol-2"})
    editor.composer(
        ONE, ["u1", "a1", "t1", "a2", "gone"], name="Dark lamp", modelConfig={"modelName": "default"}, **FOLDER
    )
    editor.put(f"bubbleId:{ONE}:gone", None)
    editor.put("composerData:deleted", None)
    editor.put("agentKv:blob:00", "x")
    reader = Reader(editor.path)
    reader.read()
    told = reader.told()[ONE]
    assert said(told) == ["prompt: why is it dark", "reply: ", "reply: It was the bulb."]
    assert (told.messages[1].thinking, told.messages[1].model) == ("the bulb?", "sol-2")
    assert calls(told.messages) == [("run_terminal_command_v2", False, 1)]
    facts = told.session
    assert (facts.cwd, facts.title, facts.model) == ("/home/ada/Häfen one", "Dark lamp", None)
    assert told.messages[2].at == facts.last_at
    assert reader.skipped == {"bubble without content": 1}


def test_missing_times_stay_missing_and_relative_ones_are_none(editor: Editor) -> None:
    editor.bubble(ONE, "u1", "hello")
    editor.bubble(ONE, "a1", "Hello.", timingInfo={"clientStartTime": 120.5, "clientEndTime": START + 9})
    editor.composer(ONE, ["u1", "a1"])
    reader = Reader(editor.path)
    reader.read()
    assert [message.at for message in reader.told()[ONE].messages] == [None, START + 9]


def test_conversations_that_stand_in_their_own_row_and_tools_of_the_first_form(editor: Editor) -> None:
    tools = {"i2": {"name": "edit_file", "status": "completed", "params": json.dumps({"target_file": "a.py"}),
                    "result": json.dumps({"diff": {"chunks": [{"diffString": "-a\n+b\n+c"}]}})}}  # fmt: skip
    editor.put(f"composerData:{ONE}", {
        "conversation": [{"type": 1, "bubbleId": "i1", "text": "change it"},
                         {"type": 2, "bubbleId": "i2", "text": "ok"}],
        "capabilities": [{"type": 15, "data": {"bubbleDataMap": json.dumps(tools)}}],
        "trackedGitRepos": [{"repoPath": "/home/ada/harbor"}],
    })  # fmt: skip
    editor.put(f"composerData:{TWO}", {
        "fullConversationHeadersOnly": [{"bubbleId": "m1", "type": 1}],
        "conversationMap": {"m1": {"type": 1, "text": "mapped"}},
    })  # fmt: skip
    reader = Reader(editor.path)
    reader.read()
    assert said(reader.told()[ONE]) == ["prompt: change it", "reply: ok"]
    changes = [change for event in reader.events if isinstance(event, ToolResult) for change in event.changes]
    assert changes == [FileChange("/home/ada/harbor/a.py", "update", 2, 1)]
    assert said(reader.told()[TWO]) == ["prompt: mapped"]


def test_a_subagent_is_linked_to_its_parent_and_to_the_call_that_started_it(editor: Editor) -> None:
    child = "task-toolu_01A"
    editor.bubble(ONE, "t1", toolFormerData={**shell("", "", 0), "name": "task_v2", "result": "done"})
    editor.composer(ONE, ["t1"], subagentComposerIds=[child])
    editor.bubble(child, "u1", "find callers")
    editor.composer(child, ["u1"], subagentInfo={"parentComposerId": ONE, "subagentType": "explore"})
    reader = Reader(editor.path)
    reader.read()
    facts = reader.told()[child].session
    assert (facts.kind, facts.parent, facts.agent) == ("subagent", ONE, "explore")
    assert [event.child for event in reader.events if isinstance(event, ToolResult)] == [child]


def test_a_rewind_keeps_what_it_dropped_as_abandoned(editor: Editor) -> None:
    editor.bubble(ONE, "u1", "paint it", createdAt=at(1))
    editor.bubble(ONE, "a1", "Red.", createdAt=at(2))
    editor.bubble(ONE, "u2", "and the door", createdAt=at(3))
    editor.bubble(ONE, "a2", "Red too.", createdAt=at(4))
    editor.composer(ONE, ["u1", "a1", "u2", "a2"])
    reader = Reader(editor.path)
    reader.read()
    editor.bubble(ONE, "u3", "and the door", createdAt=at(5))
    editor.bubble(ONE, "a3", "Green.", createdAt=at(6))
    editor.composer(ONE, ["u1", "a1", "u3", "a3"])
    reader.read()
    expected = [
        *("prompt: paint it", "reply: Red.", "-prompt: and the door", "-reply: Red too."),
        *("prompt: and the door", "reply: Green."),
    ]
    assert said(reader.told()[ONE]) == expected
    again = Reader(editor.path)
    again.read()
    assert said(again.told()[ONE]) == expected


def test_what_is_being_written_is_told_when_it_is_finished(editor: Editor) -> None:
    editor.bubble(ONE, "u1", "paint it")
    editor.bubble(ONE, "a1", "I wi")
    editor.composer(ONE, ["u1", "a1"], status="generating")
    reader = Reader(editor.path)
    reader.read()
    assert said(reader.told()[ONE]) == ["prompt: paint it"]
    editor.bubble(ONE, "a1", "I will.")
    editor.bubble(ONE, "t1", toolFormerData={**shell("paint", "", 0), "status": "started"})
    editor.composer(ONE, ["u1", "a1", "t1"], status="generating")
    reader.read()
    assert said(reader.told()[ONE]) == ["prompt: paint it", "reply: I will."]
    editor.bubble(ONE, "t1", toolFormerData=shell("paint", "", 0))
    editor.composer(ONE, ["u1", "a1", "t1"])
    reader.read()
    assert calls(reader.told()[ONE].messages) == [("run_terminal_command_v2", True, 0)]


def test_only_what_is_new_of_a_conversation_is_told_again(editor: Editor) -> None:
    for number in range(19):
        editor.bubble(ONE, f"u{number}", f"prompt {number}")
    editor.composer(ONE, [f"u{number}" for number in range(19)])
    reader = Reader(editor.path)
    reader.read()
    editor.bubble(ONE, "u19", "prompt 19")
    assert [event for event in reader.read() if not isinstance(event, SessionUpdate)] == []
    editor.composer(ONE, [f"u{number}" for number in range(20)])
    new = reader.read()
    assert len([event for event in new if not isinstance(event, SessionUpdate)]) == 1
    assert len(reader.told()[ONE].messages) == 20


def test_a_batch_ends_by_what_was_read_and_not_only_by_what_was_told(editor: Editor) -> None:
    """A bubble of a few words may have a megabyte of other things in it, and databases have gigabytes."""
    for number in range(40):
        composer = f"aaaa1111-0000-4000-8000-{number:012}"
        editor.bubble(composer, "u1", "hello", lints="x" * 10_000)
        editor.composer(composer, ["u1"])
    source = Source("cursor", editor.path)
    batch = ADAPTER.read(source, None, ReadLimits(batch_bytes=100_000))
    assert batch.more
    assert 8 <= len({event.session for event in batch.events if isinstance(event, SessionUpdate)}) <= 12
    reader = Reader(editor.path, batch_bytes=100_000)
    reader.read()
    assert len(reader.told()) == 40


def test_a_value_may_be_text_or_bytes_or_nothing(editor: Editor) -> None:
    editor.bubble(ONE, "u1", "why is it dark")
    editor.bubble(ONE, "a2", "It was the bulb.")
    editor.put(f"bubbleId:{ONE}:a3", None)
    editor.put(f"composerData:{TWO}", None)
    editor.composer(ONE, ["u1", "a2", "a3"])
    editor.conn.execute("UPDATE cursorDiskKV SET value = CAST(value AS BLOB) WHERE key LIKE '%:a2'")
    reader = Reader(editor.path)
    reader.read()
    assert said(reader.told()[ONE]) == ["prompt: why is it dark", "reply: It was the bulb."]
    assert set(reader.told()) == {ONE}


def test_a_first_look_at_an_empty_database_misses_nothing_later(editor: Editor) -> None:
    reader = Reader(editor.path)
    assert reader.read() == []
    editor.bubble(ONE, "u1", "hello")
    editor.composer(ONE, ["u1"])
    reader.read()
    assert said(reader.told()[ONE]) == ["prompt: hello"]


def link_by_data(editor: Editor) -> None:
    editor.composer(ONE, ["u1"], **FOLDER)


def link_by_header_table(editor: Editor) -> None:
    editor.composer(ONE, ["u1"])
    editor.header(ONE, FOLDER)


def link_by_list_of_headers(editor: Editor) -> None:
    editor.composer(ONE, ["u1"])
    editor.conn.execute("DROP TABLE composerHeaders")
    editor.put("composer.composerHeaders", {"allComposers": [{"composerId": ONE, **FOLDER}]}, "ItemTable")


def link_by_project(editor: Editor) -> None:
    editor.composer(ONE, ["u1"])
    workspace = {"id": "1f2e", "uri": {"external": "file:///home/ada/H%C3%A4fen%20one"}}
    editor.put("glass.localAgentProjects.v1", [{"id": "p1", "workspace": workspace}], "ItemTable")
    editor.put("glass.localAgentProjectMembership.v1", {ONE: "p1"}, "ItemTable")


@pytest.mark.parametrize("link", [link_by_data, link_by_header_table, link_by_list_of_headers, link_by_project])
def test_the_folder_is_found_by_each_kind_of_link(editor: Editor, link: object) -> None:
    assert callable(link)
    editor.bubble(ONE, "u1", "hello")
    link(editor)
    reader = Reader(editor.path)
    reader.read()
    assert reader.told()[ONE].session.cwd == "/home/ada/Häfen one"


@pytest.mark.parametrize("kept", ["list", "pane", "selected"])
def test_a_workspaces_own_database_tells_the_folder_of_its_conversations(
    editor: Editor, tmp_path: Path, kept: str
) -> None:
    editor.bubble(ONE, "u1", "hello")
    editor.composer(ONE, ["u1"])
    editor.composer(TWO, [])
    place = tmp_path / "User/workspaceStorage/1f2e"
    workspace = Editor(place / "state.vscdb")
    (place / "workspace.json").write_text('{"folder": "file:///home/ada/H%C3%A4fen%20one"}')
    ids = [{"composerId": composer} for composer in (ONE, TWO)]
    match kept:
        case "list":
            workspace.put("composer.composerData", {"allComposers": ids}, "ItemTable")
        case "pane":
            workspace.put(f"workbench.panel.composerChatViewPane.{ONE}", {}, "ItemTable")
        case _:
            workspace.put("composer.composerData", {"selectedComposerIds": [ONE, TWO]}, "ItemTable")
    local, shared = Reader(workspace.path), Reader(editor.path)
    assert local.read() == [SessionUpdate(ONE, cwd="/home/ada/Häfen one")]
    workspace.put("unrelated", 1, "ItemTable")
    assert local.read() == []
    shared.events += local.events
    shared.read()
    assert shared.told()[ONE].session.cwd == "/home/ada/Häfen one"
    workspace.close()


def test_chats_of_the_first_form_are_told_from_the_workspace(tmp_path: Path) -> None:
    place = tmp_path / "User/workspaceStorage/1f2e"
    workspace = Editor(place / "state.vscdb")
    (place / "workspace.json").write_text('{"folder": "vscode-remote://ssh-remote%2Bpier/home/ada/harbor"}')
    bubbles = [{"type": "user", "text": "why dark"}, {"type": "ai", "rawText": "The bulb."}]
    workspace.put(
        "workbench.panel.aichat.view.aichat.chatdata",
        {"tabs": [{"tabId": "t-1", "chatTitle": "Dark", "bubbles": bubbles}]}, "ItemTable",
    )  # fmt: skip
    inline = {"composerId": ONE, "conversation": [{"type": 1, "bubbleId": "i1", "text": "inline"}]}
    workspace.put("composer.composerData", {"allComposers": [inline]}, "ItemTable")
    for batch_bytes in (1, 1 << 20):
        reader = Reader(workspace.path, batch_bytes=batch_bytes)
        reader.read()
        told = reader.told()
        assert said(told["t-1"]) == ["prompt: why dark", "reply: The bulb."]
        assert (told["t-1"].session.title, told["t-1"].session.cwd) == ("Dark", "/home/ada/harbor")
        assert said(told[ONE]) == ["prompt: inline"]
        assert reader.read() == []
    workspace.close()


def test_a_vacuumed_database_is_walked_again(editor: Editor) -> None:
    for number in range(9):
        editor.put(f"agentKv:{number}", "x")
    editor.bubble(ONE, "u1", "one")
    editor.composer(ONE, ["u1"])
    reader = Reader(editor.path)
    reader.read()
    editor.conn.execute("DELETE FROM cursorDiskKV WHERE key LIKE 'agentKv%'")
    editor.conn.execute("VACUUM")
    editor.bubble(ONE, "u2", "two")
    editor.composer(ONE, ["u1", "u2"])
    reader.read()
    assert said(reader.told()[ONE]) == ["prompt: one", "prompt: two"]


def test_secrets_beside_the_conversations_are_never_asked_for(editor: Editor) -> None:
    editor.put("cursorAuth/accessToken", "not for us", "ItemTable")
    editor.bubble(ONE, "u1", "one")
    editor.composer(ONE, ["u1"])
    asked: list[str] = []
    connect = sqlite3.connect

    def watched(*arguments: object, **options: object) -> sqlite3.Connection:
        conn = connect(*arguments, **options)  # type: ignore[call-overload]
        conn.set_trace_callback(asked.append)
        return conn  # type: ignore[no-any-return]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", watched)
        Reader(editor.path).read()
    items = [sql for sql in asked if "ItemTable" in sql and "FROM ItemTable" in sql]
    assert items
    assert all("WHERE key = '" in sql or "WHERE key > '" in sql for sql in items)
    assert not any("cursorAuth" in sql for sql in asked)


def test_damaged_values_are_counted_and_the_rest_is_told(editor: Editor) -> None:
    editor.bubble(ONE, "u1", "one")
    editor.composer(ONE, ["u1", "u2"])
    editor.conn.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (f"bubbleId:{ONE}:u2", b"\xff{"))
    editor.conn.execute("INSERT INTO cursorDiskKV VALUES ('composerData:x', '[1]')")
    editor.conn.execute("INSERT INTO cursorDiskKV VALUES (NULL, 'x')")
    reader = Reader(editor.path)
    reader.read()
    assert said(reader.told()[ONE]) == ["prompt: one"]
    assert reader.skipped["bubble without content"] == 1


def test_a_database_of_another_editor_is_not_cursors(tmp_path: Path) -> None:
    path = tmp_path / "state.vscdb"
    conn = sqlite3.connect(path)
    conn.execute("CREATE TABLE ItemTable (key TEXT, value BLOB)")
    conn.commit()
    assert ADAPTER.recognise(path, path.read_bytes()) is None
    conn.execute("INSERT INTO ItemTable VALUES ('composer.composerData', '{}')")
    conn.commit()
    assert ADAPTER.recognise(path, path.read_bytes()) == Source("cursor", path)
    conn.execute("DROP TABLE ItemTable")
    conn.commit()
    conn.close()
    with pytest.raises(TranscriptError, match="no database of Cursor"):
        ADAPTER.read(Source("cursor", path), None, ReadLimits())


def test_the_state_is_small_and_holds_nothing_to_redact(editor: Editor) -> None:
    for number in range(120):
        composer = f"aaaa1111-0000-4000-8000-{number:012}"
        editor.bubble(composer, "u1", "hello")
        editor.composer(composer, ["u1"])
    reader = Reader(editor.path, batch_bytes=300)
    reader.read()
    assert len(reader.told()) == 120
    assert reader.cursor is not None
    assert len(reader.cursor.state) < 60_000
    assert scrub(reader.cursor.state).text == reader.cursor.state


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_any_interleaving_of_writes_and_reads_tells_the_same(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    editor = Editor(Path(tempfile.mkdtemp(dir=tmp_path)) / "globalStorage/state.vscdb")
    reader = Reader(editor.path, batch_bytes=chance.choice((1, 300, 1 << 20)))
    orders: dict[str, list[str]] = {ONE: [], TWO: []}
    growing: dict[str, str] = {}
    for step in range(60):
        composer = chance.choice((ONE, TWO))
        order = orders[composer]
        match chance.randrange(8):
            case 0 | 1 if composer not in growing:
                order.append(f"u{step}")
                editor.bubble(composer, order[-1], f"prompt {chance.randrange(3)}")
            case 2 if composer not in growing:
                order.append(f"a{step}")
                growing[composer] = f"answer {chance.randrange(3)}"
                editor.bubble(composer, order[-1], growing[composer][:3])
            case 3 | 4 if composer in growing:
                editor.bubble(composer, order[-1], growing.pop(composer))
            case 5:
                assert editor.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            case _:
                reader.read()
        if chance.random() < 0.2:
            reader.read()
        editor.composer(composer, order, status="generating" if composer in growing else "completed")
    for composer, text in growing.items():
        editor.bubble(composer, orders[composer][-1], text)
        editor.composer(composer, orders[composer])
    reader.read()
    whole = Reader(editor.path)
    whole.read()
    assert reader.told() == whole.told()
    editor.close()
