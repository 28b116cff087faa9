"""The real Cline CLI, run headless; the hub it leaves running ends with the test's home."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule, rule
from tests.hosts.terminal import terminal
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "3.0.65"

_RULE: Final = "Ada's own: answer briefly.\n"


class Cline:
    """One rules file for all projects; a hook before its tools brings the project's part."""

    host = "cline"
    title = "Cline CLI"
    package = Package("npm", "cline", PINNED_VERSION, "cline")
    wire = ChatWire()
    reach: Reach = "tool"
    tells_its_end = True
    keeps_a_session = True
    keeps_output = True
    settings = ("Documents/Cline/Rules/ada.md",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write a rule, and what ``cline auth openai`` leaves behind (ten seconds a time)."""
        write(machine.home / "Documents" / "Cline" / "Rules" / "ada.md", _RULE)
        providers = machine.home / ".cline" / "data" / "settings" / "providers.json"
        write(providers, json.dumps(_providers(model_url), indent=2) + "\n")
        return {}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with run_commands and editor; the next step is told after a look."""
        looking = rule("step comes next", _shell("echo three piers"), stories.NEXT)
        return (looking, *stories.decision(project, stories.Tools(_shell, _write, _edit)))

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``cline PROMPT``, again where its runtime crashed before it had begun (once in some thirty starts)."""
        outcome = machine.run([*self._command(), prompt])
        if "while starting a worker" in outcome.stderr:
            outcome = machine.run([*self._command(), prompt])
        return outcome

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``cline --id SESSION`` and the prompt typed in: without a terminal no session is taken up."""
        last = max((machine.home / ".cline" / "data" / "sessions").iterdir()).name  # it begins with the time
        with terminal([*self._command(), "--id", last], machine.project, machine.environment) as opened:
            opened.settle(quiet_s=2.0)
            opened.say(prompt)
            opened.settle(quiet_s=2.0)
            opened.say("/exit")
            return Outcome(opened.wait(), opened.screen, "")

    def _command(self) -> list[str | Path]:
        return [self.package.path, "-P", "openai", "-k", "x", "-m", "M"]


def _providers(model_url: str) -> dict[str, object]:
    settings = {"provider": "openai-compatible", "apiKey": "x", "model": "M", "baseUrl": f"{model_url}/v1"}
    entry = {"settings": settings, "updatedAt": "2026-11-30T06:00:00.000Z", "tokenSource": "manual"}
    return {"version": 1, "lastUsedProvider": "openai-compatible", "providers": {"openai-compatible": entry}}


def _shell(command: str) -> Call:
    return Call("run_commands", {"commands": [command]})


def _write(path: Path, text: str) -> Call:
    return Call("editor", {"path": str(path), "new_text": text})


def _edit(path: Path, old: str, new: str) -> Call:
    return Call("editor", {"path": str(path), "old_text": old, "new_text": new})
