"""Places: where an expression stands."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A file, a scope in it (a symbol's index or MODULE) and a byte."""

    path: str
    scope: int
    at: int
