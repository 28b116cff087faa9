"""Names that Rust's extraction and rules share."""

from __future__ import annotations

from typing import Final

CRATE: Final = "crate"
SELF: Final = "self"
SUPER: Final = "super"
SLICE: Final = "[]"
TUPLE: Final = "tuple"
"""Types of the language itself, by the names that they have here."""
