"""Registration in Roo Code: a rules file that it puts before every task, and its MCP servers. It runs no hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd_hooks.editors import extension_folders
from memd_hooks.host import Host
from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.registration import Registration
from memd_hooks.rules import rules_file

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "roo"
EXTENSION: Final = "rooveterinaryinc.roo-cline"


def folder(place: Place) -> Path:
    """The folder of what holds in all projects (its guide on custom instructions)."""
    return place.home / ".roo"


def mcp_files(place: Place) -> tuple[Path, ...]:
    """Where each editor that has the extension keeps its MCP servers; the extension makes these folders itself."""
    stores = (store for store in extension_folders(place, EXTENSION) if store.is_dir())
    return tuple(store / "settings" / "mcp_settings.json" for store in stores)


def _mcp(place: Place) -> tuple[Registration, ...]:
    entries = McpEntry(("mcpServers", SERVER), place.mcp_server("stdio"))
    return tuple(Registration(NAME, path, entries) for path in mcp_files(place))


HOST: Final = Host(
    name=NAME,
    title="Roo Code",
    programs=(),
    traces=lambda place: (folder(place), *extension_folders(place, EXTENSION)),
    registrations=lambda place: (rules_file(NAME, folder(place) / "rules" / "memd.md"),),
    mcp=_mcp,
)
"""Roo Code, as the table of hosts has it."""
