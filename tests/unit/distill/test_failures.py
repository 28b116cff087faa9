from __future__ import annotations

import json

import pytest

from memd.adapter import ToolKind
from memd.distill.distill import distill
from memd.distill.errorlines import telling_line
from memd.distill.pasted import pasted_errors
from memd.model import ToolCall
from tests.unit.distill.talk import Talk


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("=== FAILURES ===\n    def test_x():\n>       assert f() == 3\nE       assert 2 == 3\n", "assert 2 == 3"),
        (
            "Compiling a v1\nthread 'main' panicked at src/a.rs:3:5:\nindex out of bounds: the len is 0\n",
            "index out of bounds: the len is 0",
        ),
        ("src/a.ts(4,2): error TS2304: Cannot find name 'foo'.", "error TS2304: Cannot find name 'foo'."),
        ("\x1b[31mValueError: bad port 'x'\x1b[0m", "ValueError: bad port 'x'"),
        ("sh: 1: vitest: not found", "sh: 1: vitest: not found"),
        ("make: *** [all] Error 2\nfatal: not a git repository", "fatal: not a git repository"),
        ("nothing telling here\nlast line", "last line"),
        (
            'Unknown JSON field: "conclusion"\nAvailable fields:\n  bucket\n  workflow',
            'Unknown JSON field: "conclusion"',
        ),
        ("WARNING: DATA RACE\nWrite at 0x1\n--- FAIL: TestTide\n race detected during test", "WARNING: DATA RACE"),
        ("--- FAIL: TestTide (0.2s)\n    tide_test.go:12: 31 boats, want 30", "31 boats, want 30"),
        ("12.113 npm error code 1\n12.113 npm error Error: no musl build", "Error: no musl build"),
        ("e: [ksp] the export folder is missing\nFAILURE: Build failed", "e: [ksp] the export folder is missing"),
        ("10-20 14:31:02.114  81 81 W Sync: java.net.ConnectException: refused", "java.net.ConnectException: refused"),
        ("Error executing tool Bash: Error (exit code 1): > harbor build\nError: no such port", "Error: no such port"),
        (
            "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error tide.example could not be reached",
            "npm error code ENOTFOUND; tide.example could not be reached",
        ),
        (
            "remote: error: See https://tide.example\nremote: error: File a.bin exceeds the limit\n",
            "remote: error: See https://tide.example; remote: error: File a.bin exceeds the limit",
        ),
        (
            "harbor : The term 'harbor' is not recognized as the name of a cmdlet\n + FullyQualifiedErrorId : No",
            "harbor : The term 'harbor' is not recognized as the name of a cmdlet",
        ),
        ("The user denied this operation.", None),
        ("", None),
        ("The user doesn't want to proceed with this tool use.", None),
    ],
)
def test_the_telling_line_of_an_output_is_found(output: str, expected: str | None) -> None:
    assert telling_line(output) == expected


def seen(talk: Talk) -> list[tuple[str, bool]]:
    return [(error.text, error.fixed) for error in distill(talk.transcript()).events.errors]


def failed(name: str, kind: ToolKind, path: str, output: str) -> ToolCall:
    return ToolCall("c", name, kind, json.dumps({"file_path": path}), False, output=output, output_chars=len(output))


def test_a_tool_that_failed_is_an_error_and_mended_when_the_same_file_was_reached_later(talk: Talk) -> None:
    talk.user("note it").reply("", failed("Edit", "edit", "/h/notes.md", "File has not been read yet."))
    assert seen(talk) == [("File has not been read yet.", False)]
    talk.ran("grep -n tide /h/notes.md")
    assert seen(talk) == [("File has not been read yet.", True)]


def test_an_error_that_a_person_pasted_counts_and_one_they_tell_in_their_own_words_does_not(talk: Talk) -> None:
    talk.user(
        "error handling is poor here.\n\n```\n$ harbor run\nharbor.TideError: no table for 2031\n```\nplease look"
    )
    talk.edited("tide.py", "The table ends in 2030; it is computed now.")
    assert seen(talk) == [("harbor.TideError: no table for 2031", True)]


def test_what_a_pipe_hides_of_a_failing_test_is_seen_and_a_search_for_errors_is_none(talk: Talk) -> None:
    talk.ran("pytest -q | tail -3", output="ValueError: no berth\n1 failed", exit_code=0)
    talk.ran("cat notes.txt | head", output="ValueError: what it means", exit_code=0)
    assert [text for text, _ in seen(talk)] == ["ValueError: no berth"]


def test_an_error_that_the_host_reports_is_seen(talk: Talk) -> None:
    talk.user("go").notice("The LLM did not conform to the edit format.\n# 1 SEARCH/REPLACE block failed to match!")
    talk.edited("a.css")
    assert seen(talk) == [("# 1 SEARCH/REPLACE block failed to match!", True)]


PASTED: tuple[tuple[str, list[str]], ...] = (
    ("now I get\nTideError: no table for 2031 // strict\n\n- Expected", ["TideError: no table for 2031 // strict"]),
    ("the page says (index):1 Uncaught TypeError: no such berth", []),
    ("(index):1 Uncaught TypeError: no such berth is known", ["TypeError: no such berth is known"]),
    (
        "it shows harbor-db-1 | 2031-01-09 19:23:47 ERROR [org.tide.pier] (thread-1) TIDE-0095: the pier is closed",
        ["TIDE-0095: the pier is closed"],
    ),
    (
        "got this Caused by: org.tide.PierException: FATAL: no such keeper",
        ["org.tide.PierException: FATAL: no such keeper"],
    ),
    ("failed to solve: tide:20: failed to resolve source", ["failed to solve: tide:20: failed to resolve source"]),
    ('status= 401 body= {\n  "error": {\n    "message": "The pier key is wrong"', ["The pier key is wrong"]),
    ("\u274c sending failed: no such file", ["sending failed: no such file"]),
    ("Error loading charts: 404 no such chart\n    TideError tide.ts:5", ["Error loading charts: 404 no such chart"]),
    ("gh: Branch not found (HTTP 404)", ["gh: Branch not found (HTTP 404)"]),
    ("error handling is poor here, it failed twice", []),
    ("please show an error: it should say why", []),
    ("if the request failed to load: retry", []),
    ('the "message": "hello to all keepers" is what we send', []),
    ("src/a.ts(1,2): error TS1: bad a\nsrc/b.ts(1,2): error TS1: bad b", ["error TS1: bad a"]),
)


@pytest.mark.parametrize(("text", "expected"), PASTED)
def test_what_a_program_printed_is_told_from_what_a_person_says(text: str, expected: list[str]) -> None:
    assert list(pasted_errors(text)) == expected


def test_of_many_pasted_errors_the_first_ones_and_the_last_are_told() -> None:
    text = "\n".join(f"{letter * 3}Error: no berth" for letter in "ABCDEFGH")
    assert [line[:3] for line in pasted_errors(text)] == ["AAA", "BBB", "CCC", "DDD", "HHH"]
