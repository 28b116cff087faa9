"""Names: what extraction and rules of Go call the language's own kinds of type."""

from __future__ import annotations

from typing import Final

SLICE: Final = "[]"
MAP: Final = "map"
CHANNEL: Final = "chan"
FUNCTION: Final = "Callable"
TUPLE: Final = "tuple"
"""Each holds what it is made of."""
KEY: Final = "<key>"
"""The part of a value that the first variable of a `range` takes."""
