from __future__ import annotations

from pathlib import Path

from memd.adapter import Cursor, Source
from memd.capture.known import KnownSources
from memd.capture.scan import Stamp

A, B = Path("/home/ada/a.jsonl"), Path("/home/ada/b.jsonl")


def test_what_the_store_has_is_known() -> None:
    known = KnownSources()
    known.load("lines", {A: (10, 5, 1), B: (20, 9, 2)})
    assert known.of("lines") == {A: Stamp(10, 5, 1), B: Stamp(20, 9, 2)}
    assert known.newest_ns("lines") == 9
    assert known.newest_ns("other") is None
    assert known.of("other") == {}


def test_a_read_source_is_known_by_what_its_cursor_saw() -> None:
    known = KnownSources()
    known.read(Source("lines", A), Cursor(offset=7, size=10, inode=3, mtime_ns=4))
    assert known.of("lines")[A] == Stamp(10, 4, 3)


def test_a_file_that_is_gone_can_still_be_found_by_its_inode() -> None:
    known = KnownSources()
    known.load("lines", {A: (10, 5, 1)})
    known.forget("lines", [A, B])
    assert known.of("lines") == {}
    assert known.path_of("lines", 1) == A
    assert known.path_of("other", 1) is None


def test_what_is_unread_is_what_came_since_or_all_of_a_shorter_file() -> None:
    known = KnownSources()
    known.load("lines", {A: (10, 5, 1)})
    assert known.unread_bytes("lines", A, 14) == 4
    assert known.unread_bytes("lines", A, 8) == 8
    assert known.unread_bytes("lines", B, 14) == 14
