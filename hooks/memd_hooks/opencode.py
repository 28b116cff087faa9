"""Registration in OpenCode: a plugin of memd's own in its folder of plugins."""

from __future__ import annotations

import json
import os
from importlib import resources
from typing import TYPE_CHECKING, Final

from memd_hooks.host import Host
from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.own_file import OwnFile
from memd_hooks.registration import Registration

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.jsonc import JsonValue
    from memd_hooks.place import Place

NAME: Final = "opencode"
MARK: Final = b"// Written by memd."


def plugin_file(place: Place) -> Path:
    """Our file: OpenCode loads every module in that folder."""
    return _config(place) / "plugins" / "memd.js"


def render_plugin(socket: Path, spool: Path) -> bytes:
    """The plugin for one installation: `opencode_plugin.js` with its two paths filled in."""
    source = resources.files("memd_hooks").joinpath("opencode_plugin.js").read_text("utf-8")
    for name, path in (("SOCKET", socket), ("SPOOL", spool)):
        blank = f'const {name} = ""\n'
        if source.count(blank) != 1:
            raise AssertionError(f"opencode_plugin.js has no single blank for {name}")
        source = source.replace(blank, f"const {name} = {json.dumps(os.fspath(path))}\n")
    return source.encode()


def _config(place: Place) -> Path:
    return place.folder("XDG_CONFIG_HOME", ".config") / "opencode"


def _registrations(place: Place) -> tuple[Registration, ...]:
    entries = OwnFile("the plugin", render_plugin(place.socket, place.spool), MARK)
    return (Registration(NAME, plugin_file(place), entries),)


def settings_file(place: Place) -> Path:
    """The person's settings: of the names that OpenCode reads the one that is there, or else the usual one."""
    names = ("opencode.jsonc", "opencode.json", "config.json")
    there = (_config(place) / name for name in names if (_config(place) / name).exists())
    return next(there, _config(place) / "opencode.json")


def _mcp(place: Place) -> tuple[Registration, ...]:
    server: JsonValue = {"type": "local", "command": list(place.mcp_command()), "enabled": True}
    return (Registration(NAME, settings_file(place), McpEntry(("mcp", SERVER), server, comments=True)),)


HOST: Final = Host(
    name=NAME,
    title="OpenCode",
    programs=("opencode",),
    traces=lambda place: (_config(place), place.folder("XDG_DATA_HOME", ".local/share") / "opencode"),
    registrations=_registrations,
    mcp=_mcp,
)
"""OpenCode, as the table of hosts has it."""
