"""Check: one finding of the doctor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """Whether one thing is as it should be, what was seen, and the command that mends it ("" when all is well)."""

    name: str
    ok: bool
    detail: str
    fix: str = ""
