"""A real daemon in a home of its own, with a decided session behind it, and the command line to ask it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memd.paths import Paths, resolve
from tests.measured import MEASURED

DECIDED = "0a11ce00-0000-4000-8000-000000000001"
AGENT = "0a11ce0000000002"
DECISION = (
    "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server and must keep"
    " working when the line is down."
)
_PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class Told:
    """What a command answered."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Home:
    """A person's home folder with `memd` in it."""

    folder: Path
    env: dict[str, str]

    @property
    def paths(self) -> Paths:
        """The places of memd."""
        return resolve(self.env)

    @property
    def project(self) -> Path:
        """The project in which the session took place."""
        return self.folder / "work" / "harbor"

    def memd(self, *words: str, cwd: Path | None = None) -> Told:
        """Run a command as a person does."""
        done = subprocess.run(
            [sys.executable, "-I", "-m", "memd", *words],
            env=self.env,
            cwd=cwd or self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
        return Told(done.returncode, done.stdout, done.stderr)

    def until(self, *words: str, tells: object) -> Told:
        """Run a command until its JSON is as a predicate wants it."""
        assert callable(tells)
        end = time.monotonic() + _PATIENCE_S
        while True:
            told = self.memd(*words, "--json")
            if told.status == 0 and tells(told.json):
                return told
            assert time.monotonic() < end, f"memd {' '.join(words)}: {told}"
            time.sleep(0.1)


def write_session(home: Home) -> None:
    """A session of Claude Code, months ago, in which something was decided, with a subagent."""
    folder = home.folder / ".claude" / "projects" / "-harbor"
    (folder / DECIDED / "subagents").mkdir(parents=True)
    talk = (DECISION, "Agreed: SQLite instead of Postgres, because the office has no server. Done.", "Thank you.")
    rows = [_row(home, number, text) for number, text in enumerate(talk)]
    (folder / f"{DECIDED}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    agent = _row(home, 0, "Count the piers.") | {"isSidechain": True, "agentId": AGENT, "uuid": _id(90)}
    (folder / DECIDED / "subagents" / f"agent-{AGENT}.jsonl").write_text(json.dumps(agent) + "\n")


def _row(home: Home, number: int, text: str) -> dict[str, object]:
    prompt = number % 2 == 0
    blocks = [{"type": "text", "text": text}]
    reply = {"role": "assistant", "id": f"msg_{number}", "model": "claude-opus-5-5", "content": blocks}
    return {
        "parentUuid": _id(number - 1) if number else None,
        "isSidechain": False,
        "type": "user" if prompt else "assistant",
        "message": {"role": "user", "content": text} if prompt else reply,
        "uuid": _id(number),
        "timestamp": f"2026-03-01T10:00:{number:02}.000Z",
        "cwd": str(home.project),
        "sessionId": DECIDED,
        "version": "2.1.332",
    }


def _id(number: int) -> str:
    return f"0a11ce00-0000-4000-9000-{number:012}"


def make_home(folder: Path) -> Home:
    """A home with a repository in it."""
    home = Home(folder, {**MEASURED, "HOME": str(folder), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
    (home.project / ".git").mkdir(parents=True)
    (home.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".claude" / "projects").mkdir(parents=True)
    return home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A home without memd; whatever a test starts in it is gone afterwards."""
    made = make_home(tmp_path / "ada")
    yield made
    made.memd("down")


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A home in which memd is installed and has read and distilled the session."""
    made = make_home(tmp_path_factory.mktemp("home") / "ada")
    write_session(made)
    installed = made.memd("install", "--yes")
    assert installed.status == 0, installed
    made.until("facts", tells=len)
    yield made
    made.memd("down")
