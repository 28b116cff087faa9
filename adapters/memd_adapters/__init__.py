"""One module per host: what it writes, turned into memd's values."""

from __future__ import annotations
