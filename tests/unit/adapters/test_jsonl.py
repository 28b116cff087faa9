from __future__ import annotations

import json
import os
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.adapter import Cursor, ReadLimits
from memd.errors import TranscriptError
from memd_adapters.jsonl import LINE_TOO_LONG, STRINGS_CUT, Lines, LineShortener, read_lines

TINY = ReadLimits(batch_bytes=1)
SMALL_LINES = ReadLimits(line_bytes=300_000)


def all_lines(path: Path, limits: ReadLimits) -> list[bytes]:
    cursor: Cursor | None = None
    found: list[bytes] = []
    more = True
    while more:
        read = read_lines(path, cursor, limits)
        found += read.lines
        cursor, more = read.cursor, read.more
    return found


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lines.jsonl"


def test_lines_end_at_newlines_only(path: Path) -> None:
    write(path, '{"a":"x\u2028y\u0085z\u000bw"}\r\n{"b":1}\n'.encode())
    assert read_lines(path, None, ReadLimits()).lines == ['{"a":"x\u2028y\u0085z\u000bw"}\r'.encode(), b'{"b":1}']


def test_offsets_are_those_of_the_lines(path: Path) -> None:
    read = read_lines(write(path, b"ab\n\ncdef\n"), None, ReadLimits())
    assert (read.lines, read.offsets, read.cursor.offset) == ([b"ab", b"", b"cdef"], [0, 3, 4], 9)


def test_a_torn_last_line_is_left_for_the_next_read(path: Path) -> None:
    first = read_lines(write(path, b'{"a":1}\n{"b"'), None, ReadLimits())
    assert (first.lines, first.torn, first.more) == ([b'{"a":1}'], b'{"b"', False)
    with path.open("ab") as file:
        file.write(b":2}\n")
    second = read_lines(path, first.cursor, ReadLimits())
    assert (second.lines, second.offsets, second.restarted) == ([b'{"b":2}'], [8], False)


def test_nothing_is_read_again_while_the_file_stays_as_it_was(path: Path) -> None:
    first = read_lines(write(path, b"a\nb\n"), None, ReadLimits())
    second = read_lines(path, first.cursor, ReadLimits())
    assert second.unchanged
    assert second.cursor == first.cursor


def test_a_small_batch_holds_at_least_one_line_and_says_there_is_more(path: Path) -> None:
    read = read_lines(write(path, b"first line\nsecond\n"), None, TINY)
    assert (read.lines, read.more) == ([b"first line"], True)
    assert all_lines(path, TINY) == [b"first line", b"second"]


@pytest.mark.parametrize(
    "rewrite",
    [
        pytest.param(lambda path: path.write_bytes(b"short\n"), id="truncated"),
        pytest.param(lambda path: path.write_bytes(b"XXXXXXXX\nsecond\n"), id="other bytes at the start"),
        pytest.param(lambda path: path.write_bytes(b"line one\nsecXnd\nmore\n"), id="other bytes before the cursor"),
    ],
)
def test_a_rewritten_file_is_read_from_its_start(path: Path, rewrite: object) -> None:
    first = read_lines(write(path, b"line one\nsecond\n"), None, ReadLimits())
    assert callable(rewrite)
    rewrite(path)
    os.utime(path, ns=(1, 1))
    again = read_lines(path, first.cursor, ReadLimits())
    assert again.restarted
    assert again.lines == path.read_bytes().split(b"\n")[:-1]


def test_another_file_under_the_same_name_is_read_from_its_start(path: Path, tmp_path: Path) -> None:
    first = read_lines(write(path, b"line one\n"), None, ReadLimits())
    write(tmp_path / "new", b"line one\nline two\n").replace(path)
    again = read_lines(path, first.cursor, ReadLimits())
    assert (again.restarted, again.lines) == (True, [b"line one", b"line two"])


def test_a_renamed_file_is_read_on(path: Path, tmp_path: Path) -> None:
    first = read_lines(write(path, b"line one\n"), None, ReadLimits())
    moved = path.rename(tmp_path / "elsewhere.jsonl")
    with moved.open("ab") as file:
        file.write(b"line two\n")
    again = read_lines(moved, first.cursor, ReadLimits())
    assert (again.restarted, again.lines) == (False, [b"line two"])


def test_a_file_that_cannot_be_read_is_an_os_error(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_lines(path, None, ReadLimits())


def test_a_folder_or_a_pipe_is_refused_in_one_sentence(path: Path, tmp_path: Path) -> None:
    os.mkfifo(path)
    for odd in (path, tmp_path):
        with pytest.raises(TranscriptError, match="is not a regular file"):
            read_lines(odd, None, ReadLimits())


def test_a_long_line_keeps_its_shape_and_the_start_of_its_strings(path: Path) -> None:
    row = {"type": "user", "content": "A" * 900_000, "more": [1, {"b": "end"}]}
    write(path, b'{"x":1}\n' + json.dumps(row).encode() + b'\n{"y":2}\n')
    read = [json.loads(line) for line in all_lines(path, SMALL_LINES)]
    assert [read[0], read[2]] == [{"x": 1}, {"y": 2}]
    assert read[1]["content"].startswith("A" * 60_000)
    assert read[1]["content"].endswith("[cut: 900000 bytes in all]")
    assert read[1]["more"] == [1, {"b": "end"}]


def test_cut_strings_and_passed_over_lines_are_counted(path: Path) -> None:
    many = json.dumps([f"{n}" for n in range(90_000)]).encode()
    two = json.dumps(["A" * 200_000, "B" * 200_000]).encode()
    write(path, many + b"\n" + two + b"\n")
    cursor: Cursor | None = None
    skipped: Counter[str] = Counter()
    more = True
    while more:
        read = read_lines(path, cursor, SMALL_LINES)
        skipped.update(read.skipped)
        cursor, more = read.cursor, read.more
    assert skipped == {LINE_TOO_LONG: 1, STRINGS_CUT: 2}


def test_an_ignored_long_line_is_passed_over_without_a_count(path: Path) -> None:
    write(path, b'{"type":"shape","x":"' + b"A" * 900_000 + b'"}\n{"y":2}\n')
    limits = ReadLimits(batch_bytes=100_000, line_bytes=300_000)
    first = read_lines(path, None, limits, (b'{"type":"shape"',))
    assert (first.lines, +first.skipped, first.more) == ([], Counter(), True)
    assert read_lines(path, first.cursor, limits, (b'{"type":"shape"',)).lines == [b'{"y":2}']


def test_a_long_line_without_its_newline_is_left_for_the_next_read(path: Path) -> None:
    row = json.dumps({"x": "A" * 900_000}).encode()
    first = read_lines(write(path, row), None, SMALL_LINES)
    assert (first.lines, first.cursor.offset, first.more) == ([], 0, False)
    with path.open("ab") as file:
        file.write(b"\n")
    assert json.loads(read_lines(path, first.cursor, SMALL_LINES).lines[0])["x"].startswith("A" * 1000)


def test_a_line_of_sixty_megabytes_takes_little_memory(path: Path) -> None:
    with path.open("wb") as file:
        file.write(b'{"type":"user","content":"')
        for _ in range(60):
            file.write(b"QUJD" * 250_000)
        file.write(b'"}\n')
    tracemalloc.start()
    lines = all_lines(path, ReadLimits())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(lines) == 1
    assert len(lines[0]) < 70_000
    assert peak < 40 << 20


@pytest.mark.parametrize("tail", ["é", "😀", "\\", '"', "\u2028", "\ud83d"])
def test_a_cut_never_halves_a_character(tail: str) -> None:
    for pad in range(14):
        line = json.dumps({"x": "a" * pad + tail * 70_000, "y": 1}, ensure_ascii=tail == "\ud83d").encode()
        shortener = LineShortener(300_000)
        shortener.feed(line)
        assert json.loads(shortener.close(Counter()))["y"] == 1


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.booleans(), st.lists(st.integers(1, 40), max_size=30))
def test_a_line_without_long_strings_comes_out_as_it_went_in(value: object, ascii_only: bool, cuts: list[int]) -> None:
    line = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    shortener = LineShortener(1 << 20)
    position = 0
    for cut in cuts:
        shortener.feed(line[position : position + cut])
        position += cut
    shortener.feed(line[position:])
    skipped: Counter[str] = Counter()
    assert shortener.close(skipped) == line
    assert not +skipped


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=6), st.integers(1, 60))
def test_however_a_growing_file_is_read_its_lines_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, stops: list[int], batch: int
) -> None:
    path = tmp_path_factory.mktemp("grow") / "x.jsonl"
    path.write_bytes(b"")
    cursor: Cursor | None = None
    lines: list[bytes] = []
    torn = b""
    for stop in [*sorted(stops), len(content)]:
        with path.open("ab") as file:
            file.write(content[path.stat().st_size : stop])
        more = True
        while more:
            read: Lines = read_lines(path, cursor, ReadLimits(batch_bytes=batch))
            assert not read.restarted
            lines += read.lines
            cursor, more = read.cursor, read.more
            torn = torn if read.unchanged else read.torn
    assert [*lines, torn] == content.split(b"\n")
