"""Registration in Cursor: the hook, in `~/.cursor/hooks.json`, and a rule, in a plugin of memd's own.

In hooks.json handlers stand in their event without groups. Cursor also runs the hooks of Claude Code's settings. Those
events name Cursor, so the daemon does not answer them.

Some of Cursor's versions lose what a hook gives at a session's start, and a rule always counts. Cursor does not load
`~/.cursor/rules`; the one place of a person's own from which it takes rules that are files is a local plugin (its
plugins reference). Not every version does, so the hook goes on giving everything.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from memd_hooks.hook_entries import HookEntries
from memd_hooks.hook_groups import Wanted
from memd_hooks.host import Host
from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.own_file import OwnFile
from memd_hooks.registration import Registration
from memd_hooks.rules import rules_file

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "cursor"
EVENTS: Final = ("sessionStart", "beforeSubmitPrompt", "preCompact", "stop", "subagentStop", "sessionEnd")
TIMEOUT_S: Final = 5
"""Seconds, as Cursor counts."""
VERSION: Final = 1
"""Of the file's format; Cursor does not read a file that does not name it."""
MARK: Final = b"Written by memd."
_PLUGIN: Final = {
    "name": "memd",
    "description": f"{MARK.decode()} Says what holds in every project; `memd uninstall` removes it.",
}


def hooks_file(place: Place) -> Path:
    """The person's own hooks."""
    return place.home / ".cursor" / "hooks.json"


def plugin(place: Place) -> Path:
    """The folder of memd's plugin; Cursor looks into its `rules` without being told."""
    return place.home / ".cursor" / "plugins" / "local" / "memd"


def _registrations(place: Place) -> tuple[Registration, ...]:
    wanted = Wanted(NAME, place.command(NAME), EVENTS, TIMEOUT_S, flat=True, comments=True)
    described = OwnFile("the plugin", json.dumps(_PLUGIN, indent=2).encode() + b"\n", MARK)
    return (
        Registration(NAME, hooks_file(place), HookEntries(wanted, {"version": VERSION})),
        Registration(NAME, plugin(place) / ".cursor-plugin" / "plugin.json", described),
        rules_file(NAME, plugin(place) / "rules" / "memd.mdc"),
    )


def mcp_file(place: Place) -> Path:
    """The person's own MCP servers."""
    return place.home / ".cursor" / "mcp.json"


def _mcp(place: Place) -> tuple[Registration, ...]:
    server = place.mcp_server()
    return (Registration(NAME, mcp_file(place), McpEntry(("mcpServers", SERVER), server, comments=True)),)


HOST: Final = Host(
    name=NAME,
    title="Cursor",
    programs=("cursor", "cursor-agent"),
    traces=lambda place: (place.home / ".cursor",),
    registrations=_registrations,
    mcp=_mcp,
)
"""Cursor, as the table of hosts has it."""
