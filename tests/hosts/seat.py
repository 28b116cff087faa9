"""A seat: a person's machine with one of the clients, and the scripted model it asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.hosts.client import Client
from tests.hosts.machine import Machine, Outcome, machine
from tests.hosts.script import script
from tests.hosts.scripted_model import ScriptedModel, running

_IMPATIENT = {"MEMD_CAPTURE_IDLE_MINUTES": "1", "MEMD_CAPTURE_RESCAN_S": "5"}
"""For clients that tell nothing by themselves: minutes of silence, and of looking around, are too long for a test."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What a test holds of it."""

    client: Client
    machine: Machine
    model: ScriptedModel

    def ask(self, prompt: str, *, project: str = "harbor") -> Outcome:
        """A new session with one prompt; fails the test if the client says no."""
        return _well(self.client.ask(self.machine.at_project(project), prompt))

    def go_on(self, prompt: str) -> Outcome:
        """One more prompt for the last session; fails the test if the client says no."""
        return _well(self.client.go_on(self.machine, prompt))

    def settings(self) -> Mapping[str, bytes]:
        """The files that the person wrote, as they are now."""
        return {name: (self.machine.home / name).read_bytes() for name in self.client.settings}

    def files(self) -> Mapping[str, bytes]:
        """Every file of the home but memd's own and the project's."""
        home = self.machine.home
        names = (path.relative_to(home) for path in sorted(home.rglob("*")) if path.is_file())
        return {str(name): (home / name).read_bytes() for name in names if not _is_memds(name)}


@contextmanager
def seat(client: Client) -> Iterator[Seat]:
    """A fresh machine with a client whose model knows the story."""
    with running(script(), client.wire) as model, machine() as fresh:
        fresh = fresh.having(client.prepare(fresh, model.url))
        if not client.tells_its_end:
            fresh = fresh.having(_IMPATIENT)
        model.script = script(*client.story(fresh.project))
        yield Seat(client, fresh, model)


def _well(outcome: Outcome) -> Outcome:
    assert outcome.exit_code == 0, outcome.stderr[-2000:] or outcome.stdout[-2000:]
    return outcome


def _is_memds(name: Path) -> bool:
    """Whether a file lies where memd keeps its own, rather than in a host's folder."""
    match name.parts:
        case (".local" | ".cache" | ".config", *rest):
            return any(part.startswith(("memd", "dev.memd")) for part in rest[:3])
        case _:
            return False
