"""Registration in Cline: a rules file, and two of the executables that it runs at the turning points of a task.

Cline runs one file of each event's name in a folder, so a file of somebody else's is left alone, and memd is then
without that event. It takes context before a tool runs and nowhere earlier; the daemon gives a task's once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd_hooks.editors import extension_folders
from memd_hooks.host import Host
from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.own_file import OwnFile
from memd_hooks.registration import Registration
from memd_hooks.rules import rules_file

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "cline"
EXTENSION: Final = "saoudrizwan.claude-dev"
EVENTS: Final = ("PreToolUse", "TaskComplete")
MARK: Final = b"# Written by memd."


def folder(place: Place) -> Path:
    """The folder that every flavour of Cline looks into. The CLI looks into ~/.cline too, and runs what is in both."""
    return place.home / "Documents" / "Cline"


def hook_script(place: Place, event: str) -> bytes:
    """The executable for an event: Cline wants JSON from it, also where there is nothing to say."""
    lines = (
        "#!/bin/sh",
        f"{MARK.decode()} `memd install` writes this file anew and `memd uninstall` removes it.",
        f"answer=$({place.command(NAME, event)})",
        """printf '%s\\n' "${answer:-"{}"}\"""",
    )
    return "\n".join(lines).encode() + b"\n"


def _registrations(place: Place) -> tuple[Registration, ...]:
    hooks = (
        Registration(
            NAME,
            folder(place) / "Hooks" / event,
            OwnFile(f"the hook {event}", hook_script(place, event), MARK),
            mode=0o700,
        )
        for event in EVENTS
    )
    return (rules_file(NAME, folder(place) / "Rules" / "memd.md"), *hooks)


def mcp_files(place: Place) -> tuple[Path, ...]:
    """Where each flavour of Cline that is here keeps the MCP servers; it makes these folders at its first start."""
    stores = (*extension_folders(place, EXTENSION), place.folder("CLINE_DIR", ".cline") / "data")
    return tuple(store / "settings" / "cline_mcp_settings.json" for store in stores if store.is_dir())


def _mcp(place: Place) -> tuple[Registration, ...]:
    entries = McpEntry(("mcpServers", SERVER), place.mcp_server("stdio"))
    return tuple(Registration(NAME, path, entries) for path in mcp_files(place))


HOST: Final = Host(
    name=NAME,
    title="Cline",
    programs=("cline",),
    traces=lambda place: (
        folder(place),
        place.folder("CLINE_DIR", ".cline"),
        *extension_folders(place, EXTENSION),
    ),
    registrations=_registrations,
    mcp=_mcp,
)
"""Cline, as the table of hosts has it."""
