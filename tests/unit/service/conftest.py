"""A user with a home folder of their own, and programs of the operating system that answer as told."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memd.paths import resolve
from memd_service.environment import Environment
from tests.unit.service.scripted_machine import ScriptedMachine


@pytest.fixture
def home() -> Iterator[Path]:
    """A home folder with a path short enough for a socket below it."""
    folder = Path(tempfile.mkdtemp(prefix="memd-ada-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def machine() -> ScriptedMachine:
    return ScriptedMachine()


@pytest.fixture
def make_environment(home: Path, machine: ScriptedMachine) -> Callable[..., Environment]:
    """Build the environment of that user, with `changes` to its fields."""

    def make(env: dict[str, str] | None = None, **changes: object) -> Environment:
        # No agent of the machine that runs the tests is found on this PATH.
        variables = {"HOME": str(home), "PATH": str(home / "bin"), **(env or {})}
        platform = str(changes.get("platform", "linux"))
        base = Environment(
            platform=platform,
            home=home,
            account_home=home,
            uid=os.getuid(),
            python=Path(sys.executable),
            version="1.2.3",
            paths=resolve(variables, home=home, platform=platform),
            variables=variables,
            run=machine,
        )
        return replace(base, **changes)  # type: ignore[arg-type]

    return make


@pytest.fixture
def environment(make_environment: Callable[..., Environment]) -> Environment:
    return make_environment()
