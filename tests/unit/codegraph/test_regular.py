"""A file is read where it still is one, and no further than is wanted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memd.codegraph.regular import regular_file


def test_no_more_than_a_byte_too_many_is_read_of_a_file_that_has_grown(tmp_path: Path) -> None:
    path = tmp_path / "tsconfig.json"
    path.write_bytes(b"x" * 5_000)

    assert len(regular_file(path, 1_000)) == 1_001
    assert len(regular_file(path, 5_000)) == 5_000


def test_neither_a_pipe_nor_a_link_that_took_its_place_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "link.json").symlink_to("/dev/zero")

    for name in ("pipe.json", "link.json"):
        with pytest.raises(OSError, match=r"regular file|symbolic links"):
            regular_file(tmp_path / name, 1_000)
