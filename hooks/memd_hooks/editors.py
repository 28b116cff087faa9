"""Editors: where VS Code and its relatives keep the storage of their extensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

_EDITORS: Final = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")


def extension_folders(place: Place, extension: str) -> tuple[Path, ...]:
    """The folder of an extension in each editor, whether it is there or not; remote ones are those of VS Code."""
    local = (
        place.home / base / editor / "User"
        for editor in _EDITORS
        for base in (".config", "Library/Application Support")
    )
    users = (*local, place.home / ".vscode-server" / "data" / "User")
    return tuple(user / "globalStorage" / extension for user in users)
