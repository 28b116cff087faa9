"""Cline: task folders of the editor extension, and sessions of its SDK below `~/.cline`."""

from __future__ import annotations

from typing import Final

from memd_adapters.cline_host import ClineHost

ADAPTER: Final = ClineHost(
    name="cline",
    title="Cline",
    extension="saoudrizwan.claude-dev",
    has_sessions=True,
)
