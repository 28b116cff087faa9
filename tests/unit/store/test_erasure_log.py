"""What was deleted for good is known by digests in a file of its own, whatever becomes of the database."""

from __future__ import annotations

import resource
import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.errors import StoreFull
from memd.store.erasure_log import Erasure, append, path_of, read

NUMBERS = st.integers(0, (1 << 63) - 1)
ERASURES = st.builds(
    Erasure,
    id=st.uuids().map(str),
    at=NUMBERS,
    rows=st.lists(NUMBERS, max_size=4).map(tuple),
    sessions=st.lists(NUMBERS, max_size=2).map(tuple),
    facts=st.lists(st.uuids().map(str), max_size=2).map(tuple),
    texts=st.lists(st.tuples(st.text("0123456789abcdef", min_size=4), NUMBERS), max_size=2).map(tuple),
    project=st.none() | NUMBERS,
    words_stay=st.booleans(),
)
FIRST = Erasure("a", 1, rows=(5, 6))
SECOND = Erasure("b", 2, sessions=(7,), texts=(("00ff", 0),), project=9)


@given(st.lists(ERASURES, max_size=5), st.lists(ERASURES, max_size=5))
def test_what_is_written_is_read_again_in_its_order(
    tmp_path_factory: pytest.TempPathFactory, first: list[Erasure], second: list[Erasure]
) -> None:
    log = tmp_path_factory.mktemp("log") / "memd.erased"
    append(log, first)
    append(log, second)
    assert read(log) == ((*first, *second), 0)


def test_it_lies_beside_the_database_for_its_owner_only(tmp_path: Path) -> None:
    log = path_of(tmp_path / "d" / "memd.db")
    append(log, (FIRST,))
    assert log.parent == tmp_path / "d"
    assert log.stat().st_mode & 0o777 == 0o600
    assert log.parent.stat().st_mode & 0o777 == 0o700


def test_there_is_nothing_in_a_log_that_is_not_there(tmp_path: Path) -> None:
    assert read(tmp_path / "memd.erased") == ((), 0)


@pytest.mark.parametrize("left", [1, 9, 30])
def test_a_line_that_was_not_finished_counts_for_nothing_and_spoils_no_other(tmp_path: Path, left: int) -> None:
    log = tmp_path / "memd.erased"
    append(log, (FIRST,))
    whole = log.read_bytes()
    log.write_bytes(whole + whole[:left])
    assert read(log) == ((FIRST,), 0)
    append(log, (SECOND,))
    assert read(log) == ((FIRST, SECOND), 1)


@pytest.mark.parametrize(
    "line",
    [b"\x00\xff\xfe", b"[]", b"7", b"{}", b'{"id":"x"}', b'{"id":7,"at":1}', b'{"id":"x","at":1,"rows":["five"]}',
     b'{"id":"x","at":1,"rows":7}', b'{"id":"x","at":1,"texts":[["a"]]}'],
)  # fmt: skip
def test_what_is_not_understood_is_counted_and_the_rest_is_read(tmp_path: Path, line: bytes) -> None:
    log = tmp_path / "memd.erased"
    append(log, (FIRST,))
    log.write_bytes(line + b"\n" + log.read_bytes())
    assert read(log) == ((FIRST,), 1)


def test_what_a_later_version_adds_is_passed_over(tmp_path: Path) -> None:
    log = tmp_path / "memd.erased"
    append(log, (FIRST,))
    log.write_bytes(log.read_bytes().replace(b'{"id"', b'{"colour":"green","id"'))
    assert read(log) == ((FIRST,), 0)


def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path: Path) -> None:
    log = tmp_path / "memd.erased"
    append(log, (FIRST,))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size + 20, hard))
    try:
        with pytest.raises(StoreFull):
            append(log, (SECOND,))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert read(log) == ((FIRST,), 0)
    append(log, (SECOND,))
    assert read(log)[0] == (FIRST, SECOND)
