"""Choice: which manager runs the daemon on this machine, and why that one."""

from __future__ import annotations

from dataclasses import dataclass

from memd_service import launchd, systemd
from memd_service.environment import Environment
from memd_service.errors import UnsupportedPlatform
from memd_service.launchd import Launchd
from memd_service.manager import Manager
from memd_service.plain import Plain
from memd_service.systemd import Systemd


@dataclass(frozen=True, slots=True)
class Choice:
    """A manager and, in a few words, why it was chosen."""

    manager: Manager
    why: str


def choose(environment: Environment) -> Choice:
    """Choose systemd where the user's manager answers, launchd on macOS, and else a plain process.

    Raises UnsupportedPlatform on Windows.
    """
    match environment.platform:
        case "win32" | "cygwin":
            raise UnsupportedPlatform("Windows")
        case "darwin":
            if launchd.available(environment):
                return Choice(Launchd(environment), "macOS starts it at login and restarts it")
            return Choice(Plain(environment), "launchd does not look after this home folder")
        case _:
            if systemd.available(environment):
                return Choice(Systemd(environment), "systemd starts it at login and restarts it")
            return Choice(Plain(environment), "no systemd user manager looks after this home folder")


def managers(environment: Environment) -> tuple[Manager, ...]:
    """Give every manager that may have been told about memd here, the chosen one first.

    A machine changes: a unit may be left from before systemd was switched off, or a plain process from
    before it was switched on. Whoever takes memd away has to ask all of them.
    """
    chosen = choose(environment).manager
    known: tuple[Manager, ...] = (
        (Launchd(environment), Plain(environment))
        if environment.platform == "darwin"
        else (Systemd(environment), Plain(environment))
    )
    return (chosen, *(manager for manager in known if manager.name != chosen.name))
