"""A machine of a test's own, as registrations see it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from memd_hooks import registration
from memd_hooks.host import Host
from memd_hooks.place import Place
from memd_hooks.registration import Registration


@dataclass(frozen=True, slots=True)
class Machine:
    """A home with memd's folders in it."""

    place: Place
    state: Path

    @classmethod
    def at(
        cls, home: Path, *, python: str = "/opt/ada's python/bin/python3", env: dict[str, str] | None = None
    ) -> Self:
        """Make the home's state folder; nothing else is there."""
        data = home / "data"
        state = home / "state"
        state.mkdir(exist_ok=True)
        place = Place(
            home=home,
            env=env or {},
            python=Path(python),
            shim=data / "bin" / "memd-hook",
            socket=home / "run" / "memd.sock",
            spool=state / "spool",
            data_dir=data,
        )
        return cls(place, state)

    def files(self, host: Host) -> tuple[Path, ...]:
        """Every file that the host has of memd."""
        return tuple(each.path for each in host.registrations(self.place))

    def install(self, host: Host) -> tuple[str, ...]:
        """Register, as install does; what was planned is what is done."""
        return tuple(step for each in host.registrations(self.place) for step in self._install(each))

    def uninstall(self, host: Host) -> tuple[str, ...]:
        """Unregister, as uninstall does."""
        there = reversed(host.registrations(self.place))
        return tuple(step for each in there for step in registration.uninstall(each, self.state))

    def left(self) -> dict[str, bytes]:
        """Every file and folder below the home, with what is in the files."""
        home = self.place.home
        return {
            str(path.relative_to(home)): path.read_bytes() if path.is_file() else b"(folder)"
            for path in sorted(home.rglob("*"))
        }

    def _install(self, each: Registration) -> tuple[str, ...]:
        planned = registration.steps_to_install(each)
        done = registration.install(each, self.state)
        assert done == planned
        return done
