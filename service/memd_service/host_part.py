"""Host part: what memd puts into one coding agent's files, as a part of install, uninstall and the doctor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from memd.errors import SettingsError
from memd_hooks import manifest, registration
from memd_hooks.host import Host
from memd_hooks.place import Place
from memd_hooks.registration import Registration
from memd_service.check import Check
from memd_service.environment import Environment
from memd_service.parts import Step

_AGAIN = "run `memd install` again"


def place_of(environment: Environment) -> Place:
    """Give what registrations are made from."""
    paths = environment.paths
    return Place(
        home=environment.home,
        env=environment.variables,
        python=environment.python,
        shim=paths.hook_shim,
        socket=paths.socket,
        spool=paths.spool_dir,
        data_dir=paths.data_dir,
    )


@dataclass(frozen=True, slots=True)
class HostPart:
    """The registrations in one host.

    A file that cannot be edited for certain is left out and said so; it keeps nobody from installing memd, unless the
    host was `asked` for by name.
    """

    environment: Environment
    host: Host
    asked: bool = False

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return self.host.title

    def step(self) -> Step:
        """Say what has to be written; raise SettingsError when a host that was asked for cannot be registered."""
        steps: list[str] = []
        for each in self._registrations():
            try:
                changes = registration.steps_to_install(each)
            except SettingsError as error:
                if self.asked:
                    raise
                steps.append(f"leave out {each.path} ({error.problem})")
            else:
                steps += [f"{change} ({each.path})" for change in _summed(changes)]
        changed = [step for step in steps if not step.startswith("leave out")]
        return Step(self.name, "; ".join(steps) or "is registered", bool(changed))

    def install(self) -> str:
        """Register memd, file by file in their order."""
        done: list[str] = []
        left: list[str] = []
        for each in self._registrations():
            try:
                registration.install(each, self.environment.paths.state_dir)
            except SettingsError as error:
                if self.asked:
                    raise
                left.append(f"{each.path} is left out: {error.problem}")
            else:
                done.append(str(each.path))
        said = [f"{self.name} has memd in {', '.join(done)}"] if done else [f"{self.name} goes without memd"]
        hint = [self.host.hint.rstrip(".")] if done and self.host.hint else []
        return ". ".join((*said, *left, *hint))

    def remove(self) -> tuple[str, ...]:
        """Take memd out of every file it was written to, in the reverse order."""
        state = self.environment.paths.state_dir
        written = reversed(tuple(self._written()))
        return tuple(f"memd in {each.path}" for each in written if registration.uninstall(each, state))

    def check(self) -> Check | None:
        """Look how it stands; None where the host is not here. Raises nothing."""
        known = bool(self._noted())
        place = place_of(self.environment)
        if not known and not self.host.is_here(place):
            return None
        pending: list[str] = []
        for each in self._registrations():
            try:
                pending += [f"{each.path}: {step}" for step in _summed(registration.steps_to_install(each))]
            except SettingsError as error:
                return Check(self.name, False, f"{each.path}: {error.problem}", f"mend it, then {_AGAIN}")
        if pending and not known:
            return Check(self.name, True, f"is here without memd; `memd install --host {self.host.name}` adds it")
        if pending:
            return Check(self.name, False, f"not as this version wants it: {'; '.join(pending)}", _AGAIN)
        for obstacle in self.host.obstacles(place):
            return Check(self.name, False, obstacle.detail, obstacle.fix)
        return Check(self.name, True, f"registered ({', '.join(str(each.path) for each in self._registrations())})")

    def _registrations(self) -> tuple[Registration, ...]:
        return self.host.all_registrations(place_of(self.environment))

    def _noted(self) -> tuple[Path, ...]:
        records = manifest.load(self.environment.paths.manifest_file).files
        return tuple(record.path for record in records if record.host == self.host.name)

    def _written(self) -> Iterator[Registration]:
        """Give the registrations, also where they were written when the host had its folder elsewhere."""
        for each in self._registrations():
            yield each
            yield from (
                replace(each, path=path) for path in self._noted() if path != each.path and path.name == each.path.name
            )


def _summed(steps: tuple[str, ...]) -> tuple[str, ...]:
    """Give the steps of one file in few words: "add a hook for A, B"."""
    groups: dict[str, list[str]] = {}
    for step in steps:
        what, found, event = step.partition(" hook for ")
        groups.setdefault(f"{what} hook for" if found else step, []).append(event)
    return tuple(f"{what} {', '.join(events)}".strip() for what, events in groups.items())
