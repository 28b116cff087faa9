"""Doctor: whether what install put on the machine is there, current and working, and what to do where it is not."""

from __future__ import annotations

from collections.abc import Callable

from memd.errors import MemdError
from memd.paths import check_socket_path
from memd_service import lockfile, reach, systemd
from memd_service.check import Check
from memd_service.choose import Choice, choose
from memd_service.environment import Environment
from memd_service.hosts import host_checks
from memd_service.manager import Running, daemon_of
from memd_service.mcp_part import McpPart
from memd_service.parts import ShimPart

_AGAIN = "run `memd install` again"


def service_checks(environment: Environment) -> tuple[Check, ...]:
    """Look at everything that belongs to running memd; nothing is changed and nothing is raised."""
    try:
        choice = choose(environment)
    except MemdError as error:
        return (Check("platform", False, str(error), "use Linux, macOS or WSL"),)
    checks: tuple[Callable[[Environment, Choice], Check], ...] = (
        _interpreter,
        _folders,
        _socket_path,
        _units,
        _daemon,
        _linger,
        _shim,
        _pump,
    )
    return (*(check(environment, choice) for check in checks), *host_checks(environment))


def _interpreter(environment: Environment, choice: Choice) -> Check:
    python = environment.python
    if not python.is_file():
        return Check("interpreter", False, f"{python} is gone", "run `make install` again")
    return Check("interpreter", True, str(python))


def _folders(environment: Environment, choice: Choice) -> Check:
    paths = environment.paths
    for folder in (paths.data_dir, paths.state_dir, paths.config_dir, paths.cache_dir):
        try:
            mode = folder.stat().st_mode & 0o777
        except OSError as error:
            return Check("folders", False, f"{folder}: {error.strerror}", _AGAIN)
        if mode & 0o077:
            return Check("folders", False, f"{folder} is open to others", f"chmod 700 '{folder}'")
    return Check("folders", True, str(paths.data_dir))


def _socket_path(environment: Environment, choice: Choice) -> Check:
    path = environment.paths.socket
    try:
        check_socket_path(path)
    except MemdError as error:
        return Check("socket path", False, str(error), "set MEMD_DATA_DIR to a shorter path")
    if path.exists() and not path.is_socket():
        return Check("socket path", False, f"{path} is in the way of the socket and is none", f"move {path} away")
    return Check("socket path", True, str(path))


def _units(environment: Environment, choice: Choice) -> Check:
    manager = choice.manager
    stale = [str(unit.path) for unit in manager.unit_files() if not unit.is_current()]
    if stale:
        return Check("service", False, f"not as this version wants it: {', '.join(stale)}", _AGAIN)
    if manager.unit_files() and not manager.state().registered:
        return Check("service", False, f"{manager.name} does not start memd at login", _AGAIN)
    return Check("service", True, f"{manager.name}: {choice.why}")


def _daemon(environment: Environment, choice: Choice) -> Check:
    daemon = daemon_of(environment)
    if not isinstance(daemon, Running):
        return Check("daemon", False, _not_running(environment, choice), "memd restart")
    if daemon.version != environment.version:
        detail = f"version {daemon.version} runs, but {environment.version} is installed"
        return Check("daemon", False, detail, "memd restart")
    if not reach.is_answering(environment.paths.socket):
        detail = f"process {daemon.pid} does not answer at {environment.paths.socket}"
        return Check("daemon", False, detail, "memd restart")
    return Check("daemon", True, f"version {daemon.version}, process {daemon.pid}")


def _not_running(environment: Environment, choice: Choice) -> str:
    """Say that no daemon runs, and of a lock that one left behind that it is stale: the next start takes it over."""
    left = lockfile.read(environment.paths.lock_file)
    path = environment.paths.socket
    # systemd holds the socket itself, and starts the daemon when somebody comes.
    if choice.manager.name != "systemd" and reach.is_answering(path):
        return f"it does not run, but another process answers at its socket {path}; the next start takes that back"
    if left is None:
        return "it does not run; hooks keep their events until it does"
    return (
        f"it does not run: process {left.pid} ended without a goodbye and left a stale lock,"
        f" {environment.paths.lock_file}, which the next start takes over; hooks keep their events until then"
    )


def _linger(environment: Environment, choice: Choice) -> Check:
    if choice.manager.name != "systemd":
        return Check("linger", True, f"not needed with {choice.manager.name}")
    if systemd.lingers(environment.run, environment.uid) is False:
        # Nothing is lost: transcripts that agents write meanwhile are read at the next login.
        return Check("linger", True, "memd runs while you are logged in; `loginctl enable-linger` has it run on")
    return Check("linger", True, "memd runs on when you log out")


def _shim(environment: Environment, choice: Choice) -> Check:
    path = environment.paths.hook_shim
    if not path.is_file():
        return Check("hook client", False, f"{path} is missing", _AGAIN)
    if not ShimPart(environment).is_current():
        return Check("hook client", False, f"{path} is not as this version wants it", _AGAIN)
    return Check("hook client", True, str(path))


def _pump(environment: Environment, choice: Choice) -> Check:
    path = environment.paths.mcp_shim
    if McpPart(environment).step().changes:
        wrong = "is not as this version wants it" if path.is_file() else "is missing"
        return Check("MCP pump", False, f"{path} {wrong}", _AGAIN)
    return Check("MCP pump", True, str(path))
