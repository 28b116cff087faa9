"""The real Qwen Code, run headless (``qwen -p``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "0.24.4"

_SETTINGS: Final = """\
{
  // Ada's own.
  "security": {"auth": {"selectedType": "openai"}},
  "general": { "enableAutoUpdate": false },
  "privacy": {"usageStatisticsEnabled": false},
  "$version": 4
}
"""


class Qwen:
    """Runs with every tool allowed; beside the conversation it asks its model what to keep in a memory of its own."""

    host = "qwen"
    title = "Qwen Code"
    package = Package("npm", "@qwen-code/qwen-code", PINNED_VERSION, "qwen")
    wire = ChatWire()
    reach: Reach = "start"
    tells_its_end = False
    keeps_a_session = True
    keeps_output = True
    settings = (".qwen/settings.json",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write settings with the kind of sign-in, and the number of their form, which Qwen adds at its first start."""
        write(machine.home / ".qwen" / "settings.json", _SETTINGS)
        return {"OPENAI_BASE_URL": f"{model_url}/v1", "OPENAI_API_KEY": "x", "OPENAI_MODEL": "m"}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with run_shell_command, write_file and edit."""
        return stories.decision(project, stories.Tools(_shell, _write, _edit, _look))

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``qwen -p PROMPT``."""
        return machine.run([*self._command(), "-p", prompt])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``qwen --continue -p PROMPT``."""
        return machine.run([*self._command(), "--continue", "-p", prompt])

    def _command(self) -> list[str | Path]:
        return [self.package.path, "--yolo"]


def _shell(command: str) -> Call:
    return Call("run_shell_command", {"command": command, "description": "Look", "is_background": False})


def _write(path: Path, text: str) -> Call:
    return Call("write_file", {"file_path": str(path), "content": text})


def _edit(path: Path, old: str, new: str) -> Call:
    return Call("edit", {"file_path": str(path), "old_string": old, "new_string": new})


def _look(path: Path) -> Call:
    return Call("read_file", {"file_path": str(path)})
