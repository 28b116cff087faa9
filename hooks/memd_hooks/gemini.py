"""Registration of the hook in Gemini CLI's user settings.

The shape is Claude Code's, but handlers have a name, a prompt is called BeforeAgent, and time-outs are milliseconds.
The settings may hold comments, which stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd.errors import SettingsError
from memd_hooks import files
from memd_hooks.hook_entries import HookEntries
from memd_hooks.hook_groups import Wanted
from memd_hooks.host import Host, Obstacle
from memd_hooks.jsonc import DocumentError
from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.registration import Registration
from memd_hooks.settings_json import values_of

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "gemini"
HANDLER: Final = "memd"
"""Gemini CLI's name for our handlers, by which the person can switch them off."""
EVENTS: Final = ("SessionStart", "BeforeAgent", "PreCompress", "SessionEnd")
TIMEOUT_MS: Final = 5_000
"""Milliseconds, as Gemini CLI counts."""


def settings_file(place: Place) -> Path:
    """The user settings that Gemini CLI reads: below $GEMINI_CLI_HOME, or else below the home folder."""
    return place.folder("GEMINI_CLI_HOME", ".") / ".gemini" / "settings.json"


def _registrations(place: Place) -> tuple[Registration, ...]:
    wanted = Wanted(NAME, place.command(NAME), EVENTS, TIMEOUT_MS, name=HANDLER, comments=True)
    return (Registration(NAME, settings_file(place), HookEntries(wanted)),)


def _obstacles(place: Place) -> tuple[Obstacle, ...]:
    path = settings_file(place)
    try:
        settings = values_of(files.read(path) or b"", comments=True)
    except (DocumentError, SettingsError) as error:
        return (Obstacle(f"{path}: {error.problem}", "mend it"),)
    switches = settings.get("hooksConfig") if isinstance(settings, dict) else None
    if not isinstance(switches, dict):
        return ()
    if switches.get("enabled") is False:
        return (Obstacle(f"{path} switches all hooks off", "take hooksConfig.enabled out of it"),)
    disabled = switches.get("disabled")
    if isinstance(disabled, list) and HANDLER in disabled:
        return (Obstacle(f"{path} switches memd's hooks off", f'take "{HANDLER}" out of hooksConfig.disabled'),)
    return ()


def _mcp(place: Place) -> tuple[Registration, ...]:
    server = place.mcp_server()
    return (Registration(NAME, settings_file(place), McpEntry(("mcpServers", SERVER), server, comments=True)),)


HOST: Final = Host(
    name=NAME,
    title="Gemini CLI",
    programs=("gemini",),
    traces=lambda place: (settings_file(place).parent,),
    registrations=_registrations,
    mcp=_mcp,
    obstacles=_obstacles,
)
"""Gemini CLI, as the table of hosts has it."""
