"""Registration of the hook in Cursor: `~/.cursor/hooks.json`, where handlers stand in their event without groups.

Cursor also runs the hooks of Claude Code's settings. Those events name Cursor, so the daemon does not answer them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd_hooks.hook_entries import HookEntries
from memd_hooks.hook_groups import Wanted
from memd_hooks.host import Host
from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.registration import Registration

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "cursor"
EVENTS: Final = ("sessionStart", "beforeSubmitPrompt", "preCompact", "stop", "subagentStop", "sessionEnd")
TIMEOUT_S: Final = 5
"""Seconds, as Cursor counts."""
VERSION: Final = 1
"""Of the file's format; Cursor does not read a file that does not name it."""


def hooks_file(place: Place) -> Path:
    """The person's own hooks."""
    return place.home / ".cursor" / "hooks.json"


def _registrations(place: Place) -> tuple[Registration, ...]:
    wanted = Wanted(NAME, place.command(NAME), EVENTS, TIMEOUT_S, flat=True, comments=True)
    return (Registration(NAME, hooks_file(place), HookEntries(wanted, {"version": VERSION})),)


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
