"""From an ended session to a summary, facts and events."""

from __future__ import annotations
