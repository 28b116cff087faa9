"""Registration in Continue: a rules file that it puts before every session. It runs no hooks of anybody's yet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from memd_hooks.host import Host
from memd_hooks.mcp_entry import SERVER
from memd_hooks.own_file import OwnFile
from memd_hooks.registration import Registration
from memd_hooks.rules import rules_file
from memd_hooks.shim import MCP_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "continue"


def folder(place: Place) -> Path:
    """Continue's own folder: $CONTINUE_GLOBAL_DIR, or else ~/.continue."""
    return place.folder("CONTINUE_GLOBAL_DIR", ".continue")


def mcp_file(place: Place) -> Path:
    """Our file: the editors' extension reads every one in that folder."""
    return folder(place) / "mcpServers" / "memd.json"


def _mcp(place: Place) -> tuple[Registration, ...]:
    servers = {"mcpServers": {SERVER: place.mcp_server("stdio")}}
    content = json.dumps(servers, indent=2, ensure_ascii=False).encode() + b"\n"
    # JSON has no comments to put a mark in: the pump's name is the mark.
    return (Registration(NAME, mcp_file(place), OwnFile("the MCP server", content, MCP_NAME.encode())),)


HOST: Final = Host(
    name=NAME,
    title="Continue",
    programs=("cn",),
    traces=lambda place: (folder(place),),
    registrations=lambda place: (rules_file(NAME, folder(place) / "rules" / "memd.md"),),
    mcp=_mcp,
)
"""Continue, as the table of hosts has it."""
