"""systemd: memd as a user service with a socket of its own (systemd.service(5), systemd.socket(5)).

systemd holds the socket, so that a hook that comes while the daemon restarts waits in its queue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memd_service import files
from memd_service.environment import Environment, Runner
from memd_service.errors import CommandFailed, ServiceError
from memd_service.manager import STOP_TIMEOUT_S, State, UnitFile, daemon_of, end_daemon

_SYSTEMCTL = ("systemctl", "--user")

# Sandboxing that needs mount or user namespaces (ProtectHome=, PrivateTmp= ...) is left out: in user units it
# depends on unprivileged namespaces, which some distributions forbid. MemoryDenyWriteExecute= breaks FFI, and
# RuntimeDirectory= would remove the folder of the socket whenever the service stops.
_SERVICE = """\
[Unit]
Description=memd, a memory for coding agents
Requires={name}.socket
After={name}.socket
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=notify
NotifyAccess=main
ExecStart={command}
{environment}Restart=on-failure
RestartSec=2
TimeoutStartSec=90
TimeoutStopSec={stop_timeout_s}
WatchdogSec=60
KillMode=mixed
UMask=0077
Nice=10
IOSchedulingClass=idle
CPUWeight=20
MemoryHigh=768M
MemoryMax=1G
TasksMax=128
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=default.target
"""

_SOCKET = """\
[Unit]
Description=Socket of memd, a memory for coding agents

[Socket]
ListenStream={socket}
SocketMode=0600
DirectoryMode=0700
FileDescriptorName=memd
RemoveOnStop=yes

[Install]
WantedBy=sockets.target
"""


def render_service(python: Path, *, name: str = "memd", variables: Mapping[str, str] | None = None) -> str:
    """Render the service unit: `python -I -m memd up --service`, with `variables` set."""
    words = [_program(python), "-I", "-m", "memd", "up", "--service"]
    lines = [f"Environment={_quoted(f'{key}={value}')}\n" for key, value in sorted((variables or {}).items())]
    return _SERVICE.format(
        name=name,
        command=" ".join(words),
        environment="".join(lines),
        stop_timeout_s=STOP_TIMEOUT_S,
    )


def render_socket(socket_path: Path) -> str:
    """Render the socket unit for this absolute path."""
    return _SOCKET.format(socket=_one_line(str(socket_path)).replace("%", "%%"))


def unit_folder(environment: Environment) -> Path:
    """Say where the units of this user belong."""
    config = environment.variables.get("XDG_CONFIG_HOME", "")
    base = Path(config) if config.startswith("/") else environment.home / ".config"
    return base / "systemd" / "user"


def available(environment: Environment) -> bool:
    """Tell whether a user manager answers, and reads its units where this user's units belong.

    With another $HOME than that of the account (a test, `su` without `-`) the manager that answers belongs to
    somebody else's folders and must be left alone. It is asked for its own $HOME first, since some versions leave
    a folder that is not there yet out of their search path.
    """
    told = environment.run((*_SYSTEMCTL, "show-environment"))
    if told.status != 0:
        return False
    theirs = dict(line.split("=", 1) for line in told.output.splitlines() if "=" in line)
    config = theirs.get("XDG_CONFIG_HOME") or f"{theirs.get('HOME', '')}/.config"
    searched = environment.run((*_SYSTEMCTL, "show", "--property=UnitPath", "--value")).output.split()
    ours = unit_folder(environment).resolve()
    return any(Path(folder).resolve() == ours for folder in (f"{config}/systemd/user", *searched))


@dataclass(frozen=True, slots=True)
class Systemd:
    """The daemon as a unit of the user's systemd."""

    environment: Environment

    @property
    def name(self) -> str:
        """ "systemd"."""
        return "systemd"

    @property
    def _service(self) -> str:
        return f"{self.environment.instance}.service"

    @property
    def _socket(self) -> str:
        return f"{self.environment.instance}.socket"

    def unit_files(self) -> tuple[UnitFile, ...]:
        """Give both units."""
        here = self.environment
        folder = unit_folder(here)
        service = render_service(here.python, name=here.instance, variables=here.folder_variables)
        socket = render_socket(here.paths.socket)
        return (
            UnitFile(folder / self._socket, socket.encode()),
            UnitFile(folder / self._service, service.encode()),
        )

    def install(self) -> None:
        """Write the units, enable them, and start the daemon anew."""
        for unit in self.unit_files():
            files.write(unit.path, unit.content, mode=0o644)
        self._systemctl("daemon-reload")
        self._systemctl("enable", self._socket, self._service)
        self._systemctl("reset-failed", self._service, self._socket, must_work=False)
        self.stop()
        self.start()

    def uninstall(self) -> None:
        """Stop and disable both units and remove their files, whether or not systemd still answers."""
        run = self.environment.run
        # A manager that reads other folders has, if any, a memd of its own: it is told nothing.
        told = available(self.environment)
        if told:
            run((*_SYSTEMCTL, "disable", "--now", self._service, self._socket))
        end_daemon(self.environment)
        folder = unit_folder(self.environment)
        wants = (folder / "default.target.wants", folder / "sockets.target.wants")
        for path in (
            folder / self._service,
            folder / self._socket,
            wants[0] / self._service,
            wants[1] / self._socket,
        ):
            path.unlink(missing_ok=True)
        for parent in wants:  # as `systemctl disable` does
            files.remove_if_empty(parent)
        if told:
            run((*_SYSTEMCTL, "daemon-reload"))
            run((*_SYSTEMCTL, "reset-failed", self._service, self._socket))

    def start(self) -> None:
        """Start both units; returns when the daemon has said that it is ready."""
        self._systemctl("start", self._socket, self._service)

    def stop(self) -> None:
        """Stop both units: with the socket left alone, the next hook would start the daemon again."""
        self._systemctl("stop", self._socket, self._service)
        end_daemon(self.environment)

    def restart(self) -> None:
        """Start the daemon anew; its socket stays, so that hooks wait for it meanwhile."""
        self._systemctl("reset-failed", self._service, self._socket, must_work=False)
        self._systemctl("stop", self._service)
        end_daemon(self.environment)  # one started by hand would hold the lock
        self.start()

    def state(self) -> State:
        """Ask systemd whether the service is enabled, and the lock file whether it runs."""
        asked = self.environment.run((*_SYSTEMCTL, "is-enabled", self._service))
        return State(self.name, asked.status == 0, daemon_of(self.environment))

    def _systemctl(self, *words: str, must_work: bool = True) -> None:
        argv = (*_SYSTEMCTL, *words)
        done = self.environment.run(argv)
        if must_work and done.status != 0:
            hint = f"`journalctl --user -u {self._service} -n 20` says more"
            raise CommandFailed(argv, done.status, done.output, hint)


def lingers(run: Runner, uid: int) -> bool | None:
    """Tell whether the user's services go on after the last logout; None where nobody can say."""
    told = run(("loginctl", "show-user", str(uid), "--property=Linger", "--value"))
    return told.output.strip() == "yes" if told.status == 0 else None


def _program(path: Path) -> str:
    """Quote the program of a command line; systemd takes no quote or backslash in one, and no variable is expanded."""
    if any(sign in str(path) for sign in "\"'\\"):
        raise ServiceError(f"systemd cannot run a program with a quote or backslash in its path: {path}.")
    return _quoted(str(path))


def _quoted(value: str) -> str:
    escaped = _one_line(value).replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _one_line(value: str) -> str:
    if "\n" in value:
        raise ServiceError(f"A path with a line break cannot stand in a systemd unit: {value!r}.")
    return value
