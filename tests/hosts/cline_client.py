"""The real Cline CLI, run headless; the hub it leaves running ends with the test's home."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from tests.hosts import stories
from tests.hosts.client import Package, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "3.0.65"

_RULE: Final = "Ada's own: answer briefly.\n"


class Cline:
    """One rules file for all projects; hooks before and after tools bring the project's part."""

    host = "cline"
    title = "Cline CLI"
    package = Package("npm", "cline", PINNED_VERSION, "cline")
    wire = ChatWire()
    reach: Literal["project", "everywhere"] = "everywhere"
    tells_its_end = True
    settings = ("Documents/Cline/Rules/ada.md",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Sign in, with the client's own command, and write a rule."""
        write(machine.home / "Documents" / "Cline" / "Rules" / "ada.md", _RULE)
        given = ["--apikey", "x", "--baseurl", f"{model_url}/v1", "--modelid", "M"]
        outcome = machine.run([self.package.path, "auth", "openai", *given])
        assert outcome.exit_code == 0, outcome.stderr
        return {}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with run_commands and editor."""
        return stories.decision(project, stories.Tools(_shell, _write, _edit))

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``cline PROMPT``."""
        return machine.run([*self._command(), prompt])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``cline --id SESSION PROMPT``."""
        last = json.loads(machine.run([self.package.path, "history", "--json"]).stdout)[0]["sessionId"]
        return machine.run([*self._command(), "--id", last, prompt])

    def _command(self) -> list[str | Path]:
        return [self.package.path, "-P", "openai", "-k", "x", "-m", "M"]


def _shell(command: str) -> Call:
    return Call("run_commands", {"commands": [command]})


def _write(path: Path, text: str) -> Call:
    return Call("editor", {"path": str(path), "new_text": text})


def _edit(path: Path, old: str, new: str) -> Call:
    return Call("editor", {"path": str(path), "old_text": old, "new_text": new})
