"""The real Claude Code, run in a temporary home against a scripted model, with no network."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.hosts.machine import HOSTS_DIR, Outcome, machine, make_repository
from tests.hosts.terminal import Terminal, terminal

PINNED_VERSION = "2.1.332"
"""What ``make test-hosts`` installs: a native program, so the machine's node only runs npm."""

MISSING = (
    f"Claude Code is not installed in {HOSTS_DIR}: run `make test-hosts` "
    f"(npm install --prefix {HOSTS_DIR} @anthropic-ai/claude-code@{PINNED_VERSION})"
)

_MODEL = "sonnet"
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
        with terminal(self._command(*options), self.project, self.environment) as opened:
            yield opened

    def _command(self, *options: str) -> list[str]:
        allowed = ["--permission-mode", "acceptEdits", "--allowedTools", _TOOLS]
        return [str(self.program), "--model", _MODEL, *allowed, *options]


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
