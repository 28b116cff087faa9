"""From what a host writes to stored sessions."""

from __future__ import annotations
