"""What Claude Code's rows say: who speaks, what is called and what comes back."""

from __future__ import annotations

from pathlib import Path

from memd.adapter import ReadLimits
from memd.fold import fold
from memd_adapters.claude_code import ADAPTER
from tests.unit.adapters.claude_rows import Rows, events_of, read_on, source_of, tell_file, turn


def test_the_blocks_of_one_api_message_are_one_message(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    rows.block({"type": "thinking", "thinking": "First look.", "signature": "x"}, message="msg_a")
    rows.reply("Looking.", message="msg_a")
    rows.call("t1", "Bash", {"command": "ls"}, message="msg_a")
    rows.result("t1", "a.py", {"stdout": "a.py", "stderr": ""}, failed=False)
    rows.call("t2", "Bash", {"command": "false"}, message="msg_a")
    rows.result("t2", "Exit code 1", "Error: Exit code 1", failed=True)
    rows.reply("One file.", message="msg_b")
    prompt, reply, last = tell_file(rows.write(tmp_path)).messages
    assert (prompt.text, reply.text, reply.thinking, last.text) == ("go", "Looking.", "First look.", "One file.")
    assert [(call.call_id, call.ok, call.exit_code, call.output) for call in reply.tool_calls] == [
        ("t1", True, 0, "a.py"),
        ("t2", False, 1, ""),
    ]


def test_a_reply_without_an_id_stands_for_itself(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    rows.reply("one", message="none")
    rows.reply("two", message="none")
    assert tell_file(rows.write(tmp_path)).texts("reply") == ["one", "two"]


def test_a_gateway_that_gives_every_answer_the_same_id_does_not_merge_turns(tmp_path: Path) -> None:
    rows = Rows()
    for number in (1, 2, 3):
        rows.user(f"question {number}")
        rows.reply(f"answer {number}", message="chatcmpl-0")
        rows.reply(f"more {number}", message="chatcmpl-0")
    assert tell_file(rows.write(tmp_path)).texts("reply") == [f"answer {n}\n\nmore {n}" for n in (1, 2, 3)]


def test_results_in_any_order_find_their_calls(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    first = rows.call("t1", "Bash", {"command": "echo 1"}, message="m")
    second = rows.call("t2", "Bash", {"command": "echo 2"}, message="m")
    rows.result("t2", "2", parentUuid=second)
    rows.result("t1", "1", parentUuid=first)
    rows.reply("both", parentUuid=first)
    told = tell_file(rows.write(tmp_path))
    assert [call.output for call in told.messages[1].tool_calls] == ["1", "2"]
    assert not any(message.abandoned for message in told.messages)


def test_harness_rows_are_no_prompts(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("the only prompt")
    rows.user("<system-reminder>x</system-reminder>", isMeta=True)
    rows.user([{"type": "text", "text": "[Image: source: /tmp/x.png]"}], isMeta=True)
    rows.user("Base directory for this skill: /x", isMeta=True)
    rows.user("ping", origin={"kind": "channel"})
    rows.user("agent is done", promptSource="system", origin={"kind": "task-notification"})
    rows.user([{"type": "text", "text": "[Request interrupted by user for tool use]"}], rowSource="harness")
    rows.user("<local-command-caveat>x</local-command-caveat>", isMeta=True)
    rows.put("system", subtype="away_summary", content="You are building a harbour.")
    told = tell_file(rows.write(tmp_path))
    assert told.texts("prompt") == ["the only prompt"]
    assert told.texts("notice") == [
        "ping",
        "agent is done",
        "[Request interrupted by user for tool use]",
        "You are building a harbour.",
    ]


def test_a_command_and_its_output_are_one_message(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("<command-name>/compact</command-name>\n<command-message>compact</command-message>")
    rows.user("<local-command-stdout>Compacted</local-command-stdout>")
    rows.user("<bash-input>echo two</bash-input>")
    rows.user("<bash-stdout>two</bash-stdout><bash-stderr></bash-stderr>")
    rows.put("system", subtype="local_command", content="<command-name>/cost</command-name>")
    rows.put("system", subtype="local_command", content="<local-command-stdout>$1</local-command-stdout>")
    assert tell_file(rows.write(tmp_path)).texts("command") == [
        "/compact\n\nCompacted",
        "! echo two\n\ntwo",
        "/cost\n\n$1",
    ]


def test_a_prompt_typed_while_the_model_works_is_kept(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    queued = {"type": "queued_command", "commandMode": "prompt", "origin": {"kind": "human"}}
    rows.put("attachment", attachment=queued | {"prompt": "and use uv"})
    rows.put("attachment", attachment=queued | {"prompt": [{"type": "text", "text": "as blocks"}]})
    rows.put("attachment", attachment=queued | {"prompt": "pwd", "commandMode": "bash"})
    note = "<task-notification><summary>done</summary></task-notification>"
    rows.put("attachment", attachment=queued | {"prompt": note, "commandMode": "task-notification"})
    rows.put("attachment", attachment={"type": "date", "date": "2026-04-01"})
    told = tell_file(rows.write(tmp_path))
    assert told.texts("prompt") == ["do it", "and use uv", "as blocks"]
    assert told.texts("command") == ["! pwd"]
    assert told.texts("notice") == ["done"]


def test_images_are_noted_and_not_stored(tmp_path: Path) -> None:
    rows = Rows()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 9}}
    rows.user([{"type": "text", "text": "look"}, image])
    path = rows.write(tmp_path)
    assert tell_file(path).texts("prompt") == ["look\n\n[image]"]
    assert "iVBOR" not in repr(events_of(read_on(source_of(path))))


def test_blocks_of_every_kind_are_read(tmp_path: Path) -> None:
    rows = Rows()
    rows.user(["as a string", {"type": "document", "source": {}}, 7, {"type": "hologram"}])
    rows.block(
        {"type": "redacted_thinking", "data": "x"},
        {"type": "server_tool_use", "id": "w", "name": "web_search", "input": {"query": "tides"}},
        {"type": "web_search_tool_result", "tool_use_id": "w", "content": [{"type": "text", "text": "high"}]},
        {"type": "image", "source": {}},
        {"type": "tool_use", "name": "nameless call"},
    )
    rows.block({"type": "thinking", "thinking": "", "signature": "x"})
    rows.user([{"type": "tool_result", "content": "of no call"}])
    prompt, reply = tell_file(rows.write(tmp_path)).messages
    assert prompt.text == "as a string\n\n[document]"
    assert reply.text == "[image]"
    assert [(call.name, call.kind, call.output) for call in reply.tool_calls] == [("web_search", "web", "high")]


def test_calls_that_never_end_do_not_pile_up_in_the_cursor(tmp_path: Path) -> None:
    rows = Rows(version="1.0.128")
    rows.user("go")
    for number in range(400):
        rows.call(f"t{number}", "Task", {"prompt": f"task {number}"})
        rows.user(f"task {number}", isSidechain=True, parentUuid=None)
        rows.reply("one", isSidechain=True)
        rows.reply("two", isSidechain=True)
    batch = ADAPTER.read(source_of(rows.write(tmp_path)), None, ReadLimits())
    assert len(batch.cursor.state) < 128 << 10
    assert len(fold("claude_code", batch.events)) == 401


def test_errors_of_the_api_are_never_replies(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    rows.reply("API Error: 529 overloaded", isApiErrorMessage=True, model="<synthetic>")
    rows.reply("No response requested.", model="<synthetic>")
    told = tell_file(rows.write(tmp_path))
    assert (told.texts("reply"), told.texts("notice")) == ([], ["API Error: 529 overloaded"])
    assert told.session.model is None


def test_answers_given_in_a_dialog_are_prompts(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    rows.call("q", "AskUserQuestion", {"questions": [{"question": "Which store?"}]})
    details = {"questions": [{"question": "Which store?"}], "answers": {"Which store?": "SQLite"}}
    rows.result("q", 'The user answered: "Which store?"="SQLite"', details)
    told = tell_file(rows.write(tmp_path))
    assert told.texts("prompt") == ["go", '"Which store?"="SQLite"']
    assert told.messages[1].tool_calls[0].ok
