"""Registration of the hook in Qwen Code's user settings.

Events, handlers and answers are Claude Code's. A time-out was milliseconds once and is seconds now, but 1000 and more
are still read as milliseconds, so that one number means the same everywhere. The settings may hold comments, which
stay. Headless runs tell no end: the host's own list of processes does.
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

NAME: Final = "qwen"
HANDLER: Final = "memd"
"""Qwen Code's name for our handlers, in its list of hooks."""
EVENTS: Final = (
    *("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact"),
    *("Stop", "SubagentStop", "SessionEnd"),
)
TIMEOUT: Final = 5_000
"""Milliseconds in every version."""


def settings_file(place: Place) -> Path:
    """The user settings that Qwen Code reads: in $QWEN_HOME, or else in ~/.qwen."""
    return place.folder("QWEN_HOME", ".qwen") / "settings.json"


def _registrations(place: Place) -> tuple[Registration, ...]:
    wanted = Wanted(NAME, place.command(NAME), EVENTS, TIMEOUT, name=HANDLER, comments=True)
    return (Registration(NAME, settings_file(place), HookEntries(wanted)),)


def _obstacles(place: Place) -> tuple[Obstacle, ...]:
    path = settings_file(place)
    try:
        settings = values_of(files.read(path) or b"", comments=True)
    except (DocumentError, SettingsError) as error:
        return (Obstacle(f"{path}: {error.problem}", "mend it"),)
    if isinstance(settings, dict) and settings.get("disableAllHooks") is True:
        return (Obstacle(f"{path} switches all hooks off", "take disableAllHooks out of it"),)
    return ()


def _mcp(place: Place) -> tuple[Registration, ...]:
    server = place.mcp_server()
    return (Registration(NAME, settings_file(place), McpEntry(("mcpServers", SERVER), server, comments=True)),)


HOST: Final = Host(
    name=NAME,
    title="Qwen Code",
    programs=("qwen",),
    traces=lambda place: (settings_file(place).parent,),
    registrations=_registrations,
    mcp=_mcp,
    obstacles=_obstacles,
)
"""Qwen Code, as the table of hosts has it."""
