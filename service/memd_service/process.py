"""Process: one running program, told from a later one that was given the same number."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

_POLL_S = 0.05


def start_of(pid: int) -> str | None:
    """Say when process `pid` started, as an opaque word that no other process will ever have.

    Linux: `starttime` of proc(5) `/proc/PID/stat` (clock ticks since boot) with the boot id, since
    ticks begin again at every boot. Elsewhere: `lstart` of ps(1), in UTC. None when there is no
    such process, or when it has ended and only waits to be reaped.
    """
    if sys.platform == "linux":
        return _start_from_proc(pid)
    return _start_from_ps(pid)


def is_running(pid: int, start: str) -> bool:
    """Tell whether the process that was `pid` and started at `start` still runs."""
    return start_of(pid) == start


def wait_until_gone(pid: int, start: str, deadline_s: float) -> bool:
    """Wait up to `deadline_s` seconds for that process to end; tell whether it did."""
    give_up = time.monotonic() + deadline_s
    while is_running(pid, start):
        if time.monotonic() >= give_up:
            return False
        time.sleep(_POLL_S)
    return True


def terminate(pid: int, start: str, *, deadline_s: float) -> bool:
    """End that process: SIGTERM, and SIGKILL when it is still there after `deadline_s` seconds.

    Losing its last moments to SIGKILL costs the daemon nothing that it had acknowledged. Returns
    whether it is gone. A process that merely has the same number is never signalled.
    """
    for number, patience_s in ((signal.SIGTERM, deadline_s), (signal.SIGKILL, 5.0)):
        if not is_running(pid, start):
            return True
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        if wait_until_gone(pid, start, patience_s):
            return True
    return False


def _start_from_proc(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return None
    # The name in field 2 may hold spaces and brackets; what follows its last bracket may not.
    fields = stat.rpartition(b")")[2].split()
    state, ticks = fields[0], fields[19]
    return None if state in {b"Z", b"X"} else f"{ticks.decode('ascii')}/{boot}"


def _start_from_ps(pid: int) -> str | None:
    done = subprocess.run(
        ["/bin/ps", "-o", "stat=,lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C", "TZ": "UTC"},
    )
    state, _, start = done.stdout.strip().partition(" ")
    return None if not start or state.startswith("Z") else "-".join(start.split())
