"""The real Codex, run headless (``codex exec``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Call, Rule
from tests.hosts.wire_responses import ResponsesWire

PINNED_VERSION: Final = "0.171.0"

_MODEL: Final = "gpt-5.5"
"""A model that Codex knows, so that it offers its own tools: exec_command, and apply_patch in free text."""
_CONFIG: Final = """\
# Ada's own.
model = "{model}"
model_provider = "harbor"

[model_providers.harbor]
name = "Harbor"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "HARBOR_KEY"

[history]
persistence = "save-all"   # as ever
"""
_HOOKS: Final = """\
{
    "hooks": {
        "Stop": [ {"hooks": [{"type": "command", "command": "true", "timeout": 5}]} ]
    }
}
"""


class Codex:
    """Hooks run only where they are trusted; the flag that trusts all stands for the person who said yes."""

    host = "codex"
    title = "Codex"
    package = Package("npm", "@openai/codex", PINNED_VERSION, "codex")
    wire = ResponsesWire()
    reach: Reach = "start"
    tells_its_end = True
    keeps_a_session = True
    keeps_output = True
    settings = (".codex/config.toml", ".codex/hooks.json")

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write a configuration with a provider and a hook of the person's own."""
        write(machine.home / ".codex" / "config.toml", _CONFIG.format(model=_MODEL, url=model_url))
        write(machine.home / ".codex" / "hooks.json", _HOOKS)
        return {"HARBOR_KEY": "x"}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with exec_command and apply_patch."""
        return stories.decision(project, stories.Tools(_shell, _write, _edit))

    def ask(self, machine: Machine, prompt: str, *, trusting: bool = True) -> Outcome:
        """``codex exec PROMPT``."""
        return machine.run([*self._command(trusting=trusting), prompt])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``codex exec resume --last PROMPT``."""
        return machine.run([*self._command(), "resume", "--last", prompt])

    def _command(self, *, trusting: bool = True) -> list[str | Path]:
        trust = ["--dangerously-bypass-hook-trust"] if trusting else []
        free = ["--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check"]
        return [self.package.path, "exec", *free, *trust]


def _shell(command: str) -> Call:
    return Call("exec_command", {"cmd": command})


def _write(path: Path, text: str) -> Call:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return Call("apply_patch", {"input": f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch"})


def _edit(path: Path, old: str, new: str) -> Call:
    change = f"*** Update File: {path}\n@@\n-{old}\n+{new}\n"
    return Call("apply_patch", {"input": f"*** Begin Patch\n{change}*** End Patch"})
