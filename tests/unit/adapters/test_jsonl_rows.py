from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd_adapters.jsonl_rows import (
    BAD_UTF8,
    DAMAGED,
    NO_OBJECT,
    NULS,
    SPLICED,
    TOO_DEEP,
    Row,
    begun,
    first_rows,
    mend_text,
    parse_line,
    parse_whole,
)

ONE = b'{"type":"user","message":{"content":[{"type":"text","text":"one"}]}}'
TWO = b'{"type":"assistant","n":2}'


def parse(line: bytes) -> tuple[list[Row], dict[str, int]]:
    skipped: Counter[str] = Counter()
    return parse_line(line, skipped), dict(skipped)


def test_a_sound_line_is_its_object() -> None:
    assert parse(TWO) == ([json.loads(TWO)], {})


@pytest.mark.parametrize("line", [b"\xef\xbb\xbf" + TWO, TWO + b"\r", b"  " + TWO + b"  "])
def test_byte_order_marks_and_blank_space_lose_nothing(line: bytes) -> None:
    assert parse(line) == ([json.loads(TWO)], {})


@pytest.mark.parametrize("line", [b"\0" * 400 + TWO, TWO + b"\0" * 9, TWO[:5] + b"\0\0" + TWO[5:]])
def test_nul_bytes_are_taken_out_and_counted(line: bytes) -> None:
    assert parse(line) == ([json.loads(TWO)], {NULS: 1})


def test_a_line_of_nuls_holds_nothing_and_is_counted() -> None:
    assert parse(b"\0" * 4096) == ([], {NULS: 1})


def test_two_objects_in_one_line_are_both_saved() -> None:
    assert parse(ONE + TWO) == ([json.loads(ONE), json.loads(TWO)], {SPLICED: 1})


@pytest.mark.parametrize("cut", range(1, len(ONE)))
def test_the_object_after_a_broken_off_one_is_saved(cut: int) -> None:
    rows, skipped = parse(ONE[:cut] + TWO)
    assert rows == [json.loads(TWO)]
    assert skipped == {DAMAGED: 1}


def test_what_follows_a_whole_object_and_is_broken_is_counted() -> None:
    assert parse(TWO + ONE[:30]) == ([json.loads(TWO)], {DAMAGED: 1})


@pytest.mark.parametrize("line", [b"null", b"[]", b"[1]", b'"text"', b"42", b"true"])
def test_what_is_no_object_is_counted(line: bytes) -> None:
    assert parse(line) == ([], {NO_OBJECT: 1})


def test_a_broken_line_is_counted() -> None:
    assert parse(b'{"type":"us') == ([], {DAMAGED: 1})


def test_invalid_bytes_are_replaced_and_counted() -> None:
    assert parse(b'{"a":"x\xffy"}') == ([{"a": "x\ufffdy"}], {BAD_UTF8: 1})


def test_numbers_that_json_does_not_know_are_no_obstacle() -> None:
    rows, skipped = parse(b'{"a":NaN,"b":-Infinity,"c":' + b"9" * 5000 + b',"d":12}')
    assert (rows[0]["a"], rows[0]["b"], rows[0]["d"], skipped) == (None, None, 12, {})


def test_lone_surrogates_are_replaced_and_pairs_joined() -> None:
    assert parse(b'{"a":"x\\ud800y","\\udc00":"\\ud83d\\ude00"}') == ([{"a": "x\ufffdy", "\ufffd": "😀"}], {})
    assert mend_text("plain") == "plain"


def test_raw_control_characters_are_kept() -> None:
    assert parse(b'{"a":"x\x0by\tz"}') == ([{"a": "x\x0by\tz"}], {})


def test_deep_nesting_is_counted_and_harmless() -> None:
    assert parse(b'{"a":' * 100_000 + b"1" + b"}" * 100_000) == ([], {TOO_DEEP: 1})
    assert parse(b"[" * 100_000)[1].keys() <= {TOO_DEEP, DAMAGED}


def test_a_long_damaged_line_is_given_up_in_time() -> None:
    assert parse(b'{"x":' + b'{"a":"b"},' * 200_000) == ([], {DAMAGED: 1})


def test_only_a_complete_object_counts_as_whole() -> None:
    assert parse_whole(b"  " + TWO) == json.loads(TWO)
    assert all(parse_whole(line) is None for line in (TWO[:-1], b"", b"[1]", b"\0\0", ONE + TWO))


WHOLE = b'{"type":"user","n":1,"message":{"parts":["a","Lampe \\u00e4 \xc3\xa4 \\\\ \\" ende"]}}'


@pytest.mark.parametrize("length", range(WHOLE.index(b"Lampe"), WHOLE.index(b" ende") + 5))
def test_of_a_line_that_breaks_off_in_a_text_everything_before_is_seen(length: int) -> None:
    row = begun(WHOLE[:length])
    assert row is not None
    assert (row["type"], row["n"]) == ("user", 1)
    message = row["message"]
    assert isinstance(message, dict)
    assert isinstance(parts := message["parts"], list)
    assert parts[0] == "a"
    assert 'Lampe ä ä \\ " ende'.startswith(str(parts[1]))


def test_a_line_that_breaks_off_in_a_long_text_full_of_quotes_is_seen_in_time() -> None:
    assert begun(b'{"a":"' + b'\\"a' * 500_000) == {"a": '"a' * 500_000}


@pytest.mark.parametrize("line", [b"", b"{", b'{"type":', b'{"a":1,', b'["user', b'{"a":[}"', b"x", b'{"a":1} "'])
def test_a_line_that_breaks_off_elsewhere_or_is_no_object_is_none(line: bytes) -> None:
    assert begun(line) is None


def test_the_first_rows_of_a_file_are_seen_as_far_as_its_head_goes() -> None:
    assert first_rows(b'{"a":1}\n\nnothing\n{"b":"long') == [{"a": 1}, {"b": "long"}]
    assert first_rows(b'{"a":1}\n{"b":2}') == [{"a": 1}, {"b": 2}]
    assert first_rows(b'{"a":1}\n{"b":2}\n{"c":3}', most=1) == [{"a": 1}]


@given(st.binary(max_size=200))
def test_any_bytes_give_objects_that_can_be_written_as_utf8(line: bytes) -> None:
    rows, _ = parse(line)
    for row in [*rows, *first_rows(b'{"a":"' + line)]:
        json.dumps(row, ensure_ascii=False).encode()
