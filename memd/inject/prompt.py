"""The prompt gate: which prompts are worth looking anything up for."""

from __future__ import annotations

import re
from typing import Final

_LEAST_CHARS: Final = 10
# Ten characters of Chinese say as much as thirty of English, so fewer are enough.
_LEAST_CJK: Final = 5
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def worth_looking(prompt: str) -> bool:
    """Return whether a prompt is a real one: long enough, and neither a slash command, a shell line nor a note."""
    text = prompt.strip()
    if text.startswith(("/", "!", "#", "<")):
        return False
    return len(text) >= _LEAST_CHARS or len(_CJK.findall(text)) >= _LEAST_CJK
