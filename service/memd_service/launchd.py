"""launchd: memd as a user agent of macOS (launchd.plist(5), launchctl(1)).

The daemon binds its socket itself: launchd hands sockets over by a private call and not by LISTEN_FDS.
"""

from __future__ import annotations

import plistlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memd.paths import Paths
from memd_service import files
from memd_service.environment import Environment
from memd_service.errors import CommandFailed, DaemonDidNotStart
from memd_service.manager import STOP_TIMEOUT_S, State, UnitFile, daemon_of, end_daemon
from memd_service.reach import wait_until_answering

_START_TIMEOUT_S = 30.0
_POLL_S = 0.1
# launchd gives agents /usr/bin:/bin:/usr/sbin:/sbin; git may come from Homebrew.
_PATH = "/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def label_of(instance: str) -> str:
    """Name the agent: "dev.memd" for the usual one."""
    return f"dev.{instance}"


def output_file(paths: Paths) -> Path:
    """Say where what the daemon prints outside its own log goes."""
    return paths.state_dir / "service.log"


def render_plist(
    python: Path, *, output: Path, label: str = "dev.memd", variables: Mapping[str, str] | None = None
) -> bytes:
    """Render the agent: `python -I -m memd up --service`, restarted unless it ended by itself.

    Numbers are decimal, as launchd wants them (Umask 63 is 077). ProcessType is Standard: Background would
    be throttled, and a session start waits for the answer.
    """
    agent: dict[str, object] = {
        "Label": label,
        "ProgramArguments": [str(python), "-I", "-m", "memd", "up", "--service"],
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Standard",
        "LowPriorityBackgroundIO": True,
        "Nice": 10,
        "ThrottleInterval": 10,
        "ExitTimeOut": STOP_TIMEOUT_S,
        "Umask": 0o077,
        "EnvironmentVariables": {"PATH": _PATH, **(variables or {})},
        "StandardOutPath": str(output),
        "StandardErrorPath": str(output),
    }
    return plistlib.dumps(agent, sort_keys=False)


def available(environment: Environment) -> bool:
    """Tell whether launchd is here and would read the agent of this home folder."""
    return (
        environment.platform == "darwin"
        and environment.home == environment.account_home
        and environment.run(("launchctl", "version")).status == 0
    )


@dataclass(frozen=True, slots=True)
class Launchd:
    """The daemon as an agent of the user's launchd."""

    environment: Environment

    @property
    def name(self) -> str:
        """ "launchd"."""
        return "launchd"

    @property
    def _label(self) -> str:
        return label_of(self.environment.instance)

    @property
    def _plist(self) -> Path:
        return self.environment.home / "Library" / "LaunchAgents" / f"{self._label}.plist"

    def unit_files(self) -> tuple[UnitFile, ...]:
        """Give the one plist."""
        here = self.environment
        content = render_plist(
            here.python,
            output=output_file(here.paths),
            label=self._label,
            variables=here.folder_variables,
        )
        return (UnitFile(self._plist, content),)

    def install(self) -> None:
        """Write the plist and load it anew."""
        for unit in self.unit_files():
            files.write(unit.path, unit.content, mode=0o644)
        self.restart()

    def uninstall(self) -> None:
        """Unload the agent and remove its plist; a launchd that looks after another home is told nothing."""
        if available(self.environment):
            self.stop()
        else:
            end_daemon(self.environment)
        self._plist.unlink(missing_ok=True)

    def start(self) -> None:
        """Load the agent, or wake it, and wait until the daemon answers."""
        # launchd creates no log file with the right mode, and no folder for it at all.
        files.touch_private(output_file(self.environment.paths))
        domain = self._domain()
        if self._is_loaded(domain):
            self._launchctl("kickstart", f"{domain}/{self._label}")
        else:
            self._launchctl("enable", f"{domain}/{self._label}")
            self._launchctl("bootstrap", domain, str(self._plist))
        if not wait_until_answering(self.environment.paths.socket, deadline_s=_START_TIMEOUT_S):
            raise DaemonDidNotStart(
                f"no answer within {_START_TIMEOUT_S:.0f} s",
                files.last_lines(output_file(self.environment.paths)),
            )

    def stop(self) -> None:
        """Unload the agent; it is loaded again at the next login."""
        domain = self._domain()
        if self._is_loaded(domain):
            self._launchctl("bootout", f"{domain}/{self._label}", accept=(0, 36))  # 36: in progress
            give_up = time.monotonic() + STOP_TIMEOUT_S + 5
            while self._is_loaded(domain) and time.monotonic() < give_up:
                time.sleep(_POLL_S)
        end_daemon(self.environment)

    def restart(self) -> None:
        """Unload the agent and load it again, as its plist may have changed."""
        self.stop()
        self.start()

    def state(self) -> State:
        """Ask launchd whether the agent is loaded, and the lock file whether the daemon runs."""
        return State(self.name, self._is_loaded(self._domain()), daemon_of(self.environment))

    def _domain(self) -> str:
        """Name the domain: that of the desktop, or of the user where nobody is at the desktop (ssh)."""
        desktop = f"gui/{self.environment.uid}"
        seen = self.environment.run(("launchctl", "print", desktop)).status == 0
        return desktop if seen else f"user/{self.environment.uid}"

    def _is_loaded(self, domain: str) -> bool:
        return self.environment.run(("launchctl", "print", f"{domain}/{self._label}")).status == 0

    def _launchctl(self, *words: str, accept: tuple[int, ...] = (0,)) -> None:
        argv = ("launchctl", *words)
        done = self.environment.run(argv)
        if done.status not in accept:
            raise CommandFailed(argv, done.status, done.output)
