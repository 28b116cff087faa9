"""The one list of Aider's YAML that memd adds a file to, in every way in which people write it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd_hooks.jsonc import DocumentError
from memd_hooks.settings_json import Before
from memd_hooks.yaml_read import BEGIN, END, ReadEntry

ENTRY = ReadEntry(Path("/home/ada/my data/rules/memd-aider.md"))
OURS = '"/home/ada/my data/rules/memd-aider.md"'


def put(text: str) -> tuple[str, Before]:
    done = ENTRY.put(text.encode(), Before())
    assert done.data is not None
    return done.data.decode(), done.before


def taken(text: str, before: Before) -> str | None:
    data = ENTRY.take(text.encode(), before).data
    return None if data is None else data.decode()


WAYS = {
    "a block list": ("read:\n  - a.md\n  - b.md\nx: 1\n", f"read:\n  - a.md\n  - b.md\n  - {OURS}\nx: 1\n"),
    "a block list that is not indented": ("read:\n- a.md\nx: 1\n", f"read:\n- a.md\n- {OURS}\nx: 1\n"),
    "a block list with comments": (
        "read:  # mine\n  - a.md # one\n\n  # the rest\n  - 'b, c.md'\n# end\nx: 1",
        f"read:  # mine\n  - a.md # one\n\n  # the rest\n  - 'b, c.md'\n  - {OURS}\n# end\nx: 1",
    ),
    "brackets": ("x: 1\nread: [a.md, b.md] # both\n", f"x: 1\nread: [a.md, b.md, {OURS}] # both\n"),
    "brackets with a last comma": ("read: [ a.md, ]\n", f"read: [ a.md, {OURS}, ]\n"),
    "empty brackets": ("read: []\n", f"read: [{OURS}]\n"),
    "one file alone": ("read: docs/a b.md  # mine\n", f"read: [docs/a b.md, {OURS}]  # mine\n"),
    "one file whose name has two blanks": ("read: a  b.md  # mine\n", f"read: [a  b.md, {OURS}]  # mine\n"),
    "one file in quotes": ("read: 'it''s, mine.md'\n", f"read: ['it''s, mine.md', {OURS}]\n"),
    "nothing yet": ("read:\nx: 1\n", f"read:\n  - {OURS}\nx: 1\n"),
    "no read at all": ("x: 1\n", f"x: 1\n{BEGIN}\nread:\n  - {OURS}\n{END}\n"),
    "no last line end": ("# Ada\nx: 1", f"# Ada\nx: 1\n{BEGIN}\nread:\n  - {OURS}\n{END}"),
    "CRLF": ("x: 1\r\n", f"x: 1\r\n{BEGIN}\r\nread:\r\n  - {OURS}\r\n{END}\r\n"),
    "another read further in": (
        "x:\n  read: a\ny: |\n  read: b\n",
        f"x:\n  read: a\ny: |\n  read: b\n{BEGIN}\nread:\n  - {OURS}\n{END}\n",
    ),
    "an empty file": ("", f"{BEGIN}\nread:\n  - {OURS}\n{END}\n"),
    "white space": ("\n \n", f"{BEGIN}\nread:\n  - {OURS}\n{END}\n"),
}


@pytest.mark.parametrize(("text", "edited"), WAYS.values(), ids=WAYS)
def test_our_file_is_put_in_and_taken_out_again(text: str, edited: str) -> None:
    done, before = put(text)
    assert done == edited
    assert ENTRY.put(done.encode(), before).steps == ()
    assert taken(done, before) == text


def test_no_file_is_no_file_again() -> None:
    done = ENTRY.put(None, Before())
    assert done.data is not None
    assert ENTRY.take(done.data, done.before).data is None


def test_a_byte_order_mark_stays_in_front() -> None:
    done = ENTRY.put(b"\xef\xbb\xbfx: 1\n", Before())
    assert done.data is not None
    assert done.data.startswith(b"\xef\xbb\xbfx: 1\n# ")
    assert ENTRY.take(done.data, done.before).data == b"\xef\xbb\xbfx: 1\n"


@pytest.mark.parametrize(
    ("text", "edit", "left"),
    [
        ("x: 1\n", (f"  - {OURS}\n", f"  - {OURS}\n  - mine.md\n"), "x: 1\nread:\n  - mine.md\n"),
        ("x: 1\n", (END, f"{END}\ny: 2"), "x: 1\ny: 2\n"),
        ("x: 1", (END, f"{END}\ny: 2\n"), "x: 1\ny: 2\n"),
        ("read: a.md\n", (OURS, f"{OURS}, b.md"), "read: [a.md, b.md]\n"),
        ("read: [a.md]\n", (f"a.md, {OURS}", f"{OURS}, a.md, b.md"), "read: [a.md, b.md]\n"),
        ("read:\n- a.md\n", (f"- a.md\n- {OURS}", f"- {OURS}\n- b.md"), "read:\n- b.md\n"),
    ],
)
def test_what_the_person_edits_meanwhile_stays(text: str, edit: tuple[str, str], left: str) -> None:
    done, before = put(text)
    assert edit[0] in done
    assert taken(done.replace(*edit), before) == left


def test_a_moved_data_folder_takes_the_old_ones_place() -> None:
    done, before = put("read: a.md # mine\n")
    moved = ReadEntry(Path("/srv/memd/rules/memd-aider.md"))
    again = moved.put(done.encode(), before)
    assert again.data == b'read: [a.md, "/srv/memd/rules/memd-aider.md"] # mine\n'
    assert moved.take(again.data, again.before).data == b"read: a.md # mine\n"


@pytest.mark.parametrize(
    "text",
    [
        "{read: a.md}",
        "[a]",
        "read: a\nread: b\n",
        "read: [a,\n  b]\n",
        "read: [[a]]\n",
        "read: &anchor a\n",
        "read: a, b\n",
        "read: |\n  a\n",
        "read:\n  a: 1\n",
        "read: 'a\n",
        "x: 1\n---\nread: a\n",
    ],
)
def test_what_is_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        ENTRY.put(text.encode(), Before())


words = st.text("ab/. é-_", min_size=1, max_size=6).map(lambda text: f"a{text.strip()}.md")
items = st.lists(words, min_size=1, max_size=3)
lists = st.one_of(
    items.map(lambda files: "read:\n" + "\n".join(f"  - {file}" for file in files)),
    items.map(lambda files: "read:\n" + "\n".join(f'- "{file}"  # why' for file in files)),
    items.map(lambda files: f"read: [{', '.join(files)}]"),
    words.map(lambda file: f"read: {file}"),
    st.just("read:"),
    st.just(""),
)
others = st.lists(st.sampled_from(["model: opus", "# a comment", "", "x:\n  - 1\n  - 2", 'y: "read: z"']), max_size=4)


@given(others, lists, others, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_for_every_document_put_and_take_is_nothing(
    above: list[str], reads: str, below: list[str], newline: str, ends: bool
) -> None:
    text = ("\n".join([*above, reads, *below]) + ("\n" if ends else "")).replace("\n", newline)
    done, before = put(text)
    assert done.count(OURS) == 1
    assert taken(done, before) == text
