"""memd as a person installs it: the command line only, in the temporary home of a test."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.hosts import stories
from tests.hosts.claude_code_client import Desk
from tests.hosts.machine import Machine, eventually

_COMMAND = Path(sys.executable).with_name("memd")


@dataclass(frozen=True, slots=True)
class Told:
    """What the command line answered."""

    exit_code: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A tool call as ``memd show --json`` tells it."""

    name: str
    exit_code: int | None
    ok: bool | None
    whole: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SeenMessage:
    """A message as ``memd show --json`` tells it."""

    role: str
    kind: str
    text: str
    calls: tuple[SeenCall, ...]


@dataclass(frozen=True, slots=True)
class SeenSession:
    """A session as ``memd sessions --json`` tells it."""

    id: str
    native_id: str
    host: str
    project: str
    ended: bool
    messages: int
    parent: str | None


@dataclass(frozen=True, slots=True)
class Memd:
    """The command line of the memd under test, in one person's home."""

    desk: Desk | Machine

    def tell(self, *words: str, timeout_s: float = 60.0) -> Told:
        """Run ``memd`` with these words and wait for its end."""
        done = subprocess.run(
            [str(_COMMAND), *words],
            cwd=self.desk.home,
            env=dict(self.desk.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        return Told(done.returncode, done.stdout, done.stderr)

    def must(self, *words: str) -> str:
        """What ``memd`` prints; fails the test when it says no."""
        told = self.tell(*words)
        assert told.exit_code == 0, f"memd {' '.join(words)}: {told.stderr or told.stdout}"
        return told.stdout

    def install(self) -> None:
        """The one command a person gives."""
        self.must("install", "--yes")

    def sessions(self) -> tuple[SeenSession, ...]:
        """All sessions memd knows."""
        return tuple(_session(one) for one in _rows(self.must("sessions", "--json")))

    def session(self, native_id: str) -> SeenSession:
        """The one session with the host's id."""
        (found,) = [one for one in self.sessions() if one.native_id == native_id]
        return found

    def messages(self, session: SeenSession) -> tuple[SeenMessage, ...]:
        """A session's messages, in order."""
        shown = json.loads(self.must("show", session.id, "--json"))
        return tuple(_message(one) for one in shown["messages"])

    def texts(self) -> tuple[str, ...]:
        """The text of every message of every session."""
        return tuple(m.text for one in self.sessions() for m in self.messages(one))

    def facts(self) -> tuple[Mapping[str, object], ...]:
        """All facts memd holds."""
        return tuple(_rows(self.must("facts", "--json")))

    def pid(self) -> int:
        """The daemon's process id."""
        pid = json.loads(self.must("status", "--json"))["pid"]
        assert isinstance(pid, int)
        return pid

    def wait_for_fact(self, phrase: str, *, timeout_s: float = 30.0) -> None:
        """Return once a fact holds a phrase."""
        eventually(
            lambda: any(phrase in f"{one['title']} {one['text']}" for one in self.facts()),
            f"a fact with {phrase!r}",
            timeout_s=timeout_s,
        )

    def kill_daemon(self) -> None:
        """End the daemon as a crash would: no goodbye, its socket left lying about."""
        kill(self.pid())

    def wait_for_text(self, text: str, *, timeout_s: float = 20.0) -> None:
        """Return once a captured message holds a text."""
        eventually(
            lambda: any(text in one for one in self.texts()),
            f"a captured message with {text!r}",
            timeout_s=timeout_s,
        )

    def wait_for_end(self, native_id: str, *, timeout_s: float = 30.0) -> None:
        """Return once a session is known to have ended."""
        eventually(
            lambda: any(one.native_id == native_id and one.ended for one in self.sessions()),
            f"the end of session {native_id}",
            timeout_s=timeout_s,
        )

    def own_files(self) -> tuple[Path, ...]:
        """Every file below the folders memd may write to."""
        env = self.desk.environment
        roots = (
            Path(env[name])
            for name in (
                "XDG_DATA_HOME",
                "XDG_STATE_HOME",
                "XDG_CACHE_HOME",
                "XDG_CONFIG_HOME",
                "XDG_RUNTIME_DIR",
            )
        )
        return tuple(path for root in roots for path in root.rglob("*memd*/**/*") if path.is_file())


@contextmanager
def installed_memd(desk: Desk | Machine) -> Iterator[Memd]:
    """memd installed and running in a home; its daemon is gone when the block ends."""
    memd = Memd(desk)
    memd.install()
    daemons = {memd.pid()}
    try:
        yield memd
    finally:
        status = memd.tell("status", "--json")
        if status.exit_code == 0:
            daemons.add(json.loads(status.stdout)["pid"])
        memd.tell("down")
        for pid in daemons:
            kill(pid)


def decide(desk: Desk, memd: Memd) -> None:
    """Hold the session in which the decision is made, from its prompt until memd knows its end."""
    outcome = desk.ask(stories.DECISION, "--session-id", stories.FIRST)
    assert outcome.exit_code == 0, outcome.stderr
    assert stories.DECIDED in outcome.stdout
    memd.wait_for_text(stories.DECIDED)
    memd.wait_for_end(stories.FIRST)


def said(messages: tuple[SeenMessage, ...]) -> list[str]:
    """What the person and the model said, in order, without commands, notices and summaries."""
    return [one.text for one in messages if one.kind in {"prompt", "reply"} and one.text]


def kill(pid: int) -> None:
    """SIGKILL a process and wait until it is gone; nothing to do when it is."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        for _ in range(500):
            os.kill(pid, 0)
            if _is_zombie(pid):
                return
            time.sleep(0.01)


def _is_zombie(pid: int) -> bool:
    """Whether a process has ended and only waits for its parent (init, which may take its time)."""
    try:
        return ") Z" in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def _rows(text: str) -> list[dict[str, object]]:
    rows = json.loads(text)
    assert isinstance(rows, list)
    return rows


def _session(row: Mapping[str, object]) -> SeenSession:
    messages = row["messages"]
    parent = row["parent"]
    assert isinstance(messages, int)
    return SeenSession(
        id=str(row["id"]),
        native_id=str(row["native_id"]),
        host=str(row["host"]),
        project=json.dumps(row["project"]),
        ended=bool(row["ended"]),
        messages=messages,
        parent=None if parent is None else str(parent),
    )


def _message(row: Mapping[str, object]) -> SeenMessage:
    calls = row["tool_calls"]
    assert isinstance(calls, list)
    return SeenMessage(
        role=str(row["role"]),
        kind=str(row["kind"]),
        text=str(row["text"]),
        calls=tuple(SeenCall(str(one["name"]), one.get("exit_code"), one.get("ok"), one) for one in calls),
    )
