"""Reach: whether somebody answers at the daemon's socket."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path

_POLL_S = 0.05
_CONNECT_TIMEOUT_S = 1.0


def is_answering(path: Path) -> bool:
    """Tell whether a connection to the unix socket at `path` is accepted."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as door:
        door.settimeout(_CONNECT_TIMEOUT_S)
        try:
            door.connect(str(path))
        except OSError:
            return False
    return True


def wait_until_answering(path: Path, *, deadline_s: float, give_up: Callable[[], bool] = lambda: False) -> bool:
    """Wait up to `deadline_s` seconds for an answer at `path`, less when `give_up()`; tell whether one came."""
    end = time.monotonic() + deadline_s
    while not is_answering(path):
        if give_up() or time.monotonic() >= end:
            return False
        time.sleep(_POLL_S)
    return True
