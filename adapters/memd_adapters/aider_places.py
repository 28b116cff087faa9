"""Where aider's histories may lie: in work trees, so only folders that are known as projects are looked at.

A history is a root of its own, the file and not the folder around it: no work tree is watched or walked through for it.
Where aider was never used (no `~/.aider`, no `~/.cecli`, no configuration of it) not even the home folder is looked
through.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from memd.adapter import HostEnv

HISTORIES: Final = (".aider.chat.history.md", ".cecli/chat.history")
_SIGNS: Final = (".aider", ".cecli", ".aider.conf.yml", ".aider.chat.history.md")
_SETTING: Final = re.compile(
    r"^chat-history-file:\s*[\"']?(/[^\"'#\n]+?|~/[^\"'#\n]+?)[\"']?\s*(?:#.*)?$", re.MULTILINE
)
_DEPTH: Final = 3
_MOST_FOLDERS: Final = 2000
_MOST_ENTRIES: Final = 500
"""A folder with more entries than this is no folder that projects are kept in."""
_SKIPPED: Final = frozenset(
    ("node_modules", "venv", "site-packages", "vendor", "target", "build", "dist", "snap", "go")
)
_ASKED_FOR: Final = frozenset(("Library", "Desktop", "Documents", "Downloads", "Movies", "Music", "Pictures"))
"""Folders on a Mac for which the system asks the person when a program looks into them."""


def history_files(env: HostEnv) -> Iterator[Path]:
    """Yield the histories there may be: in known projects, in the home folder, where configured, and in its folders."""
    folders = [*env.projects, env.home]
    if any((env.home / sign).exists() for sign in _SIGNS):
        folders += _walk(env)
    for folder in folders:
        yield from (folder / name for name in HISTORIES)
    yield from _configured(env)


def _configured(env: HostEnv) -> Iterator[Path]:
    if named := env.env.get("AIDER_CHAT_HISTORY_FILE"):
        yield Path(named)
    try:
        found = _SETTING.search((env.home / ".aider.conf.yml").read_text("utf-8", "replace")[: 1 << 16])
    except OSError:
        return
    if found:
        path = found[1].strip()
        yield env.home / path[2:] if path.startswith("~/") else Path(path)


def _walk(env: HostEnv) -> Iterator[Path]:
    """Yield the folders below the home folder, to a depth and a number, that have a history now."""
    waiting = [(env.home, 0)]
    seen = 0
    while waiting and seen < _MOST_FOLDERS:
        folder, depth = waiting.pop(0)
        seen += 1
        try:
            with os.scandir(folder) as entries:
                inner = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        if depth and any((folder / name).is_file() for name in HISTORIES):
            yield folder
        if depth < _DEPTH and len(inner) <= _MOST_ENTRIES:
            waiting += [(folder / name, depth + 1) for name in sorted(inner) if not _is_skipped(name, env, depth)]


def _is_skipped(name: str, env: HostEnv, depth: int) -> bool:
    return name.startswith(".") or name in _SKIPPED or (env.platform == "darwin" and not depth and name in _ASKED_FOR)
