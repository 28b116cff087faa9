"""The agents of a session of Claude Code are sessions of their own, told once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memd.adapter import ReadLimits, Source, ToolResult
from memd.fold import fold
from tests.unit.adapters.claude_rows import SESSION, Rows, events_of, read_on, row_id, source_of, tell_file


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
