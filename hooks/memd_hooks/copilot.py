"""Registration of the hook in Copilot CLI: a file of memd's own in its folder of hooks.

Its events do not say what has happened, so each command does. What a prompt's hook answers is taken from some version
before 1.0.102 on; earlier ones drop it. A preToolUse hook that fails would keep tools from
running; there is none.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from memd_hooks.host import Host
from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.own_file import OwnFile
from memd_hooks.registration import Registration
from memd_hooks.shim import HOOK_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "copilot"
EVENTS: Final = ("sessionStart", "userPromptSubmitted", "preCompact", "agentStop", "sessionEnd")
TIMEOUT_S: Final = 5
"""Seconds, as Copilot CLI counts (`timeoutSec`)."""


def hooks_file(place: Place) -> Path:
    """Our file: Copilot CLI reads every one in that folder of $COPILOT_HOME, or else of ~/.copilot."""
    return place.folder("COPILOT_HOME", ".copilot") / "hooks" / "memd.json"


def content(place: Place) -> bytes:
    """What our file has to contain."""
    handlers = {
        event: [{"type": "command", "bash": place.command(NAME, event), "timeoutSec": TIMEOUT_S}] for event in EVENTS
    }
    return json.dumps({"version": 1, "hooks": handlers}, indent=2, ensure_ascii=False).encode() + b"\n"


def _registrations(place: Place) -> tuple[Registration, ...]:
    # JSON has no comments to put a mark in: the client's name is the mark.
    entries = OwnFile("the hooks", content(place), HOOK_NAME.encode())
    return (Registration(NAME, hooks_file(place), entries),)


def mcp_file(place: Place) -> Path:
    """The person's own MCP servers."""
    return hooks_file(place).parent.with_name("mcp-config.json")


def _mcp(place: Place) -> tuple[Registration, ...]:
    server = place.mcp_server("local", tools=["*"])
    return (Registration(NAME, mcp_file(place), McpEntry(("mcpServers", SERVER), server)),)


HOST: Final = Host(
    name=NAME,
    title="Copilot CLI",
    programs=("copilot",),
    traces=lambda place: (place.folder("COPILOT_HOME", ".copilot"),),
    registrations=_registrations,
    mcp=_mcp,
)
"""Copilot CLI, as the table of hosts has it."""
