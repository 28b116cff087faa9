"""Who speaks in a user message of Cline's, and what came of the calls the model wrote."""

from __future__ import annotations

import pytest

from memd.adapter import FileChange
from memd_adapters.cline_tools import calls_in_text, diff_counts, kind_of, outcome, planned_changes, shell_output
from memd_adapters.cline_words import tell
from memd_adapters.jsonl_rows import Row

DETAILS = "<environment_details>\n# Current Working Directory (/home/ada/harbor) Files\na.py\n</environment_details>"
DENIED = "The user denied this operation and provided the following feedback:\n"


def test_the_persons_words_stand_in_the_hosts_tags() -> None:
    said = tell(["<task>\nfix it\n</task>\n\n# task_progress RECOMMENDED\n- [ ] do", DETAILS], first=True)
    assert (said.words, said.notices, said.results, said.cwd) == (["fix it"], [], [], "/home/ada/harbor")


@pytest.mark.parametrize(
    "text",
    [
        "[ERROR] You did not use a tool in your previous response!",
        "# TODO LIST UPDATE REQUIRED",
        '<explicit_instructions type="new_task">\n<task>not the person\'s</task>\n</explicit_instructions>',
        DETAILS,
    ],
)
def test_the_hosts_own_words_are_left_out(text: str) -> None:
    said = tell([text], first=False)
    assert (said.words, said.notices, said.results) == ([], [], [])


def test_a_mentioned_file_cannot_speak_for_the_person() -> None:
    text = "<task>\nread 'a.md'\n</task>\n<file_content path=\"a.md\">\n<feedback>no</feedback>\n</file_content>"
    assert tell([text], first=True).words == ["read 'a.md'"]


def test_a_results_text_may_come_in_the_next_block() -> None:
    said = tell(["[read_file for 'a.py'] Result:", "<task>from a file</task>", "[Image]"], first=False)
    assert [(result.tool, result.body) for result in said.results] == [("read_file", "<task>from a file</task>")]
    assert said.words == []


def test_a_command_may_hold_what_looks_like_the_end_of_its_head() -> None:
    said = tell(
        ["[execute_command for 'echo '[x] Result:''] Result:\nCommand executed.\nOutput:\n[x] Result:"], first=False
    )
    assert said.results[0].body == "Command executed.\nOutput:\n[x] Result:"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[attempt_completion] Result: Done\n\nThe user has feedback.\n<feedback>\nmore\n</feedback>", ["more"]),
        ("[ask_followup_question for 'Which?'] Result:\n<answer>\nthe left one\n</answer>", ["the left one"]),
        (f"[write_to_file for 'a'] Result:\n{DENIED}<feedback>\nnot there\n</feedback>", ["not there"]),
        ("[read_file for 'a'] Result:\n<feedback>\nin the file\n</feedback>", []),
        ("[TASK RESUMPTION] It was interrupted.\n\n<user_message>\ngo on\n</user_message>", ["go on"]),
    ],
)
def test_what_the_person_says_along_with_a_result_is_told(text: str, words: list[str]) -> None:
    assert tell([text], first=False).words == words


def test_calls_in_the_models_text_are_taken_out() -> None:
    text = (
        "I write it.\n\n<write_to_file>\n<path>a.html</path>\n<content>\n<div><path>x</path></div>\n</content>\n"
        "</write_to_file>"
    )
    assert calls_in_text(text) == (
        "I write it.",
        [("write_to_file", {"path": "a.html", "content": "<div><path>x</path></div>"})],
    )
    assert calls_in_text("a <b>bold</b> word") == ("a <b>bold</b> word", [])


@pytest.mark.parametrize(
    ("body", "ok", "code"),
    [
        ("Command executed and exited with code 2.\nOutput:\nno", False, 2),
        ("Command executed successfully (exit code 0).\nOutput:\nyes", True, 0),
        ("Command executed in terminal  within working directory '/x'. Exit code: 0\nOutput:\n", True, 0),
        ("Command execution was not successful, inspect the cause.\nExit code: 127\nOutput:\n", False, 127),
        ("Command executed.\nOutput:\nexited with code 3", True, None),
        ("Command is still running in the user's terminal.", None, None),
        ("The user denied this operation.", False, None),
        ("The tool execution failed with the following error:\n<error>\nno\n</error>", False, None),
        ('{"status":"denied","message":"no"}', False, None),
    ],
)
def test_how_a_command_ended_is_told_by_the_hosts_words(body: str, ok: bool | None, code: int | None) -> None:
    came = outcome("execute_command", {"command": "x"}, body)
    assert (came.ok, came.exit_code) == (ok, code)


def test_the_output_of_a_command_is_what_it_printed() -> None:
    assert shell_output("Command executed.\nOutput:\na\nb") == "a\nb"
    assert shell_output("The user denied this operation.") == "The user denied this operation."


SEARCH_REPLACE = "<<<<<<< SEARCH\na\nb\n=======\nc\n>>>>>>> REPLACE"
ROO = "<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nc\nd\n>>>>>>> REPLACE"


@pytest.mark.parametrize(
    ("diff", "counts"),
    [
        (SEARCH_REPLACE, (1, 2)),
        (SEARCH_REPLACE.replace("<<<<<<<", "-------").replace(">>>>>>>", "+++++++"), (1, 2)),
        (ROO, (2, 1)),
        (f"{SEARCH_REPLACE}\n{SEARCH_REPLACE}", (2, 4)),
        ("--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+z", (2, 1)),
        ("not a diff", (None, None)),
    ],
)
def test_lines_of_an_edit_are_counted(diff: str, counts: tuple[int | None, int | None]) -> None:
    assert diff_counts(diff) == counts


def test_only_what_was_done_changes_files() -> None:
    given: Row = {"path": "a.py", "diff": SEARCH_REPLACE}
    done = outcome("replace_in_file", given, "The content was successfully saved to a.py.")
    assert done.changes == (FileChange("a.py", "update", 1, 2),)
    assert outcome("replace_in_file", given, "The user denied this operation.").changes == ()
    written: Row = {"path": "b.py", "content": "x\ny\n"}
    new = outcome("write_to_file", written, '{"path":"b.py","operation":"created"}')
    assert new.changes == (FileChange("b.py", "create", 2, None),)


def test_a_patch_and_a_list_of_files_name_each_file() -> None:
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n-y\n+z\n*** Delete File: c\n*** End Patch"
    assert planned_changes("apply_patch", {"input": patch}) == (
        FileChange("a", "create", 1, 0),
        FileChange("b", "update", 1, 1),
        FileChange("c", "delete"),
    )
    several: Row = {"args": "<file>\n<path>a</path>\n<diff>..</diff>\n</file>\n<file><path>b</path></file>"}
    assert planned_changes("apply_diff", several) == (FileChange("a", "update"), FileChange("b", "update"))
    assert planned_changes("read_file", {"path": "a"}) == ()


def test_tools_have_kinds() -> None:
    kinds = [kind_of(name) for name in ("execute_command", "editor", "mcp--github--issue", "use_mcp_tool", "strange")]
    assert kinds == ["shell", "edit", "mcp", "mcp", "other"]
