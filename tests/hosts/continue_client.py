"""The real Continue CLI, run headless (``cn -p``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "1.5.47"

_CONFIG: Final = """\
name: Harbor
version: 0.0.1
schema: v1
models:
  - name: m
    provider: openai
    model: m
    apiKey: x
    apiBase: {url}/v1
    roles: [chat]
    capabilities: [tool_use]
"""
_RULE: Final = "---\nname: Ada\nalwaysApply: true\n---\nAnswer briefly.\n"


class Continue:
    """One folder of rules for all projects."""

    host = "continue"
    title = "Continue CLI"
    package = Package("npm", "@continuedev/cli", PINNED_VERSION, "cn")
    wire = ChatWire()
    reach: Reach = "everywhere"
    tells_its_end = False
    keeps_a_session = True
    keeps_output = True
    settings = (".continue/config.yaml", ".continue/rules/ada.md")

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write a configuration with a model, and a rule."""
        write(machine.home / ".continue" / "config.yaml", _CONFIG.format(url=model_url))
        write(machine.home / ".continue" / "rules" / "ada.md", _RULE)
        return {"CONTINUE_TELEMETRY_ENABLED": "0"}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with Bash, Write, Read and Edit."""
        return stories.decision(project, stories.Tools(_shell, _write, _edit, _look))

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``cn -p PROMPT``."""
        return machine.run([*self._command(machine), "-p", prompt])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``cn --resume -p PROMPT``."""
        return machine.run([*self._command(machine), "--resume", "-p", prompt])

    def _command(self, machine: Machine) -> list[str | Path]:
        return [self.package.path, "--config", machine.home / ".continue" / "config.yaml", "--auto"]


def _shell(command: str) -> Call:
    return Call("Bash", {"command": command})


def _write(path: Path, text: str) -> Call:
    return Call("Write", {"filepath": str(path), "content": text})


def _edit(path: Path, old: str, new: str) -> Call:
    return Call("Edit", {"file_path": str(path), "old_string": old, "new_string": new})


def _look(path: Path) -> Call:
    return Call("Read", {"filepath": str(path)})
