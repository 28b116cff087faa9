"""The real Copilot CLI, run headless (``copilot -p``), offline and with a model of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "1.0.102"

_SERVERS: Final = """\
{
  "mcpServers": {}
}
"""


class Copilot:
    """Runs in a folder of its own below ~/.copilot, with every tool allowed; it makes no folder for a new file."""

    host = "copilot"
    title = "Copilot CLI"
    package = Package("npm", "@github/copilot", PINNED_VERSION, "copilot")
    wire = ChatWire()
    reach: Reach = "start"
    tells_its_end = True
    keeps_a_session = True
    keeps_output = True
    settings = (".copilot/mcp-config.json",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write the list of MCP servers; the model is told by the environment alone."""
        write(machine.home / ".copilot" / "mcp-config.json", _SERVERS)
        (machine.project / "docs").mkdir()
        return {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": f"{model_url}/v1",
            "COPILOT_PROVIDER_API_KEY": "x",
            "COPILOT_MODEL": "m",
        }

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with bash, create and edit."""
        return stories.decision(project, stories.Tools(_shell, _write, _edit))

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``copilot -p PROMPT``."""
        return machine.run([*self._command(), "-p", prompt])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``copilot --continue -p PROMPT``."""
        return machine.run([*self._command(), "--continue", "-p", prompt])

    def _command(self) -> list[str | Path]:
        return [self.package.path, "--allow-all-tools", "--allow-all-paths", "--disable-builtin-mcps", "--no-color"]


def _shell(command: str) -> Call:
    return Call("bash", {"command": command, "description": "Look", "mode": "sync"})


def _write(path: Path, text: str) -> Call:
    return Call("create", {"path": str(path), "file_text": text})


def _edit(path: Path, old: str, new: str) -> Call:
    return Call("edit", {"path": str(path), "old_str": old, "new_str": new})
