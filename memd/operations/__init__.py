"""Everything memd can do, declared once and reached through every door."""

from __future__ import annotations
