"""The worker process: runs one task after the other until its stdin ends.

Started by memd.workers.process as `python -I -m memd.workers.child PARENT_PID MEMORY_BYTES MODEST [FOLDER ...]`. It
dies with its parent: by the kernel's hand where that is possible (Linux), by the end of stdin everywhere, and by its
own alarm when a task runs over its deadline and nobody is left to kill it.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
from typing import BinaryIO, Final

from memd.errors import MemdError
from memd.workers.frames import Call, Crashed, Done, OutOfMemory, Raised, Reply, pack, read_call

NICENESS: Final = 10
# The pool kills at the deadline; the alarm is for the worker whose pool is gone or hangs.
ALARM_GRACE_S: Final = 2.0

# linux/prctl.h, linux/ioprio.h and the two system call tables that matter; an unknown machine goes without.
_PR_SET_PDEATHSIG: Final = 1
_IOPRIO_SET: Final = {"x86_64": 251, "aarch64": 30}
_IOPRIO_WHO_PROCESS: Final = 1
_IOPRIO_CLASS_IDLE: Final = 3 << 13


def main(arguments: list[str]) -> int:
    """Serve calls from stdin; return the exit status."""
    parent, memory_bytes, modest, *folders = arguments
    calls, replies = _take_pipes()
    if not _die_with_parent(int(parent)):
        return 0
    _cap(int(memory_bytes))
    if modest == "1":
        _step_behind()
    sys.path[:0] = folders
    while (call := read_call(calls)) is not None:
        signal.setitimer(signal.ITIMER_REAL, call.deadline_s + ALARM_GRACE_S)
        frame = _framed(call)
        signal.setitimer(signal.ITIMER_REAL, 0)
        try:
            replies.write(frame or pack(OutOfMemory()))
            replies.flush()
        except BrokenPipeError:
            return 0
        if frame is None:
            return 1
    return 0


def _framed(call: Call) -> bytes | None:
    """Return the reply's frame, or None when the task or its result did not fit into memory."""
    try:
        return pack(_answer(call))
    except MemoryError:
        return None


def _answer(call: Call) -> Reply:
    module, _, name = call.task.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
        value = function(call.payload)
    except MemoryError:
        raise
    except (MemdError, OSError) as error:
        return Raised(type(error), error.args, dict(error.__dict__), _rss_bytes())
    except Exception as error:  # noqa: BLE001 - whatever a task raises has to reach its caller
        return Crashed(_where(error), _rss_bytes())
    return Done(value, _rss_bytes())


def _where(error: Exception) -> str:
    """Return the kind of an error and the line it comes from; its message may hold what nobody may log."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return f"raised {type(error).__name__}"
    code = trace.tb_frame.f_code
    return f"raised {type(error).__name__} in {code.co_name} ({os.path.basename(code.co_filename)}:{trace.tb_lineno})"  # noqa: PTH119 - a name out of a string


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep stdin and stdout for frames; what a task prints goes to stderr, what it reads is empty."""
    calls = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return calls, replies


def _die_with_parent(parent: int) -> bool:
    """Ask the kernel to kill this process with its parent; return False when the parent is gone already."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return os.getppid() == parent


def _cap(memory_bytes: int) -> None:
    """Cap memory."""
    # RLIMIT_DATA counts what is written (Linux 4.7+); RLIMIT_AS would count every mapped library as well.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        memory_bytes = min(memory_bytes, hard)
    try:
        resource.setrlimit(kind, (memory_bytes, hard))
    except (OSError, ValueError) as error:
        print(f"memd worker: no memory cap on this system: {error}", file=sys.stderr)  # noqa: T201 - stderr is the log
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would hold what was being read


def _step_behind() -> None:
    """Let whatever else runs on the machine go first."""
    os.nice(NICENESS)
    number = _IOPRIO_SET.get(os.uname().machine) if sys.platform == "linux" else None
    if number is not None:
        import ctypes

        ctypes.CDLL(None, use_errno=True).syscall(number, _IOPRIO_WHO_PROCESS, 0, _IOPRIO_CLASS_IDLE)


def _rss_bytes() -> int:
    """Return the resident memory now where the system tells, else the peak so far."""
    try:
        with open("/proc/self/statm", "rb") as statm:  # noqa: PTH123 - pathlib would be the only import of it here
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
