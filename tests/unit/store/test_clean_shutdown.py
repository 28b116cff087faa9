"""A database that an orderly end left as it still is need not be read through at the start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memd.store import clean_shutdown


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "memd.db"
    path.write_bytes(b"pages of it")
    return path


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "mark"


def test_a_file_that_nobody_touched_is_known_again_once(database: Path, mark: Path) -> None:
    clean_shutdown.note(database, mark)

    assert mark.stat().st_mode & 0o777 == 0o600
    assert clean_shutdown.untouched(database, mark)
    assert not clean_shutdown.untouched(database, mark)  # whoever opened it may have been killed since


@pytest.mark.parametrize("what", ["written to", "cut", "replaced", "a log beside it", "gone"])
def test_a_file_that_is_not_what_it_was_is_not(database: Path, mark: Path, what: str) -> None:
    clean_shutdown.note(database, mark)
    if what == "written to":
        os.utime(database, ns=(1, 1))
    elif what == "cut":
        times = database.stat()
        database.write_bytes(b"pages")
        os.utime(database, ns=(times.st_atime_ns, times.st_mtime_ns))
    elif what == "replaced":
        times, other = database.stat(), database.with_name("other")
        other.write_bytes(database.read_bytes())
        os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
        other.replace(database)
    elif what == "a log beside it":
        database.with_name("memd.db-wal").touch()
    else:
        database.unlink()

    assert not clean_shutdown.untouched(database, mark)
    assert not mark.exists()


def test_nothing_is_noted_of_no_file_or_where_it_cannot_be(database: Path, mark: Path, tmp_path: Path) -> None:
    clean_shutdown.note(tmp_path / "none.db", mark)
    clean_shutdown.note(database, tmp_path / "no folder" / "mark")

    assert not clean_shutdown.untouched(database, mark)
    mark.write_bytes(b"{nonsense")
    assert not clean_shutdown.untouched(database, mark)
