"""One module per host: what it writes, turned into memd's values."""

from __future__ import annotations

from memd.adapter import Adapter
from memd_adapters import (
    aider,
    claude_code,
    cline,
    codex,
    continue_dev,
    copilot,
    cursor,
    gemini,
    kilo,
    opencode,
    qwen,
    roo,
)

ADAPTERS: dict[str, Adapter] = {
    adapter.name: adapter
    for adapter in (
        claude_code.ADAPTER,
        codex.ADAPTER,
        gemini.ADAPTER,
        qwen.ADAPTER,
        copilot.ADAPTER,
        roo.ADAPTER,
        kilo.ADAPTER,
        cline.ADAPTER,
        aider.ADAPTER,
        continue_dev.ADAPTER,
        cursor.ADAPTER,
        opencode.ADAPTER,
    )
}
