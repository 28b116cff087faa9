from __future__ import annotations

from itertools import islice
from pathlib import Path

from memd.doors.cli.logs import follow, last


def test_the_last_lines_are_given(tmp_path: Path) -> None:
    path = tmp_path / "memd.log"
    path.write_text("one\ntwo\nthree\n")

    assert last(path, 2) == ["two", "three"]
    assert last(path, 9) == ["one", "two", "three"]
    assert last(tmp_path / "nothing", 9) == []


def test_lines_that_come_are_followed_over_a_rotation(tmp_path: Path) -> None:
    path = tmp_path / "memd.log"
    path.write_text("old\n")
    coming = _Writing(path)

    assert list(islice(follow(path, pause=coming), 3)) == ["new", "rotated", "again"]


def test_a_log_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "memd.log"

    def appear() -> None:
        path.write_text("first\n")

    assert list(islice(follow(path, pause=appear), 1)) == ["first"]


class _Writing:
    """Writes to the log whenever its follower pauses."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pauses = 0

    def __call__(self) -> None:
        self._pauses += 1
        match self._pauses:
            case 1:
                with self._path.open("a") as file:
                    file.write("new\n")
            case 2:
                self._path.rename(self._path.with_suffix(".1"))
                self._path.write_text("rotated\n")
            case _:
                with self._path.open("a") as file:
                    file.write("again\n")
