from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import FileChange, ToolKind
from memd_adapters.codex_patch import patch_changes, reported_changes
from memd_adapters.codex_text import content_text, prompt_text
from memd_adapters.codex_tools import Outcome, arguments_of, kind_of, outcome, script_commands
from memd_adapters.jsonl_rows import Json
from tests.unit.adapters.rollouts import FOLDER, OTHER, Rollout, read, tell_rows


def begun(**shape: Any) -> Rollout:
    rollout = Rollout(**shape)
    rollout.head()
    rollout.ask("go")
    return rollout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"output":"a\\n","metadata":{"exit_code":2,"duration_seconds":0.1}}', Outcome("a\n", False, 2)),
        ("Exit code: 0\nWall time: 0.1 seconds\nOutput:\na\n", Outcome("a\n", True, 0)),
        ("Exit code: 1\nWall time: 2 seconds\nTotal output lines: 900\nOutput:\na\n", Outcome("a\n", False, 1)),
        ("Chunk ID: 0a\nWall time: 0.1 seconds\nProcess exited with code -9\nOutput:\n", Outcome("", False, -9)),
        (
            "Chunk ID: 0a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\na",
            Outcome("a", None, None, "7"),
        ),
        (
            "Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nDone",
            Outcome("Done", True, 0),
        ),
        ("Script completed\nWall time 0.2 seconds\nOutput:\n--- a ---", Outcome("--- a ---")),
        ("Script failed\nWall time 0.2 seconds\nOutput:\nTypeError", Outcome("TypeError", False)),
        (
            'Script completed\nWall time 0.2 seconds\nOutput:\n{"chunk_id":"f","exit_code":1,"output":"no\\n"}',
            Outcome("no\n", False, 1),
        ),
        ("unsupported call: update_plan", Outcome("unsupported call: update_plan", False)),
        ("aborted by user after 1.5s", Outcome("aborted by user after 1.5s", False)),
        ("Plan updated", Outcome("Plan updated", True)),
        ('{"agents":[]}', Outcome('{"agents":[]}')),
        ('{"output": 7, "metadata": 1}', Outcome('{"output": 7, "metadata": 1}')),
        ("{torn", Outcome("{torn")),
        ("Process of thinking\nOutput:\nx", Outcome("Process of thinking\nOutput:\nx")),
        ("", Outcome("")),
    ],
)
def test_an_output_tells_how_the_call_went(text: str, expected: Outcome) -> None:
    assert outcome(text) == expected


def test_a_patch_names_its_files_and_counts_its_lines() -> None:
    patch = """*** Begin Patch
*** Add File: new.py
+one
+two
*** Update File: ./old.py
*** Move to: moved.py
@@ def f():
-    return 1
+    return 2
 context
*** Delete File: /abs/gone.py
*** Update File: C:\\code\\a.py
-x
*** End Patch
+after"""
    assert patch_changes(patch, "/home/ada/harbor") == (
        FileChange("/home/ada/harbor/new.py", "create", 2, 0),
        FileChange("/home/ada/harbor/moved.py", "rename", 1, 1),
        FileChange("/abs/gone.py", "delete"),
        FileChange("C:\\code\\a.py", "update", 0, 1),
    )
    assert patch_changes("echo hello", None) == ()
    assert patch_changes("*** Begin Patch\n*** Add File: a\n+x", None) == (FileChange("a", "create", 1, 0),)


def test_changes_the_host_reports_are_taken_as_they_are() -> None:
    changes: Json = {
        "/w/a.py": {"type": "add", "content": "x\ny\n"},
        "/w/b.py": {
            "type": "update",
            "unified_diff": "--- a\n+++ b\n@@ -1,2 +1,2 @@\n f\n--- x\n+y\n+z\n",
            "move_path": None,
        },
        "/w/c.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x\n+y\n", "move_path": "/w/d.py"},
        "/w/e.py": {"type": "delete", "content": "x\n"},
        "/w/f.py": {"add": {"content": "x"}},
        "/w/g.py": "odd",
    }
    assert reported_changes(changes, None) == (
        FileChange("/w/a.py", "create", 2, 0),
        FileChange("/w/b.py", "update", 2, 1),
        FileChange("/w/d.py", "rename", 1, 1),
        FileChange("/w/e.py", "delete", 0, 1),
        FileChange("/w/f.py", "create", 1, 0),
    )
    assert reported_changes(None, None) == ()


@pytest.mark.parametrize(
    ("name", "namespace", "kind"),
    [
        ("shell", None, "shell"),
        ("exec_command", None, "shell"),
        ("apply_patch", None, "edit"),
        ("update_plan", None, "todo"),
        ("spawn_agent", "collaboration", "agent"),
        ("mcp__docs__search", None, "mcp"),
        ("search", "mcp__docs__", "mcp"),
        ("web_search", None, "web"),
        ("something", None, "other"),
    ],
)
def test_tools_have_kinds(name: str, namespace: str | None, kind: ToolKind) -> None:
    assert kind_of(name, namespace) == kind


def test_arguments_that_are_no_json_are_kept_as_text() -> None:
    assert arguments_of('{"cmd":"ls"}') == {"cmd": "ls"}
    assert arguments_of('{"cmd": torn') == {"arguments": '{"cmd": torn'}
    assert arguments_of("null") == {}
    assert arguments_of(None) == {}


def test_a_script_tells_the_commands_it_gives_as_literals() -> None:
    script = 'const a=[{label:"x", cmd:"git status"}, {cmd:`ls -l`}];\n'
    script += 'await tools.exec_command({"cmd":"echo \\"hi\\"",tty:true});'
    assert script_commands(script) == ["git status", "ls -l", 'echo "hi"']
    assert script_commands("tools.exec_command({cmd:`cat ${file}`})") == []
    assert script_commands('text("no command here", {cmd:"x"})') == []


def test_content_is_text_and_marks_for_images() -> None:
    parts: Json = [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "data:..."}, 7, None]
    assert content_text(parts) == "a\n[image]"
    assert (
        content_text([{"type": "input_text", "text": "head\n"}, {"type": "input_text", "text": "body"}]) == "head\nbody"
    )
    assert content_text(None) == ""


@pytest.mark.parametrize(
    "text", ["<user_instructions>x</user_instructions>", "# AGENTS.md instructions for /x\n\ny", " <skill>x"]
)
def test_host_texts_are_no_words_of_the_person(text: str) -> None:
    assert prompt_text(text) == ""


def test_a_process_that_goes_on_tells_its_end_to_the_call_that_started_it(tmp_path: Path) -> None:
    rollout = begun()
    rollout.call("c1", "exec_command", {"cmd": "make watch"})
    rollout.output("c1", "Chunk ID: 0a\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\nfirst\n")
    rollout.call("c2", "write_stdin", {"session_id": 7, "chars": ""})
    rollout.output("c2", "Process running with session ID 7\nOutput:\n")
    rollout.call("c3", "write_stdin", {"session_id": 7, "chars": "q"})
    rollout.output("c3", "Process exited with code 2\nOutput:\nlast\n")
    first, second, third = tell_rows(tmp_path, rollout).calls
    assert (first.ok, first.exit_code, first.output) == (False, 2, "first\nlast\n")
    assert (second.ok, second.exit_code) == (None, None)
    assert (third.ok, third.exit_code, third.output) == (False, 2, "last\n")


def test_a_completed_command_tells_its_exit_code_before_or_after_the_output(tmp_path: Path) -> None:
    rollout = begun(paginated=True)
    ended = {"command": ["/bin/bash", "-lc", "x"], "status": "failed", "aggregated_output": "long\n", "exit_code": 3}
    rollout.call("c1", "exec_command", {"cmd": "x"})
    rollout.completed("CommandExecution", id="c1", **ended)
    rollout.output("c1", "Wall time: 1 seconds\nOutput:\nshort\n")
    rollout.call("c2", "exec_command", {"cmd": "x"})
    rollout.output("c2", "Process running with session ID 9\nOutput:\n")
    rollout.completed("CommandExecution", id="c2", **ended)
    first, second = tell_rows(tmp_path, rollout).calls
    assert (first.ok, first.exit_code, first.output) == (False, 3, "short\n")
    assert (second.ok, second.exit_code, second.output) == (False, 3, "long\n")


def test_a_command_of_which_only_the_end_is_known_waits_for_no_output(tmp_path: Path) -> None:
    rollout = begun(paginated=True)
    rollout.call("c1", "exec_command", {"cmd": "x"})
    rollout.completed("CommandExecution", id="c1", command=["x"], aggregated_output="out", exit_code=0)
    (call,) = tell_rows(tmp_path, rollout).calls
    assert (call.ok, call.exit_code, call.output) == (True, 0, "out")


def test_events_of_older_files_tell_how_calls_ended(tmp_path: Path) -> None:
    rollout = begun()
    rollout.call("c1", "shell", {"command": ["x"]})
    rollout.event("exec_command_end", call_id="c1", command=["x"], stdout="o", stderr="e", exit_code=1)
    rollout.item(
        type="custom_tool_call", name="apply_patch", call_id="c2", input="*** Begin Patch\n*** Add File: a\n+x\n"
    )
    rollout.event("patch_apply_end", call_id="c2", success=False, changes={"/w/a": {"type": "add", "content": "x"}})
    rollout.output("c2", "patch rejected by user", "custom_tool_call_output")
    rollout.call("c3", "mcp__docs__search", {"q": "x"})
    result = {"Ok": {"content": [{"type": "text", "text": "no"}], "is_error": True}}
    rollout.event("mcp_tool_call_end", call_id="c3", invocation={"server": "docs", "tool": "search"}, result=result)
    rollout.output("c3", [{"type": "input_text", "text": "no"}])
    rollout.event(
        "exec_command_end", call_id="u1", command=["bash", "-lc", "ls"], stdout="a\n", exit_code=0, source="user_shell"
    )
    told = tell_rows(tmp_path, rollout)
    assert [(call.ok, call.exit_code, call.changes) for call in told.calls] == [
        (False, 1, ()),
        (False, None, ()),
        (False, None, ()),
    ]
    assert told.texts("command") == ["! ls\n\na"]


def test_a_patch_in_a_shell_line_and_a_failed_one(tmp_path: Path) -> None:
    rollout = begun()
    patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch\nEOF"
    for number, code in ((1, 0), (2, 1)):
        rollout.call(f"c{number}", "shell", {"command": ["bash", "-lc", patch], "workdir": "/w"})
        rollout.output(f"c{number}", json.dumps({"output": "", "metadata": {"exit_code": code}}))
    good, bad = tell_rows(tmp_path, rollout).calls
    assert good.kind == "edit"
    assert [(change.path, change.op, change.added, change.removed) for change in good.changes] == [
        ("/w/a.py", "update", 1, 1)
    ]
    assert bad.changes == ()


def test_a_script_is_a_shell_call_and_its_edit_is_told(tmp_path: Path) -> None:
    rollout = begun()
    script = 'text(await tools.exec_command({cmd:"uv sync"}));'
    rollout.item(type="custom_tool_call", name="exec", call_id="c1", input=script)
    rollout.event("exec_command_end", call_id="exec-1", command=["uv", "sync"], exit_code=0, stdout="")
    body = [
        {"type": "input_text", "text": "Script completed\nWall time 1 seconds\nOutput:\n"},
        {"type": "input_text", "text": "ok"},
    ]
    rollout.output("c1", body, "custom_tool_call_output")
    patch = 'const p = "*** Begin Patch\\n*** Add File: a.py\\n+x\\n*** End Patch"; await tools.apply_patch(p);'
    rollout.item(type="custom_tool_call", name="exec", call_id="c2", input=patch)
    rollout.event(
        "patch_apply_end", call_id="exec-2", success=True, changes={f"{FOLDER}/a.py": {"type": "add", "content": "x\n"}}
    )
    rollout.output("c2", body, "custom_tool_call_output")
    rollout.item(type="custom_tool_call", name="exec", call_id="c3", input="await run(tools.exec_command, list)")
    rollout.event("exec_command_end", call_id="exec-3", command=["bash", "-lc", "uv run x"], exit_code=1, stdout="no")
    rollout.output("c3", body, "custom_tool_call_output")
    calls = tell_rows(tmp_path, rollout).calls
    assert [(call.kind, json.loads(call.input).get("commands"), call.output) for call in calls[:1]] == [
        ("shell", ["uv sync"], "ok")
    ]
    assert [change.path for change in calls[1].changes] == [f"{FOLDER}/a.py"]
    assert [(call.name, call.input, call.ok, call.exit_code) for call in calls[3:]] == [
        ("exec_command", '{"command":"uv run x"}', False, 1)
    ]


def test_a_call_that_starts_an_agent_names_the_agents_session(tmp_path: Path) -> None:
    rollout = begun()
    rollout.call("c1", "spawn_agent", {"message": "look"})
    rollout.output("c1", json.dumps({"agent_id": OTHER, "nickname": "Russell"}))
    rollout.call("c2", "spawn_agent", {"message": "look", "task_name": "x"}, namespace="collaboration")
    rollout.event("sub_agent_activity", event_id="c2", agent_thread_id=OTHER, kind="started")
    rollout.output("c2", '{"task_name":"/look/x"}')
    events, _ = read(rollout.write(tmp_path))
    assert [event.child for event in events if hasattr(event, "child")] == [OTHER, OTHER]


def test_answers_to_questions_are_the_persons_words(tmp_path: Path) -> None:
    rollout = begun()
    rollout.call("c1", "request_user_input", {"questions": [{"id": "store", "question": "Which store?"}]})
    rollout.output("c1", json.dumps({"answers": {"store": {"answers": ["SQLite"]}}}))
    assert tell_rows(tmp_path, rollout).texts("prompt") == ["go", '"Which store?"="SQLite"']


def test_web_searches_and_local_shell_calls_are_calls(tmp_path: Path) -> None:
    rollout = begun()
    rollout.item(type="web_search_call", status="completed", action={"type": "search", "query": "uv"})
    action = {"type": "exec", "command": ["bash", "-lc", "ls"]}
    rollout.item(type="local_shell_call", call_id="c1", status="completed", action=action)
    rollout.output("c1", json.dumps({"output": "a", "metadata": {"exit_code": 0}}))
    web, shell = tell_rows(tmp_path, rollout).calls
    assert (web.kind, json.loads(web.input)["query"], web.ok) == ("web", "uv", None)
    assert (shell.kind, shell.exit_code) == ("shell", 0)


def test_a_name_with_a_nul_is_borne(tmp_path: Path) -> None:
    rollout = begun()
    rollout.call("c1", "she\0ll", {"command": ["x"]})
    (call,) = tell_rows(tmp_path, rollout).calls
    assert call.name == "shell"
