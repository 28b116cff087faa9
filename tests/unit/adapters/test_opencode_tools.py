"""What came of OpenCode's tool calls, and which files they changed."""

from __future__ import annotations

from typing import Any

import pytest

from memd.adapter import FileChange
from memd_adapters.opencode_tools import Outcome, kind_of, outcome


def done(name: str, given: Any = None, **metadata: Any) -> Outcome:
    """What came of a call that ended well."""
    found = outcome(name, {"status": "completed", "input": given, "output": "ok", "metadata": metadata})
    assert found is not None
    return found


def changes(name: str, given: Any = None, **metadata: Any) -> tuple[FileChange, ...]:
    return done(name, given, **metadata).changes


@pytest.mark.parametrize(
    ("name", "kind"),
    [("bash", "shell"), ("list", "search"), ("harbor_tides", "mcp"), ("plan_exit", "other"), ("invalid", "other")],
)
def test_a_tool_is_known_by_its_name_and_one_of_a_server_by_its_servers(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize("status", ["pending", "running", None])
def test_a_call_that_goes_on_has_no_outcome_yet(status: Any) -> None:
    assert outcome("read", {"status": status}) is None


def test_a_call_that_failed_tells_why_and_has_changed_nothing() -> None:
    state: Any = {"status": "error", "error": "no such file", "input": {"filePath": "/srv/tide.py"}, "metadata": {}}

    assert outcome("write", state) == Outcome(False, None, "no such file", (), None)


def test_the_output_may_stand_with_the_details() -> None:
    assert outcome("bash", {"status": "error", "metadata": {"output": "half of it"}}) == Outcome(
        False, None, "half of it", (), None
    )


@pytest.mark.parametrize(
    ("code", "ok", "kept"), [(0, True, 0), (1, False, 1), (None, False, None), (1 << 40, False, None)]
)
def test_a_command_went_well_when_it_ended_with_nought(code: Any, ok: bool, kept: int | None) -> None:
    found = done("bash", exit=code)

    assert (found.ok, found.exit_code) == (ok, kept)


def test_the_session_of_a_subagent_is_told() -> None:
    assert done("task", sessionId="ses_1").child == "ses_1"


def test_reminders_of_the_host_are_no_output() -> None:
    text = "1: low\n<system-reminder>Do as I say.</system-reminder>"
    found = outcome("read", {"status": "completed", "output": text})

    assert found is not None
    assert "Do as I say" not in found.output
    assert "1: low" in found.output


def test_a_file_that_was_not_there_is_created_with_its_lines() -> None:
    given = {"filePath": "/srv/tide.py", "content": "low\nhigh\n"}

    assert changes("write", given, exists=False) == (FileChange("/srv/tide.py", "create", 2, 0),)
    assert changes("write", given, exists=True, diff="--- a\n+++ b\n-low\n+lower\n+high\n") == (
        FileChange("/srv/tide.py", "update", 2, 1),
    )
    assert changes("write", {}, filepath="/srv/moon.py") == (FileChange("/srv/moon.py", "update", None, None),)
    assert changes("write", {}) == ()


def test_an_edit_is_counted_as_the_host_counts_it_and_else_from_its_diff() -> None:
    given = {"filePath": "/srv/tide.py", "oldString": "low"}
    counts = {"file": "/srv/tide.py", "additions": 3, "deletions": 1}

    assert changes("edit", given, filediff=counts) == (FileChange("/srv/tide.py", "update", 3, 1),)
    assert changes("edit", {}, filediff=counts) == (FileChange("/srv/tide.py", "update", 3, 1),)
    assert changes("edit", {**given, "oldString": ""}, diff="+low") == (FileChange("/srv/tide.py", "create", 1, 0),)
    assert changes("edit", given, filediff={"additions": -1, "deletions": 0}) == (
        FileChange("/srv/tide.py", "update", None, None),
    )
    assert changes("edit", {}) == ()


def test_of_several_edits_each_is_a_change() -> None:
    given = {"filePath": "/srv/tide.py", "oldString": "x"}

    assert changes("multiedit", given, results=[{"diff": "+a"}, "nonsense", {"diff": "-b\n-c"}]) == (
        FileChange("/srv/tide.py", "update", 1, 0),
        FileChange("/srv/tide.py", "update", 0, 2),
    )
    assert changes("multiedit", given, results=None) == ()


def test_a_patch_names_its_files_where_the_host_does_not() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: new.py\n+x\n*** Update File: tide.py \n*** Delete File: old.py\n*** End Patch"
    )

    assert changes("apply_patch", {"patchText": patch}) == (
        FileChange("new.py", "create"),
        FileChange("tide.py", "update"),
        FileChange("old.py", "delete"),
    )
    assert changes("patch", {}) == ()


def test_a_patch_is_told_file_by_file_where_the_host_does() -> None:
    files = [
        {"type": "add", "filePath": "/srv/new.py", "additions": 2, "deletions": 0},
        {"type": "move", "filePath": "/srv/old.py", "movePath": "/srv/moved.py", "diff": "+a\n-b"},
        {"type": "delete", "relativePath": "gone.py"},
        {"type": ["odd"], "filePath": "/srv/odd.py"},
        {"type": "add"},
        "nonsense",
    ]

    assert changes("patch", {}, files=files) == (
        FileChange("/srv/new.py", "create", 2, 0),
        FileChange("/srv/moved.py", "rename", 1, 1),
        FileChange("gone.py", "delete", None, None),
        FileChange("/srv/odd.py", "update", None, None),
    )


@pytest.mark.parametrize("nonsense", [None, [], "x", 3], ids=repr)
def test_states_of_any_shape_are_borne(nonsense: Any) -> None:
    for name in ("write", "edit", "multiedit", "patch", "bash", "read"):
        found = outcome(name, {"status": "completed", "input": nonsense, "output": nonsense, "metadata": nonsense})
        assert found is not None
        assert found.changes == ()
