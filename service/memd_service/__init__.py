"""Service: makes memd run for its user, and takes it away again without a trace."""

from __future__ import annotations
