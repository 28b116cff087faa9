"""Registration in OpenCode, and in what took over its core: a plugin of memd's own in its folder of plugins."""

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
SETTINGS: Final = ("opencode.json", "opencode.jsonc", "config.json")
"""The names of its settings, the usual one first."""


def render_plugin(host: str, socket: Path, spool: Path) -> bytes:
    """The plugin for one installation: `opencode_plugin.js` with its three blanks filled in."""
    source = resources.files("memd_hooks").joinpath("opencode_plugin.js").read_text("utf-8")
    for name, value in (("HOST", host), ("SOCKET", socket), ("SPOOL", spool)):
        blank = f'const {name} = ""\n'
        if source.count(blank) != 1:
            raise AssertionError(f"opencode_plugin.js has no single blank for {name}")
        source = source.replace(blank, f"const {name} = {json.dumps(os.fspath(value))}\n")
    return source.encode()


def plugin(host: str, folder: Path, place: Place) -> tuple[Registration, ...]:
    """Our file in a folder of settings: the host loads every module in `plugins` there."""
    entries = OwnFile("the plugin", render_plugin(host, place.socket, place.spool), MARK)
    return (Registration(host, folder / "plugins" / "memd.js", entries),)


def server(host: str, folder: Path, names: tuple[str, ...], place: Place) -> tuple[Registration, ...]:
    """The MCP server in the person's settings: of the names that the host reads the one that is there, or else the
    first.
    """
    there = (folder / name for name in (*names[1:], names[0]) if (folder / name).exists())
    value: JsonValue = {"type": "local", "command": list(place.mcp_command()), "enabled": True}
    entries = McpEntry(("mcp", SERVER), value, comments=True)
    return (Registration(host, next(there, folder / names[0]), entries),)


def _config(place: Place) -> Path:
    return place.folder("XDG_CONFIG_HOME", ".config") / "opencode"


HOST: Final = Host(
    name=NAME,
    title="OpenCode",
    programs=("opencode",),
    traces=lambda place: (_config(place), place.folder("XDG_DATA_HOME", ".local/share") / "opencode"),
    registrations=lambda place: plugin(NAME, _config(place), place),
    mcp=lambda place: server(NAME, _config(place), SETTINGS, place),
)
"""OpenCode, as the table of hosts has it."""
