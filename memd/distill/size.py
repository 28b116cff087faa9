"""Size: how much a text says, whatever it is written in."""

from __future__ import annotations

import re
from typing import Final

_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_WEIGHT: Final = 1.5  # a CJK character says as much as this many more Latin letters


def size(text: str) -> float:
    """Return how much a text says, in Latin letters: a CJK character counts for several."""
    return len(text) + _CJK_WEIGHT * len(_CJK.findall(text))
