"""memd's MCP server in Claude Code, among the servers of the person's own.

They stand in the file in which Claude Code keeps its state, `~/.claude.json`, and rewrites all the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd_hooks.mcp_entry import SERVER, McpEntry
from memd_hooks.registration import Registration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memd_hooks.place import Place

NAME: Final = "claude_code_mcp"
"""The word for it in the manifest, besides that of the hooks."""


def state_file(home: Path, env: Mapping[str, str]) -> Path:
    """The file: in $CLAUDE_CONFIG_DIR, or else in the home folder itself."""
    folder = env.get("CLAUDE_CONFIG_DIR")
    return (home / folder if folder else home) / ".claude.json"


def registration_of(place: Place) -> Registration:
    """What memd wants there."""
    server = place.mcp_server("stdio", env={})
    return Registration(NAME, state_file(place.home, place.env), McpEntry(("mcpServers", SERVER), server))
