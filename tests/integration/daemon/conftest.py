from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.integration.daemon.daemon_under_test import Home, running, wait_until


@pytest.fixture
def home() -> Iterator[Home]:
    """A home folder with nothing in it; whatever runs in it is ended afterwards."""
    with temporary_home() as made:
        yield made


@pytest.fixture(scope="module")
def door() -> Iterator[Home]:
    """A home whose daemon serves all tests of a file that leave no trace in it."""
    with temporary_home() as made, running(made):
        yield made


@pytest.fixture
def project(home: Home) -> Path:
    """A git repository in the home folder."""
    return make_project(home, "harbor")


def make_project(home: Home, name: str) -> Path:
    folder = home.folder / "work" / name
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@contextmanager
def temporary_home() -> Iterator[Home]:
    # Short, because a socket's path may have 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="memd-t-", dir="/tmp"))
    (folder / ".claude" / "projects").mkdir(parents=True)
    made = Home(folder)
    try:
        yield made
    finally:
        for pid in made.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not made.processes(), "the end of all that ran in the home")
        made.reap()
        shutil.rmtree(folder, ignore_errors=True)
