from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import ChainLink, Cursor, MessagePart, ReadLimits, SessionUpdate, Source, ToolResult
from memd.errors import TranscriptError
from memd.fold import fold
from memd_adapters.claude_code import ADAPTER
from tests.unit.adapters.claude_rows import OTHER, SESSION, Rows, events_of, read_on, row_id, source_of, tell_file


def turn(rows: Rows, asked: str = "do it", said: str = "done") -> None:
    rows.user(asked, origin={"kind": "human"}, promptSource="typed")
    rows.reply(said)


def test_a_session_is_told_with_its_folder_branch_model_and_version(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    session = tell_file(rows.write(tmp_path)).session
    assert (session.native_id, session.kind, session.cwd, session.branch) == (
        SESSION,
        "main",
        "/home/ada/harbor",
        "main",
    )
    assert (session.model, session.version, session.started_at) == ("claude-opus-5-5", "2.1.332", 1775037601000)


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


def test_a_compaction_leaves_one_session_with_a_summary(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    rows.put("system", subtype="compact_boundary", parentUuid=None, logicalParentUuid=rows.leaf, content="Compacted")
    rows.user("This session is being continued ... The harbour is small.", isCompactSummary=True)
    turn(rows, "next", "ok")
    told = tell_file(rows.write(tmp_path))
    assert [message.kind for message in told.messages] == ["prompt", "reply", "summary", "prompt", "reply"]
    assert not any(message.abandoned for message in told.messages)


def test_a_rewind_leaves_what_lies_between_abandoned(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows, "one", "first")
    back = rows.put("system", subtype="turn_duration", durationMs=1)
    turn(rows, "two", "wrong way")
    rows.put("attachment", attachment={"type": "date"})
    rows.user("three", parentUuid=back)
    rows.reply("right way")
    told = tell_file(rows.write(tmp_path))
    assert [(message.text, message.abandoned) for message in told.messages] == [
        ("one", False),
        ("first", False),
        ("two", True),
        ("wrong way", True),
        ("three", False),
        ("right way", False),
    ]


@pytest.mark.parametrize("parent", [row_id(999), row_id(3), None], ids=["phantom", "itself", "none"])
def test_a_broken_parent_is_no_rewind(tmp_path: Path, parent: str | None) -> None:
    rows = Rows()
    turn(rows)
    rows.user("next", parentUuid=parent)
    assert not any(message.abandoned for message in tell_file(rows.write(tmp_path)).messages)


def test_a_row_written_twice_counts_once(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    rows.rows += rows.rows
    assert len(tell_file(rows.write(tmp_path)).messages) == 2


def fork_of(rows: Rows, **fields: Any) -> Rows:
    fork = Rows(OTHER, first=100, clock=rows.clock + 600, leaf=rows.leaf)
    fork.rows = [row | {"sessionId": OTHER} | fields for row in rows.rows]
    return fork


def test_a_fork_is_known_by_rows_older_than_its_process(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    fork = fork_of(rows)
    fork.rows.insert(0, {"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-04-01T10:09:00.000Z"})
    turn(fork, "in the fork", "yes")
    first, second = tell_file(rows.write(tmp_path), fork.write(tmp_path)).transcripts
    assert (first.session.kind, second.session.kind) == ("main", "fork")
    assert [message.text for message in first.messages] == ["do it", "done"]
    assert [message.text for message in second.messages] == ["in the fork", "yes"]
    assert second.session.started_at == second.messages[0].at


def test_a_fork_of_old_versions_is_known_by_the_id_its_first_row_kept(tmp_path: Path) -> None:
    rows = Rows(version="2.0.76")
    turn(rows)
    fork = fork_of(rows)
    fork.rows[0]["sessionId"] = SESSION
    turn(fork, "in the fork", "yes")
    session = tell_file(fork.write(tmp_path)).session
    assert (session.native_id, session.kind, session.forked_from) == (OTHER, "fork", SESSION)


def test_a_session_continued_in_a_new_file_is_no_copy(tmp_path: Path) -> None:
    rows = Rows(OTHER, version="1.0.128", first=50)
    rows.rows.append({"type": "summary", "summary": "Of another session", "leafUuid": row_id(7)})
    rows.user("go on", sessionId=SESSION, parentUuid=row_id(7))
    rows.reply("yes", sessionId=SESSION)
    session = tell_file(rows.write(tmp_path)).session
    assert (session.kind, session.forked_from, session.title) == ("main", SESSION, None)
    assert session.cwd == "/home/ada/harbor"


def test_a_branch_names_the_session_it_left(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    branch = fork_of(rows)
    for row in branch.rows:
        row["forkedFrom"] = {"sessionId": SESSION, "messageUuid": row["uuid"]}
    turn(branch, "on the branch", "yes")
    path = branch.write(tmp_path)
    parts = [event for event in events_of(read_on(source_of(path))) if isinstance(event, MessagePart)]
    assert [part.copied_from for part in parts] == [SESSION, SESSION, None, None]
    first, second = tell_file(path, rows.write(tmp_path)).transcripts
    assert (first.session.kind, first.session.forked_from) == ("fork", SESSION)
    assert [message.text for message in first.messages] == ["on the branch", "yes"]
    assert [message.text for message in second.messages] == ["do it", "done"]


def test_a_fork_with_new_ids_is_linked_by_the_ids_it_was_made_from(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    fork = fork_of(rows)
    for number, row in enumerate(fork.rows):
        row["forkedFrom"] = {"sessionId": SESSION, "messageUuid": row["uuid"]}
        row["uuid"] = row_id(500 + number)
    turn(fork, "later", "yes")
    transcripts = tell_file(rows.write(tmp_path), fork.write(tmp_path)).transcripts
    assert [len(transcript.messages) for transcript in transcripts] == [2, 2]


def test_a_background_copy_is_told_as_such(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    copy = fork_of(rows, sessionKind="bg")
    turn(copy, "go on alone", "yes")
    transcripts = tell_file(rows.write(tmp_path), copy.write(tmp_path)).transcripts
    assert [(t.session.kind, len(t.messages)) for t in transcripts] == [("main", 2), ("background", 2)]


def test_a_name_given_by_the_person_outlasts_the_hosts(tmp_path: Path) -> None:
    rows = Rows()
    rows.note("ai-title", aiTitle="Made up")
    turn(rows)
    rows.note("custom-title", customTitle="harbour")
    rows.note("ai-title", aiTitle="Made up again")
    rows.note("custom-title", customTitle="tide")
    path = rows.write(tmp_path)
    assert tell_file(path).session.title == "tide"
    titles = [e for e in events_of(read_on(source_of(path))) if isinstance(e, SessionUpdate) and e.title]
    assert [(e.title, e.title_by_user) for e in titles] == [("Made up", False), ("harbour", True), ("tide", True)]


def test_a_moved_session_tells_its_new_folder(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    rows.note("relocated", relocatedCwd="/home/ada/quay")
    rows.cwd = "/home/ada/quay/deep"
    turn(rows)
    updates = [
        e.cwd for e in events_of(read_on(source_of(rows.write(tmp_path)))) if isinstance(e, SessionUpdate) and e.cwd
    ]
    assert updates == ["/home/ada/harbor", "/home/ada/quay", "/home/ada/quay/deep"]


def test_a_file_of_nothing_but_notes_makes_no_session(tmp_path: Path) -> None:
    rows = Rows()
    rows.note("custom-title", customTitle="empty")
    rows.note("mode", mode="normal")
    rows.put("attachment", attachment={"type": "environment"})
    events = events_of(read_on(source_of(rows.write(tmp_path))))
    assert [type(event) for event in events] == [ChainLink]


def subagent(tmp_path: Path, agent: str = "a2646945cc569a679") -> tuple[Path, Path]:
    rows = Rows()
    rows.user("count the piers")
    rows.call("t1", "Agent", {"prompt": "Read piers.txt", "subagent_type": "general-purpose"})
    rows.result("t1", [{"type": "text", "text": "three"}], {"status": "completed", "agentId": agent})
    rows.reply("Three.")
    path = rows.write(tmp_path)
    child = Rows(first=200)
    child.user("Read piers.txt", isSidechain=True, agentId=agent)
    child.call("c1", "Edit", {"file_path": "/a", "old_string": "x", "new_string": "y"}, isSidechain=True, agentId=agent)
    child.result("c1", "done", isSidechain=True, agentId=agent)
    child.reply("three", isSidechain=True, agentId=agent)
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    file = folder / f"agent-{agent}.jsonl"
    file.write_bytes(child.lines())
    meta = {"agentType": "general-purpose", "description": "Count the piers", "toolUseId": "t1"}
    (folder / f"agent-{agent}.meta.json").write_text(json.dumps(meta))
    return path, file


def test_a_subagent_is_a_session_of_its_own_below_its_parent(tmp_path: Path) -> None:
    parent, child = tell_file(*subagent(tmp_path)).transcripts
    assert (child.session.native_id, child.session.kind, child.session.parent) == (
        "a2646945cc569a679",
        "subagent",
        SESSION,
    )
    assert (child.session.agent, child.session.title) == ("general-purpose", "Count the piers")
    assert [message.text for message in child.messages] == ["Read piers.txt", "", "three"]
    assert child.messages[1].tool_calls[0].changes[0].path == "/a"
    assert [message.kind for message in parent.messages] == ["prompt", "reply", "reply"]


def test_the_call_that_started_a_subagent_names_it(tmp_path: Path) -> None:
    path, _ = subagent(tmp_path)
    (result,) = [e for e in events_of(read_on(source_of(path))) if isinstance(e, ToolResult)]
    assert result.child == "a2646945cc569a679"


def test_a_subagent_beside_its_parent_is_named_below_it(tmp_path: Path) -> None:
    child = Rows(version="2.0.76")
    child.user("Read piers.txt", isSidechain=True, agentId="a13f09c")
    child.reply("three", isSidechain=True, agentId="a13f09c")
    path = child.write(tmp_path, "agent-a13f09c.jsonl")
    source = Source("claude_code", path)
    (told,) = fold("claude_code", events_of(read_on(source)))
    assert (told.session.native_id, told.session.parent, told.session.kind) == (
        f"{SESSION}:a13f09c",
        SESSION,
        "subagent",
    )


@pytest.mark.parametrize("limits", [ReadLimits(), ReadLimits(batch_bytes=1)])
def test_a_warm_up_is_counted_once_and_makes_no_session(tmp_path: Path, limits: ReadLimits) -> None:
    child = Rows(version="2.0.76")
    child.user("Warmup", isSidechain=True, agentId="a13f09c")
    child.reply('{"title":"x"}', isSidechain=True, agentId="a13f09c")
    child.reply("more", isSidechain=True, agentId="a13f09c")
    told = tell_file(child.write(tmp_path, "agent-a13f09c.jsonl"), limits=limits)
    assert (told.transcripts, told.skipped) == ((), {"warm-up of a subagent": 1})


def test_subagents_among_their_parents_rows_are_sessions_of_their_own(tmp_path: Path) -> None:
    rows = Rows(version="1.0.128")
    rows.user("go")
    one = rows.call("t1", "Task", {"prompt": "first task"}, message="m")
    two = rows.call("t2", "Task", {"prompt": "second task"}, message="m")
    a = rows.user("first task", isSidechain=True, parentUuid=None)
    b = rows.user("second task", isSidechain=True, parentUuid=None)
    a2 = rows.reply("A says", isSidechain=True, parentUuid=a)
    b2 = rows.call("c", "Bash", {"command": "ls"}, isSidechain=True, parentUuid=b)
    rows.result("c", "x", isSidechain=True, parentUuid=b2)
    rows.reply("A ends", isSidechain=True, parentUuid=a2)
    rows.result("t2", "B", parentUuid=two)
    rows.result("t1", "A", parentUuid=one)
    rows.reply("both are done")
    path = rows.write(tmp_path)
    parent, first, second = tell_file(path).transcripts
    assert [message.text for message in parent.messages] == ["go", "", "both are done"]
    assert [message.text for message in first.messages] == ["first task", "A says", "A ends"]
    assert (first.session.native_id, first.session.parent) == (f"{SESSION}:{a}", SESSION)
    assert second.messages[1].tool_calls[0].output == "x"
    children = {
        e.call_id: e.child for e in events_of(read_on(source_of(path))) if isinstance(e, ToolResult) and e.child
    }
    assert children == {"t1": f"{SESSION}:{a}", "t2": f"{SESSION}:{b}"}


def test_progress_repeats_nothing(tmp_path: Path) -> None:
    rows = Rows(version="2.1.63")
    rows.user("go")
    inner = {"type": "user", "message": {"role": "user", "content": "Review it"}, "uuid": row_id(777)}
    rows.put("progress", data={"type": "agent_progress", "message": inner, "agentId": "a1"}, parentToolUseID="t")
    rows.reply("done")
    assert [message.text for message in tell_file(rows.write(tmp_path)).messages] == ["go", "done"]


def test_what_was_never_seen_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = Rows(version="3.0.0")
    turn(rows)
    rows.note("hologram", content="x")
    rows.note("hologram", content="y")
    rows.put("system", subtype="teleport", content="x")
    rows.put("user", message="absent")
    rows.rows.append({"no": "type"})
    told = tell_file(rows.write(tmp_path))
    assert [message.text for message in told.messages] == ["do it", "done"]
    assert told.skipped == {
        "unknown version: 3.0.0": 1,
        "unknown row kind: hologram": 2,
        "unknown row kind: system/teleport": 1,
        "row without a message": 1,
        "row without a type": 1,
    }


def test_odd_shapes_of_a_message_are_read(tmp_path: Path) -> None:
    rows = Rows()
    rows.put("user", message={"role": "user", "content": {"0": "h", "1": "i"}})
    rows.put("user", message={"0": "y", "1": "o"})
    rows.put("user", message="plain")
    rows.put("assistant", message={"role": "assistant", "content": "as a string", "id": "m"})
    told = tell_file(rows.write(tmp_path))
    assert (told.texts("prompt"), told.texts("reply")) == (["hi", "yo", "plain"], ["as a string"])


def test_a_row_without_an_id_is_told_once_however_often_it_is_read(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("hello", uuid="absent")
    rows.reply("yes")
    path = rows.write(tmp_path)
    events = events_of(read_on(source_of(path))) * 2
    (told,) = fold("claude_code", events)
    assert [message.text for message in told.messages] == ["hello", "yes"]


def test_nul_characters_do_not_reach_the_store(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("a\0b")
    assert tell_file(rows.write(tmp_path)).texts("prompt") == ["a\ufffdb"]


def test_a_last_row_without_its_newline_is_told_and_told_no_second_time(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    path = rows.write(tmp_path)
    path.write_bytes(rows.lines()[:-1])
    source = source_of(path)
    first = ADAPTER.read(source, None, ReadLimits())
    with path.open("ab") as file:
        file.write(b"\n")
    second = ADAPTER.read(source, first.cursor, ReadLimits())
    (early,) = fold("claude_code", first.events)
    (both,) = fold("claude_code", first.events + second.events)
    assert [message.text for message in early.messages] == ["do it", "done"]
    assert early == both


def test_a_rewritten_file_repeats_nothing(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    path = rows.write(tmp_path)
    first = ADAPTER.read(source_of(path), None, ReadLimits())
    turn(rows, "later", "yes")
    del rows.rows[0]
    again = Path(tmp_path / "new")
    again.write_bytes(rows.lines())
    again.replace(path)
    second = ADAPTER.read(source_of(path), first.cursor, ReadLimits())
    assert second.restarted
    (told,) = fold("claude_code", first.events + second.events)
    assert Counter(message.text for message in told.messages) == Counter(["do it", "done", "later", "yes"])


def test_a_file_that_is_no_transcript_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text("no json\nat all\n")
    with pytest.raises(TranscriptError, match="is no transcript of Claude Code"):
        ADAPTER.read(Source("claude_code", path, SESSION), None, ReadLimits())


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(b"")
    batch = ADAPTER.read(Source("claude_code", path, SESSION), None, ReadLimits())
    assert (batch.events, batch.more, batch.lines) == ((), False, 0)


def test_a_cursor_of_an_unknown_state_is_no_obstacle(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    path = rows.write(tmp_path)
    whole = ADAPTER.read(source_of(path), None, ReadLimits(batch_bytes=1))
    cursor = whole.cursor
    for state in ("", "{", "[]", '{"calls":{"x":3}}', '{"unknown":1}'):
        odd = Cursor(cursor.offset, cursor.size, cursor.inode, cursor.mtime_ns, cursor.head, cursor.tail, state)
        assert ADAPTER.read(source_of(path), odd, ReadLimits()).events


KEYS = (
    "uuid parentUuid message content id model type text thinking tool_use_id is_error name input toolUseResult stdout"
    " isSidechain isMeta isCompactSummary agentId attachment prompt commandMode subtype timestamp cwd version gitBranch"
    " sessionId sessionKind forkedFrom messageUuid origin kind promptSource customTitle relocatedCwd filePath"
    " structuredPatch lines bashEditDiff files answers questions persistedOutputSize 0 1"
).split()
TYPES = ["user", "assistant", "system", "attachment", "progress", "custom-title", "relocated", "queue-operation", "?"]
WORDS = [
    *TYPES,
    *"text tool_use tool_result thinking image local_command queued_command prompt Warmup Task Edit Bash x".split(),
    "",
    "Exit code 7",
    "2026-04-01T10:00:00Z",
    "<bash-input>ls</bash-input>",
    "<command-name>/x</command-name>",
    "<local-command-stdout>x</local-command-stdout>",
]
SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)
ROWS = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | SHAPES}, optional={key: SHAPES for key in KEYS if key != "type"}
)


# Making up a row takes longer than reading it: fewer of them, so that a busy machine is done in time.
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rows=st.lists(ROWS, max_size=4), agent=st.booleans())
def test_rows_of_any_shape_are_borne(tmp_path: Path, rows: list[dict[str, Any]], agent: bool) -> None:
    path = tmp_path / ("agent-a13f09c.jsonl" if agent else f"{SESSION}.jsonl")
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    source = Source("claude_code", path, None if agent else SESSION)
    events = events_of(read_on(source))
    assert fold("claude_code", events_of(read_on(source, limits=ReadLimits(batch_bytes=1)))) == fold(
        "claude_code", events
    )
