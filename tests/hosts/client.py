"""A client: one real coding agent, pinned, and how a person without a terminal works with it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from tests.hosts.machine import HOSTS_DIR, Machine, Outcome
from tests.hosts.script import Rule
from tests.hosts.scripted_model import Wire

Reach: TypeAlias = Literal["start", "tool", "everywhere"]
"""What a new session is given: its project's facts, at the start or with its first tool, or what holds everywhere."""


@dataclass(frozen=True, slots=True)
class Package:
    """Where a client comes from."""

    registry: Literal["npm", "pypi"]
    name: str
    version: str
    program: str
    """Its name among the programs the package brings."""

    @property
    def path(self) -> Path:
        """Where its program is once it has been fetched."""
        return (_npm_programs() if self.registry == "npm" else self.environment / "bin") / self.program

    @property
    def environment(self) -> Path:
        """The virtual environment of a package from PyPI."""
        return HOSTS_DIR / self.program

    @property
    def missing(self) -> str:
        """Why its tests are skipped, as a sentence; empty if the pinned version is there."""
        found = self.found()
        if found == self.version:
            return ""
        state = f"{found} is" if found else "nothing is"
        return f"{self.name} {self.version} is wanted but {state} installed in {HOSTS_DIR}: run `make test-hosts`"

    def found(self) -> str:
        """The version that is there, or nothing."""
        if not self.path.exists():
            return ""
        if self.registry == "npm":
            return str(json.loads((HOSTS_DIR / "node_modules" / self.name / "package.json").read_bytes())["version"])
        stem = self.name.replace("-", "_")
        (told, *_) = [*self.environment.glob(f"lib/*/site-packages/{stem}-*.dist-info"), Path()]
        return told.name.removeprefix(f"{stem}-").removesuffix(".dist-info")

    def fetch(self) -> None:
        """Install it in .hosts. Raises OSError or CalledProcessError where that is not possible."""
        HOSTS_DIR.mkdir(exist_ok=True)
        wanted = f"{self.name}{'@' if self.registry == 'npm' else '=='}{self.version}"
        if self.registry == "npm":
            quiet = ("--no-audit", "--no-fund", "--loglevel=error", "--save-exact")
            _run("npm", "install", "--prefix", str(HOSTS_DIR), *quiet, wanted)
        else:
            _run("python3", "-m", "venv", str(self.environment))
            _run(str(self.environment / "bin" / "pip"), "install", "--quiet", wanted)


class Client(Protocol):
    """What the tests ask of every client."""

    @property
    def host(self) -> str:
        """Its word in memd."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def package(self) -> Package:
        """The pinned program."""

    @property
    def wire(self) -> Wire:
        """How it speaks to its model."""

    @property
    def reach(self) -> Reach:
        """What a new session is given, and when."""

    @property
    def tells_its_end(self) -> bool:
        """Whether memd learns at once that a session is over; if not, its silence has to tell."""

    @property
    def keeps_a_session(self) -> bool:
        """Whether what is taken up again stays one session; if not, a new one goes on from the old one's words."""

    @property
    def keeps_output(self) -> bool:
        """Whether its transcript holds what a command printed and how it ended, not only its words."""

    @property
    def settings(self) -> tuple[str, ...]:
        """Files below the home that a person wrote, and that memd may add to."""

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write those files, as a person who has used the client for a while has them; what the environment needs."""

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, told with the client's own tools."""

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """A new session with one prompt, in the machine's project."""

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """One more prompt for the last session there."""


def write(path: Path, text: str) -> None:
    """Write a file of a person's, and the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _npm_programs() -> Path:
    return HOSTS_DIR / "node_modules" / ".bin"


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
