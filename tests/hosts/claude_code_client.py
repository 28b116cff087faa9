"""The real Claude Code, run in a temporary home against a scripted model, with no network."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.hosts.machine import HOSTS_DIR, Outcome, machine, make_repository

PINNED_VERSION = "2.1.332"
"""What ``make test-hosts`` installs: a native program, so the machine's node only runs npm."""

MISSING = (
    f"Claude Code is not installed in {HOSTS_DIR}: run `make test-hosts` "
    f"(npm install --prefix {HOSTS_DIR} @anthropic-ai/claude-code@{PINNED_VERSION})"
)

_MODEL = "sonnet"
_UP = "\x1b[A"
_TOOLS = "Bash Read Write Edit Agent"


def installed() -> Path | None:
    """The client's program, or None where it has not been installed.

    The platform's own package comes first, so that npm need not be allowed to run install scripts; versions
    before 2.1 are scripts for node.
    """
    modules = HOSTS_DIR / "node_modules"
    programs = [*sorted(modules.glob("@anthropic-ai/claude-code-*/claude")), modules / ".bin" / "claude"]
    return next((path for path in programs if path.exists()), None)


def version_of(program: Path) -> str:
    """The version a program says it has, `2.1.332`."""
    told = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=True)
    return told.stdout.split()[0]


@dataclass(frozen=True, slots=True)
class Desk:
    """One person's machine for the length of a test: a home, a project in it, and the client."""

    program: Path
    home: Path
    project: Path
    environment: Mapping[str, str]

    @property
    def settings(self) -> Path:
        """The settings file hooks are registered in."""
        return self.home / ".claude" / "settings.json"

    @property
    def transcripts(self) -> tuple[Path, ...]:
        """The session files the client has written, without those of subagents, by name."""
        return tuple(sorted((self.home / ".claude" / "projects").glob("*/*.jsonl")))

    def transcript_after(self, native_id: str) -> Path:
        """The one other session file, where a session was followed by exactly one more."""
        (other,) = [path for path in self.transcripts if path.stem != native_id]
        return other

    def at_project(self, name: str) -> Desk:
        """The same machine and person, in another project (made when it is not there yet)."""
        project = self.home / name
        if not project.exists():
            make_repository(project, self.environment)
        return replace(self, project=project)

    def ask(self, prompt: str, *options: str, timeout_s: float = 60.0) -> Outcome:
        """Run the client once without a terminal (``claude -p``) and wait for its end."""
        done = subprocess.run(
            [*self._command(*options), "-p", prompt],
            cwd=self.project,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def terminal(self, *options: str) -> Iterator[Terminal]:
        """The client as a person sees it, in a pseudo terminal; killed when the block ends."""
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        process = subprocess.Popen(
            self._command(*options),
            cwd=self.project,
            env=dict(self.environment),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        terminal = Terminal(process, master)
        try:
            terminal.settle(quiet_s=1.0)
            yield terminal
        finally:
            terminal.close()

    def _command(self, *options: str) -> list[str]:
        allowed = ["--permission-mode", "acceptEdits", "--allowedTools", _TOOLS]
        return [str(self.program), "--model", _MODEL, *allowed, *options]


class Terminal:
    """A client in a pseudo terminal. Wait for what it did (requests, rows), not for its looks."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self._master = master
        self._changed = threading.Condition()
        self._screen = bytearray()
        self._last_output_s = time.monotonic()
        self._reader = threading.Thread(target=self._read, name="terminal")
        self._reader.start()

    @property
    def screen(self) -> str:
        """All that was written to the terminal, escape sequences included (to explain a failure)."""
        with self._changed:
            return self._screen.decode("utf-8", "replace")

    def say(self, line: str) -> None:
        """Type a line, let the client draw it, and press Enter."""
        self.press(line)
        self.press("\r")

    def press(self, keys: str) -> None:
        """Send keys and wait until the client has drawn what follows from them."""
        with self._changed:
            self._last_output_s = time.monotonic()
        os.write(self._master, keys.encode())
        self.settle()

    def rewind_one_prompt(self) -> None:
        """Go back to before the last prompt, which is then in the input line again to be edited."""
        for keys in ("\x1b", "\x1b", _UP, "\r", "\r"):
            self.press(keys)

    def settle(self, *, quiet_s: float = 0.4, timeout_s: float = 30.0) -> None:
        """Return once the client has written nothing for a while; raises TimeoutError."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while True:
                now = time.monotonic()
                silent_s = now - self._last_output_s
                if silent_s >= quiet_s and self._screen:
                    return
                if now >= deadline:
                    raise TimeoutError("the client went on drawing")
                self._changed.wait(max(quiet_s - silent_s, 0.01))

    def wait(self, *, timeout_s: float = 30.0) -> int:
        """The client's exit code, once it has ended by itself."""
        return self.process.wait(timeout_s)

    def kill(self) -> None:
        """End the client without warning, as a crash would."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def close(self) -> None:
        """Kill what still runs and give the terminal back."""
        self.kill()
        self._reader.join(10)
        os.close(self._master)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:  # Linux says EIO when the last program on the other side is gone
                return
            if not data:
                return
            with self._changed:
                self._screen += data
                self._last_output_s = time.monotonic()
                self._changed.notify_all()


@contextmanager
def desk(program: Path, model_url: str) -> Iterator[Desk]:
    """A fresh home with an empty git project and a client that is past its first-start questions."""
    with machine() as fresh:
        (fresh.home / ".claude").mkdir()
        _prepare(fresh.home, fresh.project)
        environment = {**fresh.environment, **_environment(model_url)}
        yield Desk(program, fresh.home, fresh.project, environment)


def rows(transcript: Path) -> list[dict[str, object]]:
    """The whole lines of a session file; a line still being written is left out."""
    complete, _, _ = transcript.read_bytes().rpartition(b"\n")
    return [json.loads(line) for line in complete.split(b"\n") if line]


def _prepare(home: Path, project: Path) -> None:
    state = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": ["x"], "rejected": []},
        "projects": {str(project): {"hasTrustDialogAccepted": True, "allowedTools": []}},
    }
    (home / ".claude.json").write_text(json.dumps(state))


def _environment(model_url: str) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": model_url,
        "ANTHROPIC_API_KEY": "x",
        "IS_SANDBOX": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
