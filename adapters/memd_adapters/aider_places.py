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
_SETTINGS: Final = {
    ".aider.conf.yml": re.compile(
        r"^chat-history-file:[ \t]*[\"']?([^\s\"'#][^\"'#\n]*?)[\"']?\s*(?:#.*)?$", re.MULTILINE
    ),
    ".env": re.compile(
        r"^(?:export )?AIDER_CHAT_HISTORY_FILE=[ \t]*[\"']?([^\s\"'#][^\"'#\n]*?)[\"']?\s*(?:#.*)?$", re.MULTILINE
    ),
}
"""Where a history may be named, in the home folder and in a work tree; a path without a root is the work tree's."""
_SETTING_BYTES: Final = 1 << 16
_MOST_LEVELS: Final = 4
_DEPTH: Final = 5
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


def configured_in(folder: Path, home: Path | None = None) -> Iterator[str]:
    """Yield the histories that a folder's settings name, as they are written; `~` where no home folder is given."""
    for file, setting in _SETTINGS.items():
        try:
            with (folder / file).open(encoding="utf-8", errors="replace") as text:
                found = setting.search(text.read(_SETTING_BYTES))
        except (OSError, ValueError):  # ValueError: a NUL in a path
            continue
        if found:
            path = found[1].strip()
            yield str(home / path[2:]) if home is not None and path.startswith("~/") else path


def _configured(env: HostEnv) -> Iterator[Path]:
    named = [env.env.get("AIDER_CHAT_HISTORY_FILE") or "", *configured_in(env.home, env.home)]
    for path in filter(None, named):
        yield from [Path(path)] if Path(path).is_absolute() else [project / path for project in env.projects]
    for project in env.projects:
        yield from (project / path for path in configured_in(project, env.home))


def naming(history: Path) -> Path | None:
    """Return the work tree around a history whose own settings name it; None where there is none."""
    folders = list(history.parents)[:_MOST_LEVELS] if history.is_absolute() else []
    return next((folder for folder in folders if any(folder / path == history for path in configured_in(folder))), None)


def histories_beside(path: Path) -> Iterator[Path]:
    """Yield where the history of a work tree would lie to which a file belongs."""
    yield from (folder / name for folder in (path.parent, path.parent.parent) for name in HISTORIES)


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
