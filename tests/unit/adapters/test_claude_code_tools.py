from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.adapter import FileChange, ToolKind
from memd_adapters.claude_code_tools import (
    changes_of,
    content_text,
    kind_of,
    outcome,
    own_words,
    planned_change,
)
from memd_adapters.shaping import INPUT_CHARS, OUTPUT_CHARS, head_and_tail, input_text

PATCH: Any = [{"oldStart": 1, "lines": [" def f():", "-    return 1", "+    return 2", "+    # done"]}]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Bash", "shell"),
        ("MultiEdit", "edit"),
        ("Write", "write"),
        ("Task", "agent"),
        ("Agent", "agent"),
        ("TaskUpdate", "todo"),
        ("mcp__memd__recall", "mcp"),
        ("AskUserQuestion", "other"),
    ],
)
def test_tools_have_a_kind(name: str, kind: ToolKind) -> None:
    assert kind_of(name) == kind


def test_an_input_stays_as_it_is_while_it_is_small() -> None:
    given_input: Any = {"command": "ls", "n": 1, "é": None}
    assert json.loads(input_text(given_input)) == given_input


def test_a_large_input_keeps_the_start_of_its_strings() -> None:
    text = input_text({"file_path": "/home/ada/a.py", "content": "word " * 50_000})
    read = json.loads(text)
    assert len(text) <= INPUT_CHARS
    assert read["file_path"] == "/home/ada/a.py"
    assert read["content"].startswith("word word")
    assert read["content"].endswith("[cut: 250000 characters in all]")


def test_an_input_of_very_many_items_is_bounded() -> None:
    edits: Any = [{"old_string": "x" * 3000, "new_string": "y" * 3000} for _ in range(500)]
    text = input_text({"edits": edits, "file_path": "a"})
    assert len(text) <= INPUT_CHARS
    assert json.loads(text)["file_path"] == "a"


def test_an_input_of_any_depth_and_width_stays_valid_json() -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = [deep]
    assert json.loads(input_text({"deep": deep, "path": "/a"}))["path"] == "/a"
    wide: Any = {f"k{n}" * 40: {f"j{m}" * 40: ["v" * 300] * 30 for m in range(30)} for n in range(30)}
    assert len(input_text(wide)) <= INPUT_CHARS
    assert "cut" in json.loads(input_text(wide))


def test_a_long_output_keeps_its_head_and_its_tail() -> None:
    text = "first\n" + "filler line\n" * 5000 + "last"
    cut = head_and_tail(text, OUTPUT_CHARS)
    assert cut.startswith("first\n")
    assert cut.endswith("\nlast")
    assert "[cut: " in cut
    assert len(cut) <= 2 * OUTPUT_CHARS + 100


def result(content: Any, *, failed: bool | None = None) -> dict[str, Any]:
    return {"type": "tool_result", "content": content} | ({} if failed is None else {"is_error": failed})


def test_a_shell_command_that_went_well_has_exit_code_zero() -> None:
    came = outcome(result("one\n", failed=False), {"stdout": "one", "stderr": ""}, "shell", None)
    assert (came.ok, came.exit_code, came.output) == (True, 0, "one")


@pytest.mark.parametrize("details", ["Error: Exit code 2\nls: no such file", None, {"stdout": ""}])
def test_a_failed_command_tells_its_exit_code_in_words(details: Any) -> None:
    came = outcome(result("Exit code 2\nls: no such file", failed=True), details, "shell", None)
    assert (came.ok, came.exit_code, came.output) == (False, 2, "ls: no such file")


def test_a_failed_command_of_old_versions_tells_no_exit_code() -> None:
    came = outcome(result("ls: no such file", failed=True), "Error: ls: no such file", "shell", None)
    assert (came.ok, came.exit_code, came.output) == (False, None, "ls: no such file")


@pytest.mark.parametrize(
    "details", [{"stdout": "", "backgroundTaskId": "b1"}, {"stdout": "", "returnCodeInterpretation": "No matches"}]
)
def test_a_command_that_did_not_simply_end_well_has_no_exit_code(details: Any) -> None:
    came = outcome(result("x"), details, "shell", None)
    assert (came.ok, came.exit_code) == (True, None)


def test_an_interrupted_command_is_not_well() -> None:
    assert outcome(result("x"), {"stdout": "", "interrupted": True}, "shell", None).ok is False


def test_the_wrapping_of_errors_reminders_and_stored_outputs_is_taken_off() -> None:
    refused = outcome(
        result("<tool_use_error>File has not been read yet.</tool_use_error>", failed=True), None, "edit", None
    )
    assert refused.output == "File has not been read yet."
    assert content_text("     1→x\n\n<system-reminder>\nWhenever you read\n</system-reminder>\n").strip() == "1→x"
    told = "Output too large (195.3KB). Full output saved to: /x/b1.txt\n\nPreview"
    stored = f"<persisted-output>\n{told}\n</persisted-output>"
    came = outcome(result(stored), {"stdout": "A", "persistedOutputSize": 200_001}, "shell", None)
    assert came.output == told
    assert came.output_chars == 200_001


def test_images_and_references_are_noted() -> None:
    blocks: Any = [
        {"type": "text", "text": "see"},
        {"type": "image", "source": {"data": "iVBORw0KGgo"}},
        {"type": "document", "source": {}},
        {"type": "tool_reference", "tool_name": "WebFetch"},
        {"type": "hologram"},
        {"type": "web_search_result", "title": "Docs", "url": "https://example.org"},
        "loose",
        7,
    ]
    assert content_text(blocks) == "see\n[image]\n[document]\n[tool: WebFetch]\nDocs https://example.org\nloose"


def test_an_edit_counts_its_lines() -> None:
    assert changes_of({"filePath": "/a", "structuredPatch": PATCH, "originalFile": "x"}) == (
        FileChange("/a", "update", 2, 1),
    )


def test_a_new_file_counts_all_its_lines() -> None:
    created: Any = {"type": "create", "filePath": "/a", "content": "1\n2\n3", "structuredPatch": []}
    assert changes_of(created) == (FileChange("/a", "create", 3, 0),)
    by_edit: Any = {"filePath": "/a", "oldString": "", "originalFile": None, "structuredPatch": [{"lines": ["+1"]}]}
    assert changes_of(by_edit) == (FileChange("/a", "create", 1, 0),)


def test_a_notebook_edit_is_a_change_without_counts() -> None:
    assert changes_of({"notebook_path": "/a.ipynb", "new_source": "x"}) == (FileChange("/a.ipynb", "update"),)
    assert changes_of({"notebook_path": "/a.ipynb", "error": "no such cell"}) == ()


def test_files_changed_by_a_command_are_changes() -> None:
    diff: Any = {
        "files": [
            {"filePath": "/b.py", "hunks": [{"lines": ["-import os", "-x = 10"]}], "deleted": True},
            {"filePath": "/c.py", "hunks": [{"lines": ["+x"]}], "created": True},
        ],
        "changedFiles": ["/b.py", "/c.py", "/d.py"],
    }
    assert changes_of({"stdout": "", "bashEditDiff": diff}) == (
        FileChange("/b.py", "delete", 0, 2),
        FileChange("/c.py", "create", 1, 0),
        FileChange("/d.py", "update"),
    )


def test_a_read_changes_nothing() -> None:
    assert changes_of({"type": "text", "file": {"filePath": "/a", "content": "x"}}) == ()


def test_without_a_structured_result_the_call_itself_tells_the_change() -> None:
    edit = planned_change("Edit", {"file_path": "/a", "old_string": "1", "new_string": "1\n2"})
    assert edit == FileChange("/a", "update", 2, 1)
    edits: Any = [{"old_string": "", "new_string": "x\n"}] * 2
    multi = planned_change("MultiEdit", {"file_path": "/a", "edits": edits})
    assert multi == FileChange("/a", "update", 2, 0)
    assert outcome(result("done"), None, "edit", edit).changes == (edit,)
    assert outcome(result("no", failed=True), None, "edit", edit).changes == ()
    assert planned_change("Bash", {"command": "rm a"}) is None
    assert planned_change("Write", {"content": "no path"}) is None
    assert planned_change("Write", {"file_path": "/a"}) == FileChange("/a", "update")
    assert planned_change("NotebookEdit", {"notebook_path": "/a.ipynb"}) == FileChange("/a.ipynb", "update")


def test_an_answer_in_a_dialog_is_the_persons() -> None:
    details: Any = {"questions": [{"question": "Which store?"}], "answers": {"Which store?": "SQLite", "When?": ""}}
    assert own_words(details, result("ok")) == '"Which store?"="SQLite"'


def test_why_a_call_was_turned_down_is_the_persons() -> None:
    text = "The tool use was rejected. To tell you how to proceed, the user said:\nuse uv, not pip"
    assert own_words("Error: x", result(text, failed=True)) == "use uv, not pip"
    assert own_words(None, result(text)) == ""


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["type", "filePath", "structuredPatch", "lines", "bashEditDiff", "files", "stdout", "content", "text"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(json_values, json_values)
def test_any_shape_of_a_result_is_borne(content: Any, details: Any) -> None:
    came = outcome({"content": content, "is_error": bool(details)}, details, None, None)
    assert isinstance(came.output, str)
    assert isinstance(own_words(details, {"content": content, "is_error": True}), str)
    assert isinstance(json.loads(input_text(details)), object)
