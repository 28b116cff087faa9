"""The real Gemini CLI, run headless (``gemini -p``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule
from tests.hosts.wire_gemini import GeminiWire

PINNED_VERSION: Final = "0.61.0"

_SETTINGS: Final = """\
{
  // Ada's own.
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
  "privacy": {"usageStatisticsEnabled": false}
}
"""


class Gemini:
    """Runs in a folder that counts as trusted, with every tool allowed."""

    host = "gemini"
    title = "Gemini CLI"
    package = Package("npm", "@google/gemini-cli", PINNED_VERSION, "gemini")
    wire = GeminiWire()
    reach: Reach = "start"
    tells_its_end = True
    keeps_a_session = True
    keeps_output = True
    settings = (".gemini/settings.json",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write settings with the kind of sign-in."""
        write(machine.home / ".gemini" / "settings.json", _SETTINGS)
        return {"GOOGLE_GEMINI_BASE_URL": model_url, "GEMINI_API_KEY": "x", "GEMINI_CLI_TRUST_WORKSPACE": "true"}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with run_shell_command, write_file and replace."""
        return stories.decision(project, stories.Tools(_shell, _write, _edit))

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``gemini -p PROMPT``."""
        return machine.run([*self._command(), "-p", prompt])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``gemini --resume latest -p PROMPT``."""
        return machine.run([*self._command(), "--resume", "latest", "-p", prompt])

    def _command(self) -> list[str | Path]:
        return [self.package.path, "--skip-trust", "--yolo"]


def _shell(command: str) -> Call:
    return Call("run_shell_command", {"command": command, "description": "Look"})


def _write(path: Path, text: str) -> Call:
    return Call("write_file", {"file_path": str(path), "content": text})


def _edit(path: Path, old: str, new: str) -> Call:
    given = {"file_path": str(path), "old_string": old, "new_string": new, "instruction": "Say where it is kept."}
    return Call("replace", given)
