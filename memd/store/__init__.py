"""All SQL, and nothing but SQL."""

from __future__ import annotations
