"""The real Kilo CLI, run headless (``kilo run``); a descendant of OpenCode, which it resembles in nearly everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import opencode_client, stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Rule
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "7.7.7"

_SLOW_S: Final = 240.0
"""Its first start makes a database and a snapshot of the project, which takes a minute on a busy machine."""
_CONFIG: Final = opencode_client.CONFIG.replace("https://opencode.ai/config.json", "https://app.kilo.ai/config.json")


class Kilo:
    """Runs with every tool allowed. At its first start it writes that into the settings, as it found it."""

    host = "kilo"
    title = "Kilo CLI"
    package = Package("npm", "@kilocode/cli", PINNED_VERSION, "kilo")
    wire = ChatWire()
    reach: Reach = "start"
    tells_its_end = True
    keeps_a_session = True
    keeps_output = True
    settings = (".config/kilo/kilo.json",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write a configuration with a provider, and what a first start leaves beside it (see `opencode_client`)."""
        folder = machine.home / ".config" / "kilo"
        write(folder / "kilo.json", _CONFIG % model_url)
        write(folder / ".bash-permission-migrated", "")
        fetched = {"dependencies": {"@kilocode/plugin": PINNED_VERSION}}
        write(folder / "package.json", json.dumps(fetched))
        write(folder / "package-lock.json", json.dumps({"lockfileVersion": 3, "packages": {"": fetched}}))
        (folder / "node_modules").mkdir()
        return {
            "KILO_DISABLE_MODELS_FETCH": "1",
            "KILO_DISABLE_AUTOUPDATE": "1",
            "KILO_DISABLE_DEFAULT_PLUGINS": "1",
            "KILO_TELEMETRY_LEVEL": "off",
        }

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with OpenCode's tools."""
        return stories.decision(project, opencode_client.TOOLS)

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``kilo run PROMPT``."""
        return machine.run([*self._command(), *prompt.split(" ")], timeout_s=_SLOW_S)

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``kilo run --continue PROMPT``."""
        return machine.run([*self._command(), "--continue", *prompt.split(" ")], timeout_s=_SLOW_S)

    def _command(self) -> list[str | Path]:
        return [self.package.path, "run", "--auto"]
