"""Names: what the other memories are called that can be taken over, for whoever need not read one."""

from __future__ import annotations

from typing import Final

SYSTEMS: Final = (
    "memd",
    "thoth",
    "memvault",
    "agent_knowledge",
    "rawthink",
    "claude_mem",
    "mem0",
    "host_memory",
)
"""In the order in which it is tried whose memory something is, as `registry.IMPORTERS` has them."""
