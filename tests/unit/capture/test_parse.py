from __future__ import annotations

import json
from pathlib import Path

import orjson

from memd.adapter import (
    Batch,
    ChainLink,
    Cursor,
    Event,
    FileChange,
    MessagePart,
    ReadLimits,
    SessionUpdate,
    Source,
    ToolResult,
    ToolUse,
    Withdrawn,
)
from memd.capture.cleaning import CLIPPED, LARGE, LARGE_CHARS, MOST_CHARS
from memd.capture.parse import ParseRequest, parse, prepared
from memd.store.calls import call_text
from memd.store.ingest import Prepared
from memd.text.tokens import prepare

SECRET = "-".join(["sk", "ant", "api03", "Zx9" * 10])


def part(text: str = "", **fields: object) -> MessagePart:
    given = {"session": "s", "message": "m", "part": "p", "seq": 1, "role": "user", "kind": "prompt", "at": None}
    return MessagePart(**{**given, "text": text, **fields})  # type: ignore[arg-type]


def made(*events: Event, state: str = "", skipped: dict[str, int] | None = None) -> Prepared:
    return prepared(Batch(events, Cursor(offset=9, state=state), skipped=skipped or {}))


def only(found: Prepared) -> Event:
    (event,) = found.batch.events
    return event


def test_text_without_secrets_stays_the_same_value() -> None:
    event = part("plain words", thinking="more", tool_calls=(ToolUse("c", "Bash", "shell", '{"command":"ls"}'),))
    assert only(made(event)) is event


def test_every_text_of_a_message_is_redacted() -> None:
    call = ToolUse("c", "Bash", "shell", json.dumps({"command": f"curl -H 'x-api-key: {SECRET}' u"}))
    found = only(made(part(f"use {SECRET}", thinking=f"it is {SECRET}", tool_calls=(call,))))
    assert isinstance(found, MessagePart)
    assert SECRET not in repr(found)
    assert "[redacted:" in found.text
    assert orjson.loads(found.tool_calls[0].input)["command"].startswith("curl")


def test_a_private_span_is_never_seen_again() -> None:
    found = only(made(part("before <private>between us</private> after")))
    assert isinstance(found, MessagePart)
    assert "between us" not in found.text
    assert found.text.startswith("before")


def test_a_private_span_goes_on_through_the_rows_of_its_message_and_no_further() -> None:
    rows = [part("one <private>two"), part("three", part="p2"), part("four</private> five", part="p3")]
    other = MessagePart("s", "m2", "p4", 4, "user", "prompt", None, text="six")
    found = made(*rows, other).batch.events
    assert [event.text for event in found if isinstance(event, MessagePart)] == [
        "one [private]",
        "",
        "[private] five",
        "six",
    ]


def test_ids_that_hold_a_secret_are_renamed_alike_wherever_they_are_seen() -> None:
    call = ToolUse(f"call {SECRET}", "Bash", "shell", "{}")
    found = made(
        part("plain", message=SECRET, tool_calls=(call,)),
        ToolResult("s", f"call {SECRET}", "r", 2, True, "done"),
        Withdrawn("s", (SECRET, "m9")),
    )
    assert SECRET not in repr(found)
    message, result, withdrawn = found.batch.events
    assert isinstance(message, MessagePart)
    assert isinstance(result, ToolResult)
    assert isinstance(withdrawn, Withdrawn)
    assert withdrawn.messages == (message.message, "m9")
    assert message.tool_calls[0].call_id == result.call_id != call.call_id
    assert found.bodies[1]  # the result found its call


def test_outputs_titles_and_the_cursors_state_are_redacted() -> None:
    found = made(
        ToolResult("s", "c", "p", 1, True, f"key={SECRET}"),
        SessionUpdate("s", title=f"about {SECRET}", branch=f"try/{SECRET}", cwd="/home/ada/shop"),
        state=json.dumps({"title": f"about {SECRET}", "rows": 3}),
    )
    assert SECRET not in repr(found)
    assert orjson.loads(found.batch.cursor.state)["rows"] == 3
    update = found.batch.events[1]
    assert isinstance(update, SessionUpdate)
    assert update.cwd == "/home/ada/shop"


def test_a_tool_input_that_is_no_json_is_redacted_as_text() -> None:
    call = ToolUse("c", "Bash", "shell", f"not json {SECRET}")
    assert SECRET not in repr(made(part(tool_calls=(call,))))


def test_search_terms_are_those_of_the_redacted_text() -> None:
    found = made(part(f"useAuthToken with {SECRET}"), part("plain"), ChainLink("s", "p", 2, None))
    first = found.batch.events[0]
    assert isinstance(first, MessagePart)
    assert found.bodies == (prepare(first.text), "plain", "")
    assert SECRET not in found.bodies[0]


def test_a_result_has_search_terms_when_its_call_is_there() -> None:
    call = ToolUse("c", "Bash", "shell", '{"command":"runTests"}')
    result = ToolResult("s", "c", "q", 2, True, "all passed")
    unknown = ToolResult("s", "d", "r", 3, True, "of an earlier batch")
    found = made(part("go", tool_calls=(call,)), result, unknown)
    assert found.bodies[1:] == (prepare(call_text(call.input, result.output)), "")


def test_a_large_message_is_kept_whole_and_counted() -> None:
    text = "word " * (LARGE_CHARS // 5) + "x"
    found = made(part(text), part("x" * LARGE_CHARS))
    event = found.batch.events[0]
    assert isinstance(event, MessagePart)
    assert event.text == text
    assert found.batch.skipped == {LARGE: 1}


def test_an_oversize_message_is_clipped_and_counted() -> None:
    text = "word " * (MOST_CHARS // 5) + "end"
    found = made(part(text), skipped={"torn line": 1})
    event = only(found)
    assert isinstance(event, MessagePart)
    assert event.text == f"{text[:MOST_CHARS]}\n[clipped: {len(text)} characters in all]"
    assert found.batch.skipped == {CLIPPED: 1, "torn line": 1}


def test_a_file_is_read_by_the_adapter_of_its_host(tmp_path: Path) -> None:
    session = "11111111-2222-4333-8444-555555555555"
    row = {
        "parentUuid": None,
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": f"remember {SECRET} please"},
        "uuid": "11111111-0000-4000-8000-000000000001",
        "timestamp": "2026-03-01T10:00:00.000Z",
        "cwd": "/home/ada/shop",
        "sessionId": session,
        "version": "2.1.0",
    }
    path = tmp_path / f"{session}.jsonl"
    path.write_text(json.dumps(row) + "\n")
    found = parse(ParseRequest(Source("claude_code", path, session), None, ReadLimits()))
    texts = [event.text for event in found.batch.events if isinstance(event, MessagePart)]
    assert texts
    assert texts[0].startswith("remember [redacted:")
    assert found.batch.cursor.offset == path.stat().st_size


def test_names_and_paths_and_reasons_are_redacted_too() -> None:
    call = ToolUse("c", f"mcp__{SECRET}", "other", "{}")
    found = made(
        part("said", model=SECRET, tool_calls=(call,)),
        ToolResult("s", "c", "p", 1, True, "done", changes=(FileChange(f"/home/ada/{SECRET}/a.c", "update"),)),
        SessionUpdate("s", model=SECRET),
        skipped={f"unknown row kind: {SECRET}": 2, f"unknown row kind: {SECRET[:-2]}": 1, "damaged line": 3},
    )
    assert SECRET[:20] not in repr(found)
    assert sum(found.batch.skipped.values()) == 6
    assert found.batch.skipped["damaged line"] == 3


def test_a_session_that_is_called_by_a_secret_is_called_otherwise_wherever_it_is_named() -> None:
    events: tuple[Event, ...] = (
        SessionUpdate(SECRET, cwd="/work"),
        SessionUpdate("s", parent=SECRET, forked_from=SECRET),
        part("a", session=SECRET),
        part("b", copied_from=SECRET),
        ToolResult("s", "c", "r", 3, ok=True, output="", child=SECRET),
        ChainLink(SECRET, "p2", 4, None),
    )
    found = made(*events, state=json.dumps({"session": SECRET, "line": 3}))
    first, second, said, copied, result, link = found.batch.events

    assert SECRET not in repr(found)
    assert isinstance(second, SessionUpdate)
    assert isinstance(copied, MessagePart)
    assert isinstance(result, ToolResult)
    named = {
        first.session,
        said.session,
        link.session,
        second.parent,
        second.forked_from,
        copied.copied_from,
        result.child,
    }
    assert named == {orjson.loads(found.batch.cursor.state)["session"]}
