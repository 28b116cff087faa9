"""Importers: what other memories have kept, read and never written to. One module each."""

from __future__ import annotations
