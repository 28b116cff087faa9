"""The real OpenCode, run headless (``opencode run``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "1.18.33"

CONFIG: Final = """\
{
  "$schema": "https://opencode.ai/config.json",
  "model": "harbor/m",
  "autoupdate": false,
  "provider": {
    "harbor": {
      "npm": "@ai-sdk/openai-compatible", "name": "Harbor",
      "options": {"baseURL": "%s/v1", "apiKey": "x"},
      "models": {"m": {"name": "M", "limit": {"context": 100000, "output": 4000}}}
    }
  }
}
"""


class OpenCode:
    """Prompts are given word by word: a word with a blank in it would be put into quotes."""

    host = "opencode"
    title = "OpenCode"
    package = Package("npm", "opencode-ai", PINNED_VERSION, "opencode")
    wire = ChatWire()
    reach: Reach = "start"
    tells_its_end = True
    keeps_a_session = True
    keeps_output = True
    settings = (".config/opencode/opencode.json",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write a configuration with a provider, beside what the client has fetched once for plugins.

        As long as that is missing it is fetched at every start, before plugins are loaded; without a network that
        takes more than a minute a time.
        """
        folder = machine.home / ".config" / "opencode"
        write(folder / "opencode.json", CONFIG % model_url)
        fetched = {"dependencies": {"@opencode-ai/plugin": PINNED_VERSION}}
        write(folder / "package.json", json.dumps(fetched))
        write(folder / "package-lock.json", json.dumps({"lockfileVersion": 3, "packages": {"": fetched}}))
        (folder / "node_modules").mkdir()
        return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with bash, write and edit."""
        return stories.decision(project, TOOLS)

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``opencode run PROMPT``."""
        return machine.run([self.package.path, "run", *prompt.split(" ")])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``opencode run --continue PROMPT``."""
        return machine.run([self.package.path, "run", "--continue", *prompt.split(" ")])


def _shell(command: str) -> Call:
    return Call("bash", {"command": command})


def _write(path: Path, text: str) -> Call:
    return Call("write", {"filePath": str(path), "content": text})


def _edit(path: Path, old: str, new: str) -> Call:
    return Call("edit", {"filePath": str(path), "oldString": old, "newString": new})


TOOLS: Final = stories.Tools(_shell, _write, _edit)
"""Those of OpenCode and of what took over its core."""
