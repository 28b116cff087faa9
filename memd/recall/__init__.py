"""From a query to ranked hits with evidence."""

from __future__ import annotations
