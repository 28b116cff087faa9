"""The real Aider, run headless (``aider --message``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Package, Reach, write
from tests.hosts.machine import Machine, Outcome
from tests.hosts.script import Rule
from tests.hosts.wire_chat import ChatWire

PINNED_VERSION: Final = "0.86.2"

_CONFIG: Final = """\
# Ada's own.
model: openai/m
check-update: false
analytics: false
gitignore: false       # she writes it herself
show-model-warnings: false
"""
_LOOK: Final = "/run echo three piers\n"
_ANSWER: Final = f"""\
{stories.AGREEMENT}

docs/storage.md
```
# Storage

The tide table is in SQLite: no server needed.
```

{stories.DECIDED}
"""


class Aider:
    """Its model knows no tools: files are in its words, and commands are the person's own (``/run``)."""

    host = "aider"
    title = "Aider"
    package = Package("pypi", "aider-chat", PINNED_VERSION, "aider")
    wire = ChatWire()
    reach: Reach = "everywhere"
    tells_its_end = False
    keeps_a_session = False
    keeps_output = False
    settings = (".aider.conf.yml",)

    def prepare(self, machine: Machine, model_url: str) -> Mapping[str, str]:
        """Write a configuration."""
        write(machine.home / ".aider.conf.yml", _CONFIG)
        return {"OPENAI_API_BASE": f"{model_url}/v1", "OPENAI_API_KEY": "x"}

    def story(self, project: Path) -> tuple[Rule, ...]:
        """The decision, with the file in the answer."""
        return stories.decision_in_words(_ANSWER)

    def ask(self, machine: Machine, prompt: str) -> Outcome:
        """``aider --message PROMPT``; the decision is typed in, after a command of the person's own."""
        if prompt == stories.DECISION:
            return machine.run(self._command(), typed=f"{_LOOK}{prompt}\n")
        return machine.run([*self._command(), "--message", prompt])

    def go_on(self, machine: Machine, prompt: str) -> Outcome:
        """``aider --restore-chat-history --message PROMPT``."""
        return machine.run([*self._command(), "--restore-chat-history", "--message", prompt])

    def _command(self) -> list[str | Path]:
        return [self.package.path, "--yes-always"]
