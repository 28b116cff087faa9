"""Manager: what every way of running the daemon promises."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from memd_service import lockfile, process
from memd_service.environment import Environment
from memd_service.errors import DaemonDidNotStop

STOP_TIMEOUT_S = 20


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon runs."""

    pid: int
    version: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """No daemon runs."""


Daemon: TypeAlias = Running | Stopped


@dataclass(frozen=True, slots=True)
class State:
    """How things stand: which manager, whether it has been told about memd, and the daemon."""

    manager: str
    registered: bool
    daemon: Daemon


@dataclass(frozen=True, slots=True)
class UnitFile:
    """One file that a manager reads, and what it must contain."""

    path: Path
    content: bytes

    def is_current(self) -> bool:
        """Tell whether the file is there with just this content."""
        try:
            return self.path.read_bytes() == self.content
        except OSError:
            return False


class Manager(Protocol):
    """One way of running the daemon for its user.

    Every method returns when what it says is done, may be called again at any time with the same result,
    and raises ServiceError with one sentence when it cannot be done.
    """

    @property
    def name(self) -> str:
        """The word for it in messages: "systemd", "launchd" or "plain"."""

    def unit_files(self) -> tuple[UnitFile, ...]:
        """Give the files that install() writes; none where nothing starts memd by itself."""

    def install(self) -> None:
        """Write the unit files, have memd started at every login, and (re)start the daemon now."""

    def uninstall(self) -> None:
        """Stop the daemon, have it started no more, and remove the unit files."""

    def start(self) -> None:
        """Have a daemon running and answering."""

    def stop(self) -> None:
        """Have no daemon running until start() or the next login."""

    def restart(self) -> None:
        """Have a daemon running that was started after this call."""

    def state(self) -> State:
        """Say how things stand."""


def daemon_of(environment: Environment) -> Daemon:
    """Say whether a daemon runs for these folders, whoever started it."""
    holder = lockfile.running(environment.paths.lock_file)
    return Stopped() if holder is None else Running(holder.pid, holder.version)


def end_daemon(environment: Environment) -> None:
    """End the daemon of these folders, whoever started it; raise DaemonDidNotStop when it survives.

    It is asked first and given STOP_TIMEOUT_S seconds to finish what it has in hand.
    """
    holder = lockfile.running(environment.paths.lock_file)
    if holder is not None and not process.terminate(holder.pid, holder.start_time, deadline_s=STOP_TIMEOUT_S):
        raise DaemonDidNotStop(holder.pid)
