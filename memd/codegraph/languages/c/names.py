"""Names that C's extraction and rules share."""

from __future__ import annotations

from typing import Final

POINTER: Final = "*"
"""The type that a pointer or an array is of; what it points to is its argument."""
