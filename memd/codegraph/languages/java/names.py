"""Names that Java's extraction and rules share."""

from __future__ import annotations

from typing import Final

ARRAY: Final = "[]"
"""The name that stands for the type of arrays; its argument is the type of the elements."""

VARIABLE: Final = "..."
"""What the name of a parameter begins with that takes any number of arguments."""
