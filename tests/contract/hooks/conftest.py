"""Fixtures of the hook contract: a short folder for sockets, and the installed client as a host would run it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.hooks.hook_run import InstalledHook


@pytest.fixture
def room() -> Iterator[Path]:
    """A folder whose path is short enough for a unix socket on every system."""
    with tempfile.TemporaryDirectory(prefix="mh-", dir="/tmp") as folder:
        yield Path(folder).resolve()


@pytest.fixture
def hook(room: Path) -> InstalledHook:
    """The client as it is shipped."""
    return InstalledHook.install(room)


@pytest.fixture
def patient(room: Path) -> InstalledHook:
    """The client with a deadline that a busy test machine cannot miss, for tests of what is answered."""
    return InstalledHook.install(room, deadline_s=20.0).counted(20.0)


@pytest.fixture
def crowd(room: Path) -> InstalledHook:
    """A patient client to be run by the dozen."""
    return InstalledHook.install(room, deadline_s=20.0)
