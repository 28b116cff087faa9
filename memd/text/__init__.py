"""Pure functions over text: search terms, redaction, noise, sentences and clipping."""

from __future__ import annotations
