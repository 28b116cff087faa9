"""The coding-memory benchmark: what memd gives back of invented projects, asked for later."""

from __future__ import annotations
