"""What a session is given at its start and at a prompt."""

from __future__ import annotations
