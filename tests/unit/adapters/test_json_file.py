"""Whole-file JSON: what is given of files that are whole, torn, overlong or no JSON at all."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.adapter import Cursor
from memd.errors import TranscriptError
from memd_adapters import json_file
from memd_adapters.json_file import TORN, TRAILING, parse_file, read_json_file
from memd_adapters.jsonl_rows import Json

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
MESSAGES = {"version": 1, "messages": [{"role": "user", "content": [{"text": f'say "{i}" ]}},'}]} for i in range(5)]}


def parsed(content: bytes) -> tuple[Json, bool, dict[str, int]]:
    skipped: Counter[str] = Counter()
    value, torn = parse_file(content, skipped)
    return value, torn, dict(+skipped)


@given(JSON_VALUES)
def test_a_whole_file_gives_its_value(value: Json) -> None:
    assert parsed(json.dumps(value, indent=2).encode()) == (value, False, {})


@given(st.data())
def test_a_torn_file_gives_the_messages_that_were_whole(data: st.DataObject) -> None:
    content = json.dumps(MESSAGES, indent=1).encode()
    value, torn, _ = parsed(content[: data.draw(st.integers(1, len(content) - 1))])
    assert torn
    if isinstance(value, dict) and "messages" in value:
        messages = value["messages"]
        assert isinstance(messages, list)
        assert messages == MESSAGES["messages"][: len(messages)]  # type: ignore[index]


def test_of_a_torn_list_only_the_last_item_is_missing() -> None:
    assert parsed(b'[{"a": 1}, {"a": [2, 3]}, {"a": [4,') == ([{"a": 1}, {"a": [2, 3]}], True, {TORN: 1})


def test_what_is_said_in_a_text_that_breaks_off_is_no_structure() -> None:
    said = b'{"messages": [{"a": 1}, {"a": "a set {} \\" } and, more ] '
    assert parsed(said) == ({"messages": [{"a": 1}]}, True, {TORN: 1})


def test_a_file_that_breaks_off_in_a_long_text_full_of_quotes_is_read_in_time() -> None:
    said = b'{"messages": [{"a": 1}, {"a": "' + b'say \\"hi\\" ' * 100_000
    assert parsed(said) == ({"messages": [{"a": 1}]}, True, {TORN: 1})


def test_what_a_longer_file_left_behind_is_passed_over() -> None:
    assert parsed(b'[{"a": 1}]\n}]') == ([{"a": 1}], False, {TRAILING: 1})


@given(st.binary(max_size=200))
def test_any_bytes_are_borne(content: bytes) -> None:
    parse_file(content, Counter())
    parse_file(b'{"messages": [' + content, Counter())


def test_lone_surrogates_huge_numbers_and_nan_are_borne() -> None:
    value, torn, _ = parsed(b'{"a": "\\ud800x", "b": ' + b"9" * 5000 + b', "c": NaN}')
    assert value == {"a": "\ufffdx", "b": float("inf"), "c": None}
    assert not torn


def test_the_same_content_under_a_new_time_is_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "messages.json"
    path.write_bytes(b'[{"role": "user"}]')
    first = read_json_file(path, None)
    assert first.value == [{"role": "user"}]
    assert read_json_file(path, first.cursor).unchanged
    path.write_bytes(b'[{"role": "user"}]')
    again = read_json_file(path, first.cursor)
    assert again.unchanged
    assert again.cursor.head == first.cursor.head


def test_an_unchanged_file_keeps_the_adapters_state(tmp_path: Path) -> None:
    path = tmp_path / "messages.json"
    path.write_bytes(b"[]")
    cursor = read_json_file(path, None).cursor
    kept = Cursor(cursor.offset, cursor.size, cursor.inode, 1, cursor.head, cursor.tail, '{"told":3}')
    assert read_json_file(path, kept).cursor.state == '{"told":3}'


def test_an_empty_file_holds_nothing_yet(tmp_path: Path) -> None:
    path = tmp_path / "messages.json"
    path.write_bytes(b"\0\0\n")
    found = read_json_file(path, None)
    assert (found.value, found.torn) == (None, False)


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "messages.json"
    path.write_bytes(b"# notes")
    with pytest.raises(TranscriptError, match="holds no JSON"):
        read_json_file(path, None)
    with pytest.raises(TranscriptError, match="not a regular file"):
        read_json_file(tmp_path, None)


def test_a_huge_file_is_read_with_its_long_strings_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_file, "MOST_BYTES", 1 << 20)
    path = tmp_path / "messages.json"
    path.write_text(json.dumps([{"role": "user", "text": "x" * 3_000_000}, {"role": "assistant", "text": "done"}]))
    found = read_json_file(path, None)
    assert isinstance(found.value, list)
    assert found.value[1] == {"role": "assistant", "text": "done"}
    assert len(json.dumps(found.value)) < 1 << 20
