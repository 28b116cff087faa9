"""Where Cline, Roo Code and Kilo Code keep tasks: below the user folder of each editor with VS Code extensions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from memd.adapter import HostEnv

_EDITORS: Final = (
    "Code", "Code - Insiders", "Code - OSS", "VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Windsurf - Next",
    "Antigravity", "Kiro", "Positron", "Trae", "Void",
)  # fmt: skip
_SERVERS: Final = (
    ".vscode-server", ".vscode-server-insiders", ".vscode-server-oss", ".vscodium-server", ".cursor-server",
    ".windsurf-server", ".vscode-remote",
)  # fmt: skip
"""Where an editor that works over SSH, in WSL or in a container runs its extensions."""
_FLATPAKS: Final = (("com.visualstudio.code", "Code"), ("com.vscodium.codium", "VSCodium"))
_SETTINGS_BYTES: Final = 1 << 20


def user_folders(env: HostEnv) -> Iterator[Path]:
    """Yield the `User` folders there may be on a machine; the profiles only of those that exist."""
    for folder in _user_folders(env):
        yield folder
        try:
            yield from sorted(entry for entry in (folder / "profiles").iterdir() if entry.is_dir())
        except OSError:
            continue


def _user_folders(env: HostEnv) -> Iterator[Path]:
    if portable := env.env.get("VSCODE_PORTABLE"):
        yield Path(portable) / "user-data" / "User"
    config = _absolute(env.env.get("XDG_CONFIG_HOME")) or env.home / ".config"
    base = env.home / "Library" / "Application Support" if env.platform == "darwin" else config
    yield from (base / editor / "User" for editor in _EDITORS)
    yield from (env.home / server / "data" / "User" for server in _SERVERS)
    data = _absolute(env.env.get("XDG_DATA_HOME")) or env.home / ".local" / "share"
    yield data / "code-server" / "User"
    if env.platform == "linux":
        yield from (env.home / ".var" / "app" / app / "config" / editor / "User" for app, editor in _FLATPAKS)


def custom_storage(folder: Path, setting: str) -> Path | None:
    """Return the storage folder that the settings in a `User` folder name; they are JSON with comments."""
    try:
        with (folder / "settings.json").open("rb") as file:
            text = file.read(_SETTINGS_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    found = re.search(rf'^[^/\n]*"{re.escape(setting)}"\s*:\s*"((?:[^"\\]|\\.)+)"', text, re.MULTILINE)
    return _absolute(found[1].replace("\\\\", "\\")) if found else None


def _absolute(path: str | None) -> Path | None:
    return Path(path) if path and Path(path).is_absolute() else None
