"""Cursor's chat stores, and one session told by several stores."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.adapter import Event, ReadLimits, Source
from memd.errors import TranscriptError
from memd.fold import fold
from memd.text.redaction import scrub
from memd_adapters.cursor import ADAPTER
from memd_adapters.cursor_chats import _fields
from tests.unit.adapters.cursor_host import START, ChatStore, Editor, Reader, assistant, user, write_rows
from tests.unit.adapters.opencode_host import calls, said

ID = "5f0e0c52-9f0d-4a61-8f0b-6f1fc2a0d001"
ABOUT = {"createdAtMs": START, "cwd": "/home/ada/harbor", "title": "Dark lamp", "hasConversation": True}


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[ChatStore]:
    store = ChatStore(tmp_path / f".cursor/chats/7d3c/{ID}", ABOUT)
    yield store
    store.close()


def call(key: str, name: str, **given: object) -> dict[str, object]:
    return {"type": "tool-call", "toolCallId": key, "toolName": name, "args": given}


def put_result(chat: ChatStore, key: str, text: str, *, code: int | None = None, failed: bool = False) -> str:
    content = [{"type": "tool-result", "toolCallId": key, "toolName": "x", "result": text, "isError": failed}]
    details = {"highLevelToolCallResult": {"output": {"success": {"exitCode": code}}}} if code is not None else {}
    return chat.message("tool", content, providerOptions={"cursor": details})


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def test_messages_are_told_in_the_order_of_the_root(chat: ChatStore) -> None:
    system = chat.message("system", "You are an agent.")
    about = chat.message("user", "<user_info>\nOS: linux\n</user_info>")
    prompt = chat.prompt("why dark")
    model = {"providerOptions": {"cursor": {"modelName": "sol-2"}}}
    calls_made = [call("a", "Shell", command="lamp"), call("b", "Write", path="n.md", contents="x")]
    reply = chat.message("assistant", [{"type": "reasoning", "text": "bulb?"}, text("I look."), *calls_made], **model)
    results = [put_result(chat, "a", "Exit code: 1\n\nCommand output:\n\n```\noff\n```", code=1)]
    results.append(put_result(chat, "b", "Wrote it"))
    chat.root([system, about, prompt, reply, *results], lastUsedModel="sol-2")
    reader = Reader(chat.path, ID)
    reader.read()
    told = reader.told()[ID]
    assert said(told) == ["prompt: why dark", "reply: I look."]
    assert (told.messages[1].thinking, told.messages[1].model) == ("bulb?", "sol-2")
    assert calls(told.messages) == [("Shell", False, 1), ("Write", True, None)]
    shell, write = told.messages[1].tool_calls
    assert (shell.output, [change.path for change in write.changes]) == ("off", ["/home/ada/harbor/n.md"])
    facts = told.session
    assert (facts.cwd, facts.title, facts.model, facts.started_at) == ("/home/ada/harbor", "Dark lamp", "sol-2", START)
    assert facts.last_at is None


def test_what_a_compaction_dropped_is_kept_and_what_a_rewind_dropped_is_abandoned(chat: ChatStore) -> None:
    first, answer = chat.prompt("one"), chat.message("assistant", [text("First.")])
    chat.root([first, answer])
    second, other = chat.prompt("two"), chat.message("assistant", [text("Second.")])
    chat.root([first, answer, second, other])
    third = chat.prompt("three")
    chat.root([first, answer, third])
    chat.prompt("never named")
    summary = chat.message(
        "user", [text("So far: lamps.")], providerOptions={"cursor": {"isSummary": True}}
    )  # fmt: skip
    fourth = chat.prompt("four")
    reader = Reader(chat.path, ID)
    reader.read()
    assert said(reader.told()[ID])[:5] == [
        *("prompt: one", "reply: First.", "-prompt: two", "-reply: Second.", "prompt: three"),
    ]
    chat.root([summary, third, fourth])
    later = Reader(chat.path, ID)
    later.read()
    assert "summary: So far: lamps." in said(later.told()[ID])
    assert "prompt: one" in said(later.told()[ID])
    assert "prompt: four" in said(later.told()[ID])


def test_a_plain_meta_and_a_missing_root_are_borne(chat: ChatStore) -> None:
    chat.conn.execute("INSERT INTO meta VALUES ('0', ?)", (json.dumps({"name": "Lamps", "latestRootBlobId": "none"}),))
    reader = Reader(chat.path, ID)
    assert reader.read() == []
    prompt = chat.prompt("one")
    raw = b"\x0a\x20" + bytes.fromhex(prompt)
    chat.put(raw)
    reader.read()
    assert said(reader.told()[ID]) == ["prompt: one"]


def test_encrypted_blobs_are_counted(chat: ChatStore) -> None:
    chat.root([chat.prompt("one")])
    chat.put(b"\xff\xfe\x00 nothing to read")
    reader = Reader(chat.path, ID)
    reader.read()
    assert reader.skipped == {"blob that cannot be read": 1}


def test_only_what_is_new_is_told_again(chat: ChatStore) -> None:
    messages = [chat.prompt(f"prompt {number}") for number in range(9)]
    chat.root(messages)
    reader = Reader(chat.path, ID, batch_bytes=1)
    assert len(reader.read()) >= 9
    chat.root([*messages, chat.prompt("last")])
    assert len(reader.read()) == 2
    assert len(reader.told()[ID].messages) == 10
    assert reader.cursor is not None
    assert scrub(reader.cursor.state).text == reader.cursor.state


def test_a_store_lying_anywhere_is_recognised(chat: ChatStore, tmp_path: Path) -> None:
    chat.root([chat.prompt("one")])
    copy = tmp_path / "copy.db"
    chat.conn.execute("VACUUM INTO ?", (str(copy),))
    source = ADAPTER.recognise(copy, copy.read_bytes()[:65536])
    assert source is not None
    assert len(ADAPTER.read(source, None, ReadLimits()).events) == 2
    chat.conn.execute("DROP TABLE blobs")
    with pytest.raises(TranscriptError, match="no chat store"):
        ADAPTER.read(Source("cursor", chat.path, ID), None, ReadLimits())


@given(st.binary(max_size=120))
def test_any_blob_is_borne(raw: bytes) -> None:
    fields = _fields(raw)
    assert fields is None or all(field > 0 for field, _ in fields)


def stores(tmp_path: Path) -> list[list[Event]]:
    """Return what three stores tell of one session; each keeps something that the others have not."""
    chat = ChatStore(tmp_path / f".cursor/chats/7d3c/{ID}", ABOUT)
    prompt = chat.prompt("why  dark")
    reply = chat.message("assistant", [text("I look."), call("toolu_1", "Shell", command="lamp test")])
    result = put_result(chat, "toolu_1", "off", code=1)
    done = chat.message("assistant", [text("Fixed."), call("b", "StrReplace", path="/h/a.ts", old_string="a",
                                                         new_string="b")])  # fmt: skip
    chat.root([prompt, reply, result, done])
    editor = Editor(tmp_path / "User/globalStorage/state.vscdb")
    editor.bubble(ID, "u1", "why dark", createdAt="2026-08-29T09:20:01.000Z")
    editor.bubble(ID, "a1", thinking={"text": "bulb?"}, createdAt="2026-08-29T09:20:02.000Z")
    editor.bubble(ID, "a2", "I look.", createdAt="2026-08-29T09:20:03.000Z", modelInfo={"modelName": "sol-2"})
    params = json.dumps({"command": "lamp test", "cwd": ""})
    tool = {"name": "run_terminal_cmd", "toolCallId": "toolu_1", "status": "completed", "params": params}
    tool["result"] = json.dumps({"output": "off"})
    editor.bubble(ID, "t1", toolFormerData=tool)
    editor.bubble(ID, "a3", "Fixed.")
    edit = {"name": "search_replace", "status": "completed", "params": json.dumps({"file_path": "a.ts"})}
    editor.bubble(ID, "t2", toolFormerData=edit)
    editor.composer(ID, ["u1", "a1", "a2", "t1", "a3", "t2"], name="Dark lamp")
    path = write_rows(tmp_path / f".cursor/projects/s/agent-transcripts/{ID}.jsonl", [
        user("why dark", "Saturday, Aug 29, 2026, 9:20 AM (UTC)"),
        assistant("I look.\n\n[REDACTED]", ("Shell", {"command": "lamp test", "description": "Test"})),
        assistant("Fixed.", ("StrReplace", {"path": "/h/a.ts", "old_string": "a", "new_string": "b"})),
        user("thanks"),
    ])  # fmt: skip
    readers = [Reader(chat.path, ID), Reader(editor.path), Reader(path, ID)]
    read = [reader.read() for reader in readers]
    chat.close()
    editor.close()
    return read


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_session_in_three_stores_is_one_whichever_is_read_first(tmp_path: Path, order: tuple[int, ...]) -> None:
    read = stores(tmp_path)
    events = [event for number in order for event in read[number]]
    (told,) = fold("cursor", events)
    assert [line.replace("  ", " ") for line in said(told)] == [
        "prompt: why dark",
        "reply: I look.",
        "reply: Fixed.",
        "prompt: thanks",
    ]
    assert told.messages[1].thinking == "bulb?"
    assert [(call.kind, call.ok) for message in told.messages for call in message.tool_calls] == [
        ("shell", False),
        ("edit", True),
    ]
    assert len(calls(told.messages)) == 2
    assert told.messages[0].at == 1_787_995_200_000
    assert told.messages[1].model == "sol-2"


def test_read_again_in_any_pieces_the_stores_tell_nothing_more(tmp_path: Path) -> None:
    read = stores(tmp_path)
    chance = random.Random(1)
    events = [event for some in read for event in some]
    mixed = events + chance.sample(events, len(events))
    assert fold("cursor", mixed) == fold("cursor", events)
