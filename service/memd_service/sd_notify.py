"""Notices: what the daemon and systemd tell each other, by sd_notify(3) and sd_listen_fds(3).

Outside systemd none of the variables is set and every function here does nothing.
"""

from __future__ import annotations

import os
import socket

_FIRST_FD = 3  # SD_LISTEN_FDS_START


def notify(state: str) -> bool:
    """Tell systemd `state`, as "READY=1", "WATCHDOG=1", "STOPPING=1" or "STATUS=text".

    Returns whether systemd was told; a service manager that has gone is no reason to fail.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):  # the abstract namespace
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.connect(address)
            door.sendall(state.encode())
    except OSError:
        return False
    return True


def listen_fds() -> dict[str, socket.socket]:
    """Take over the sockets that systemd opened for this process, by name.

    The names are those of FileDescriptorName= ("memd" for the socket of the daemon). The variables
    are removed, so that neither a second call nor a child takes them again. Never unlink the path of
    such a socket: it belongs to systemd and outlives the daemon.
    """
    owner = os.environ.pop("LISTEN_PID", "")
    count = os.environ.pop("LISTEN_FDS", "")
    names = os.environ.pop("LISTEN_FDNAMES", "").split(":")
    if owner != str(os.getpid()) or not count.isdigit():
        return {}
    sockets: dict[str, socket.socket] = {}
    for index in range(int(count)):
        fd = _FIRST_FD + index
        os.set_inheritable(fd, False)
        name = names[index] if index < len(names) and names[index] else "unknown"
        sockets[name] = socket.socket(fileno=fd)
    return sockets


def watchdog_interval_s() -> float | None:
    """Say how often to send "WATCHDOG=1", in seconds: half of what systemd allows, or None."""
    limit_us = os.environ.get("WATCHDOG_USEC", "")
    owner = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    if not limit_us.isdigit() or int(limit_us) == 0 or owner != str(os.getpid()):
        return None
    return int(limit_us) / 2_000_000
