"""What a call took out of a file and what it put there is read from each host's own form."""

from __future__ import annotations

import json

import pytest

from memd.adapter import ChangeOp
from memd.distill.edits import Edit, edits_in_words, edits_of
from memd.model import ChangedFile, ToolCall

PATCH = """*** Begin Patch
*** Update File: tide.py
@@
 TTL = 1
-LEVEL = 3
+LEVEL = 4
*** Add File: docs/new.md
+a pier
*** Delete File: old.md
*** End Patch"""


def call(given: object, *paths: str, op: ChangeOp = "update", ok: bool | None = True) -> ToolCall:
    text = given if isinstance(given, str) else json.dumps(given)
    return ToolCall("c", "Edit", "edit", text, ok, changes=tuple(ChangedFile(path, op) for path in paths))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"old_string": "a", "new_string": "b"}, [Edit("tide.py", "a", "b")]),
        ({"oldString": "a", "newString": ""}, [Edit("tide.py", "a", "")]),
        (
            {"edits": [{"old_text": "a", "new_text": "b"}, {"old_text": "c", "new_text": "d"}, 7]},
            [Edit("tide.py", "a", "b"), Edit("tide.py", "c", "d")],
        ),
        ({"content": "all of it"}, [Edit("tide.py", "", "all of it", whole=True)]),
        (
            {"diff": "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n"},
            [Edit("tide.py", "a\n", "b\n")],
        ),
        (
            {"command": ["apply_patch", PATCH]},
            [
                Edit("tide.py", "LEVEL = 3", "LEVEL = 4"),
                Edit("docs/new.md", "", "a pier", whole=True),
                Edit("old.md", "", "", whole=True),
            ],
        ),
        ({"path": "tide.py"}, []),
        ("{not json", []),
    ],
)
def test_each_form_of_an_edit_is_read(given: object, expected: list[Edit]) -> None:
    assert list(edits_of(call(given, "tide.py"))) == expected


def test_a_file_that_was_deleted_has_nothing_left_and_a_failed_edit_changed_nothing() -> None:
    assert list(edits_of(call({}, "tide.py", op="delete"))) == [Edit("tide.py", "", "", whole=True)]
    assert list(edits_of(call({"old_string": "a", "new_string": "b"}, "tide.py", ok=False))) == []
    assert list(edits_of(call({"old_string": "a", "new_string": "b"}))) == []


def test_a_reply_tells_edits_as_blocks_under_a_files_name() -> None:
    text = "So:\n\ntide.py\n```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\nDone."
    assert list(edits_in_words(text)) == [Edit("tide.py", "a\n", "b\n")]
    assert list(edits_in_words("The SEARCH block of tide.py did not match.")) == []
