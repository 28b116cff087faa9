"""Names that Rust's extraction and rules share."""

from __future__ import annotations

from typing import Final

from memd.codegraph.facts import UNNAMED

CRATE: Final = "crate"
SELF: Final = "self"
SUPER: Final = "super"
SLICE: Final = UNNAMED
TUPLE: Final = "tuple"
"""Types of the language itself, by the names that they have here."""
