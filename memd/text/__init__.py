"""Pure text functions."""

from __future__ import annotations
