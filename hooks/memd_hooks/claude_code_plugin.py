"""Hooks, MCP server and skill as a Claude Code plugin, for those who manage them so: a marketplace with one plugin.

The same files for everybody: `hooks/run.sh` looks for the installed client and says nothing where there is none, and
stands down where the user settings have the hook already; `mcp/run.sh` does the same for the server. PostCompact is
left out, since a plugin does not know which Claude Code loads it; a compaction is told by PreCompact and by the
SessionStart after it.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path


def write_plugin(folder: Path) -> tuple[Path, ...]:
    """Put the marketplace into `folder`, over an older one, and name its files. Raises OSError.

    It is then added with `claude plugin marketplace add FOLDER` and `claude plugin install memd@memd`.
    """
    return tuple(_copy(resources.files("memd_hooks") / "plugin", folder))


def _copy(source: Traversable, target: Path) -> list[Path]:
    if source.is_file():
        target.write_bytes(source.read_bytes())
        return [target]
    target.mkdir(parents=True, exist_ok=True)
    return [
        path
        for entry in sorted(source.iterdir(), key=lambda entry: entry.name)
        for path in _copy(entry, target / entry.name)
    ]
