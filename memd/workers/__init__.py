"""Worker processes: CPU work beside the loop, with a deadline and a memory cap, gone when idle."""

from __future__ import annotations
