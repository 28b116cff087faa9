"""An embedding for tests, loaded by worker processes: words that mean the same count as the same."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAME = {"duplicate": "copy", "each": "every", "evening": "night"}
BROKEN = "FAKE_TIER_BROKEN"
"""Names a file; while it is there, the model cannot be loaded."""


class Fake:
    def __init__(self) -> None:
        if Path(os.environ.get(BROKEN, "/nowhere")).exists():
            raise ValueError("broken")

    def embed(self, texts: Sequence[str], *, as_question: bool = False) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(texts), 64), np.float32)
        for row, text in zip(rows, texts, strict=True):
            if as_question and "slow" in text:
                time.sleep(1.5)
            if not as_question and "lighthouse" in text and "FAKE_TIER_DIES" in os.environ:
                os._exit(3)
            for word in re.findall(r"[a-z]+", text.lower()):
                row[hashlib.sha256(SAME.get(word, word).encode()).digest()[0] % 64] += 1
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows
