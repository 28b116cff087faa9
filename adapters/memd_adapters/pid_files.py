"""Pid files: the processes that a host lists in `sessions/<pid>.json` beside the folder of its transcripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from memd.adapter import LiveProcess
from memd_adapters.shaping import small_json, text_of

_NAME: Final = re.compile(r"[0-9]{1,10}(?:-[0-9a-f]{8})?\.json")
"""A process with several sessions has several files; what else lies there (keys) is never opened."""


def listed(root: Path) -> tuple[LiveProcess, ...]:
    """Return what the files in `sessions` beside a root, or in it, tell: a pid and a session each.

    A start is the clock ticks since boot, with the boot's id before them in some hosts (`<boot>:<ticks>`).
    """
    found: list[LiveProcess] = []
    for folder in (root.parent / "sessions", root / "sessions"):
        try:
            paths = [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
        except OSError:
            continue
        for path in sorted(paths):
            row = small_json(path)
            pid, session = row.get("pid"), text_of(row, "sessionId")
            if type(pid) is int and pid > 0 and session:
                _, _, ticks = (text_of(row, "procStart") or "").rpartition(":")
                found.append(LiveProcess(session, pid, ticks or None))
    return tuple(found)
