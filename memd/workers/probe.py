"""The probe: what a worker process can tell of itself."""

from __future__ import annotations

import resource
import sys


def peak_rss_bytes(_: object = None) -> int:
    """Return the largest resident size this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # getrusage(2): bytes on macOS, KiB on Linux
