"""Registration in Kilo Code, which has OpenCode's core since April 2026: the same plugin, in Kilo's own folder.

The editor's extension and the CLI read the same settings. Earlier versions had nothing that a memory could be given
through but rules of the whole machine, and are given nothing: the present ones read those rules, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd_hooks.host import Host
from memd_hooks.opencode import plugin, server

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "kilo"
SETTINGS: Final = ("kilo.json", "kilo.jsonc", "opencode.json", "opencode.jsonc", "config.json")
"""The names of its settings, the usual one first."""


def folder(place: Place) -> Path:
    """Its folder of settings and plugins: $KILO_CONFIG_DIR, or else `kilo` where programs keep settings."""
    usual = place.folder("XDG_CONFIG_HOME", ".config") / "kilo"
    return place.folder("KILO_CONFIG_DIR", str(usual))


HOST: Final = Host(
    name=NAME,
    title="Kilo Code",
    programs=("kilo", "kilocode"),
    traces=lambda place: (folder(place), place.folder("XDG_DATA_HOME", ".local/share") / "kilo"),
    registrations=lambda place: plugin(NAME, folder(place), place),
    mcp=lambda place: server(NAME, folder(place), SETTINGS, place),
)
"""Kilo Code, as the table of hosts has it."""
