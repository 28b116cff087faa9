"""Reach: ask the daemon, and have it started first where it does not run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from memd.doors.cli import alone, client
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import Places
from memd.errors import DaemonUnavailable, MemdError

T = TypeVar("T")

_QUICK_S: Final = 30.0
"""What may take longer shows that it does."""
# JSON may hold these as they are, but a terminal could take them for commands.
_CONTROL: Final = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}


class NotRunning(MemdError):
    """There is no daemon, and this command does not start one, or cannot."""

    exit_status = 4
    code = "daemon_unavailable"


def ask(
    invocation: Invocation, op: str, params: Mapping[str, object], *, wake: bool = True, deadline_s: float = 30.0
) -> bytes:
    """Return the JSON text of an operation's result.

    Where memd is installed and its daemon does not run, it is started first, unless `wake` is off. Where that cannot be
    done, what only reads is read from the database itself. Raises NotRunning in one sentence that says how to start it,
    and the errors of `client.call`.
    """
    if deadline_s <= _QUICK_S:
        return _ask(invocation, op, params, wake, deadline_s)
    with invocation.terminal.waiting():
        return _ask(invocation, op, params, wake, deadline_s)


def _ask(invocation: Invocation, op: str, params: Mapping[str, object], wake: bool, deadline_s: float) -> bytes:
    places = invocation.places()
    try:
        return client.call(places.paths.socket, op, params, deadline_s=deadline_s)
    except DaemonUnavailable:
        try:
            woken = wake_up(places, wake=wake)
        except MemdError as error:
            told = alone.ask(invocation, op, params) if wake else None
            if told is None:
                raise
            invocation.terminal.error(f"{error} This is read from the database as it is.")
            return told
        if not woken:
            raise
    return client.call(places.paths.socket, op, params, deadline_s=deadline_s)


def wake_up(places: Places, *, wake: bool) -> bool:
    """Start the daemon if it does not run; return False when one runs already. Raises NotRunning and ServiceError."""
    from memd_service import lockfile

    if lockfile.running(places.paths.lock_file) is not None:
        return False
    if not places.paths.hook_shim.exists():
        raise NotRunning(
            f"There is no daemon for {places.paths.data_dir}; set memd up with `memd install`,"
            " or run the daemon in the foreground with `memd up`."
        )
    if not wake:
        raise NotRunning("The memd daemon does not run; start it with `memd restart`.")
    from memd.doors.cli.service import environment
    from memd_service.choose import choose

    choose(environment(places)).manager.start()
    return True


def decode(raw: bytes, answer: type[T], socket: Path) -> T:
    """Return an answer as a value; raises DaemonUnavailable when the daemon is of a version that speaks otherwise."""
    try:
        return msgspec.json.decode(raw, type=answer)
    except msgspec.MsgspecError as error:
        raise DaemonUnavailable(socket, f"its answer is not what this version expects: {error}") from error


def pretty(raw: bytes) -> str:
    """Return JSON for a program to read and a person to look at, with nothing in it that a terminal obeys."""
    return msgspec.json.format(raw, indent=2).decode("utf-8").translate(_CONTROL)


def json_text(value: object) -> str:
    """Return a value as JSON, as `pretty` shows it."""
    return pretty(msgspec.json.encode(value))


def value_text(value: object) -> str:
    """Return a setting as it stands in the file: JSON and TOML agree on these types."""
    return msgspec.json.encode(value).decode("utf-8")
