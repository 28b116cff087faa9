"""Names that C++'s extraction and rules share."""

from __future__ import annotations

from typing import Final

FORWARD: Final = "<declared>"
"""The module that a class is imported from which is only declared here."""
GLOBAL: Final = "//global"
"""As a module: what a file sees outside of all types (`::f`)."""
PRIMITIVES: Final = frozenset("bool char short int long float double size_t".split())
"""Types that an argument of any of them can be given for."""
