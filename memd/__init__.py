"""memd: a memory for coding agents that nobody has to think of."""

from __future__ import annotations

__version__ = "0.1.0"
