"""What memd puts into a host: the hook client, and one registration module per host."""

from __future__ import annotations
