from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.daemon.daemon_under_test import Home


@pytest.fixture
def home() -> Iterator[Home]:
    # Short, because a socket's path may have 107 bytes.
    folder = Path(tempfile.mkdtemp(prefix="memd-t-"))
    (folder / ".claude" / "projects").mkdir(parents=True)
    yield Home(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def project(home: Home) -> Path:
    """A git repository in the home folder."""
    return make_project(home, "harbor")


def make_project(home: Home, name: str) -> Path:
    folder = home.folder / "work" / name
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder
