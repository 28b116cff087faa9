"""Guidance part: what hosts' models are told of memd in files of the person's own, where the person wants that."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from memd.errors import SettingsError
from memd_hooks import guidance, manifest, registration
from memd_hooks.guidance import Kind
from memd_hooks.registration import Registration
from memd_service.environment import Environment
from memd_service.host_part import place_of
from memd_service.parts import Step


@dataclass(frozen=True, slots=True)
class GuidancePart:
    """The guidance of some kinds in some hosts. What was written once is brought up to date by every install."""

    environment: Environment
    hosts: tuple[str, ...]
    kinds: tuple[Kind, ...] = ()

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return "guidance"

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to write or to keep up to date."""
        return any(self._wanted())

    def step(self) -> Step:
        """Say what has to be written; a file that cannot be edited for certain is left out."""
        steps: list[str] = []
        for each in self._wanted():
            try:
                steps += [f"{step} ({each.path})" for step in registration.steps_to_install(each)]
            except SettingsError as error:
                steps.append(f"leave out {each.path} ({error.problem})")
        changes = any(not step.startswith("leave out") for step in steps)
        return Step(self.name, "; ".join(steps) or "is written", changes)

    def install(self) -> str:
        """Write it."""
        said: list[str] = []
        for each in self._wanted():
            try:
                registration.install(each, self.environment.paths.state_dir)
                said.append(str(each.path))
            except SettingsError as error:
                said.append(f"{each.path} is left out: {error.problem}")
        return f"Agents are told of memd in {', '.join(said)}"

    def remove(self) -> tuple[str, ...]:
        """Take it out of every file it was written to."""
        state = self.environment.paths.state_dir
        return tuple(f"memd in {each.path}" for each in self._all() if registration.uninstall(each, state))

    def _wanted(self) -> Iterator[Registration]:
        noted = {record.path for record in self._noted()}
        for each in self._all():
            kind = each.host.rpartition(" ")[2]
            if kind in self.kinds or each.path in noted:
                yield each

    def _all(self) -> Iterator[Registration]:
        """Give what there can be, also where it was written when a host had its folder elsewhere."""
        place, version = place_of(self.environment), self.environment.version
        for host in self.hosts:
            for kind in guidance.KINDS:
                for each in guidance.registrations(host, kind, version, place):
                    yield each
                    for record in self._noted():
                        if record.host == each.host and record.path != each.path:
                            yield replace(each, path=record.path)

    def _noted(self) -> tuple[manifest.FileRecord, ...]:
        return manifest.load(self.environment.paths.manifest_file).files


def guidance_part(environment: Environment, hosts: Collection[str], kinds: tuple[Kind, ...] = ()) -> GuidancePart:
    """Give the part for those of the hosts that have a place for it."""
    return GuidancePart(environment, tuple(host for host in guidance.hosts() if host in hosts), kinds)
