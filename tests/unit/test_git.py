"""What git is asked is asked of the folder alone, by nobody's settings but ours, and never waits for a pipe."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memd import git
from tests.unit.codegraph.test_commits import commit

HEAD = ("rev-parse", "--verify", "-q", "HEAD")


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_ALLOC_LIMIT", "GIT_INDEX_FILE", "GIT_CONFIG_COUNT", "GIT_TRACE"])
def test_variables_of_git_in_the_environment_change_nothing(tmp_path: Path, name: str) -> None:
    head = commit(tmp_path, ships__py="x = 1\n")
    told = git.ask(tmp_path, HEAD, {**os.environ, name: "1"}, 20.0)

    assert (told or b"").decode().strip() == head


@pytest.mark.parametrize("name", ["HEAD", "config", "index", "packed-refs", "info/exclude"])
def test_a_pipe_in_the_place_of_a_file_of_git_is_not_waited_for(tmp_path: Path, name: str) -> None:
    commit(tmp_path, ships__py="x = 1\n")
    place = tmp_path / ".git" / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)

    # The deadline would end the test long before git answered.
    assert git.ask(tmp_path, HEAD, os.environ, 3600.0) is None
    assert list(git.pieces(tmp_path, ("log",), os.environ, 3600.0, most_bytes=100)) == []


def test_an_empty_git_folder_within_a_repository_is_not_that_repository(tmp_path: Path) -> None:
    commit(tmp_path, ships__py="x = 1\n")
    inner = tmp_path / "inner"
    (inner / ".git").mkdir(parents=True)

    assert git.ask(inner, HEAD, os.environ, 20.0) is None
    assert git.ask(tmp_path, HEAD, os.environ, 20.0) is not None
