"""The command line: thin, quick to start, and the only place that prints."""

from __future__ import annotations
