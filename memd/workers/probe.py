"""The probe: what a worker process can tell of itself."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak_rss_bytes(_: object = None) -> int:
    """Return the largest resident size this process has had."""
    try:
        # Unlike ru_maxrss it does not begin with what the parent held when this process was forked.
        status = Path("/proc/self/status").read_text("ascii", "replace")
        return int(status.split("VmHWM:", 1)[1].split(None, 1)[0]) * 1024
    except (OSError, IndexError):
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # getrusage(2): bytes on macOS, KiB on Linux
