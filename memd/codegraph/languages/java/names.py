"""Names that Java's extraction and rules share."""

from __future__ import annotations

from typing import Final

ARRAY: Final = "[]"
"""The name that stands for the type of arrays; its argument is the type of the elements."""

NEW: Final = "new"
"""Constructors are bound under this name: no method can have it."""
