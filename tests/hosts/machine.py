"""One person's machine for the length of a test: a home, a project in it, and programs that reach no network."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

HOSTS_DIR = Path(os.environ.get("MEMD_TEST_HOSTS_DIR") or Path(__file__).parents[2] / ".hosts").resolve()
"""Where ``make test-hosts`` puts the clients."""

_NOWHERE = "http://127.0.0.1:9"
"""A proxy that refuses: whatever tries to leave this machine fails at once instead of waiting."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of a client ended."""

    exit_code: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class Machine:
    """A home and a project in it, and the environment every program of that person is given."""

    home: Path
    project: Path
    environment: Mapping[str, str]

    def at_project(self, name: str) -> Machine:
        """The same machine and person, in another project (made when it is not there yet)."""
        project = self.home / name
        if not project.exists():
            make_repository(project, self.environment)
        return replace(self, project=project)

    def having(self, environment: Mapping[str, str]) -> Machine:
        """The same machine, with more in its environment."""
        return replace(self, environment={**self.environment, **environment})

    def run(self, command: Sequence[str | Path], *, typed: str = "", timeout_s: float = 120.0) -> Outcome:
        """Run a program in the project, without a terminal, give it what is typed, and wait for its end."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.project,
            env=dict(self.environment),
            input=typed,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def end_leftovers(self) -> None:
        """End what clients left running in the background: the processes that have this home."""
        mark = f"HOME={self.home}".encode()
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    os.kill(int(folder.name), signal.SIGKILL)


@contextmanager
def machine() -> Iterator[Machine]:
    """A fresh home with an empty git project; what still runs in it is ended with the block.

    The folder's name is short because a unix socket's path may hold 107 bytes.
    """
    with tempfile.TemporaryDirectory(prefix="ada-", ignore_cleanup_errors=True) as folder:
        root = Path(folder).resolve()
        home = root / "ada"
        home.mkdir()
        (root / "run").mkdir(mode=0o700)
        environment = _environment(root, home)
        make_repository(home / "harbor", environment)
        fresh = Machine(home, home / "harbor", environment)
        try:
            yield fresh
        finally:
            fresh.end_leftovers()


def eventually(condition: Callable[[], bool], what: str, *, timeout_s: float = 30.0) -> None:
    """Return once a condition holds; raises TimeoutError naming what did not come."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() >= deadline:
            raise TimeoutError(f"{what} did not come within {timeout_s:g} s")
        time.sleep(0.05)


def make_repository(project: Path, environment: Mapping[str, str]) -> None:
    """An empty git repository. Raises RuntimeError where git is missing."""
    git = shutil.which("git")
    if git is None:
        raise RuntimeError("git is not installed: the projects of these tests are repositories")
    subprocess.run(
        [git, "init", "--quiet", "--initial-branch=main", str(project)],
        env=dict(environment),
        check=True,
    )


def _environment(root: Path, home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "USER": "ada",
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "TZ": "UTC",
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_RUNTIME_DIR": str(root / "run"),
        "HTTP_PROXY": _NOWHERE,
        "HTTPS_PROXY": _NOWHERE,
        "NO_PROXY": "127.0.0.1,localhost",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@harbor.example",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@harbor.example",
    }
