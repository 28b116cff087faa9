"""The hosts that memd registers in, besides Claude Code, whose registration depends on its version."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memd_hooks import aider, cline, codex, continue_dev, copilot, cursor, gemini, kilo, opencode, qwen, roo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memd_hooks.host import Host

HOSTS: Final[Mapping[str, Host]] = MappingProxyType(
    {
        host.name: host
        for host in (
            codex.HOST,
            opencode.HOST,
            kilo.HOST,
            gemini.HOST,
            qwen.HOST,
            cursor.HOST,
            copilot.HOST,
            cline.HOST,
            roo.HOST,
            continue_dev.HOST,
            aider.HOST,
        )
    }
)
