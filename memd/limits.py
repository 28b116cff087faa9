"""Limits: what the system lets a process have, asked for before it is needed."""

from __future__ import annotations

import resource
from typing import Final

from memd.errors import TooFewFiles

FEWEST_FILES: Final = 64
"""The database and its readers, the pipes of the workers, the watches, and some callers at once."""
_ENOUGH_FILES: Final = 4096


def open_enough_files() -> None:
    """Raise the process's limit on open files as far as is useful and allowed; raises TooFewFiles below the need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = _ENOUGH_FILES if hard == resource.RLIM_INFINITY else min(_ENOUGH_FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        allowed = _ENOUGH_FILES if soft == resource.RLIM_INFINITY else soft
    else:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < FEWEST_FILES:
        raise TooFewFiles(allowed, FEWEST_FILES)
