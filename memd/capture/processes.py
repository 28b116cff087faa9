"""Processes: whether a host's process that says it works on a session is still the one it was."""

from __future__ import annotations

import os
from pathlib import Path

from memd.adapter import LiveProcess


def is_running(process: LiveProcess, proc: Path = Path("/proc")) -> bool:
    """Whether the process lives; blocks on the disk for a moment.

    Where the host says when it started (in clock ticks since boot, field 22 of proc(5) stat), a later process that was
    given the same number is not taken for it.
    """
    try:
        stat = (proc / str(process.pid) / "stat").read_text("utf-8", "replace")
    except FileNotFoundError:
        return not proc.is_dir() and _answers(process.pid)
    except OSError:
        return _answers(process.pid)
    fields = stat.rpartition(")")[2].split()  # the name before it may hold blanks and parentheses
    if len(fields) < 20 or fields[0] in {"Z", "X"}:
        return False
    return process.started is None or not process.started.isdecimal() or process.started == fields[19]


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
