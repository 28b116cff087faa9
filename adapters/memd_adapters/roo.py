"""Roo Code: task folders as Cline's, named by UUIDs."""

from __future__ import annotations

from typing import Final

from memd_adapters.cline_host import ClineHost

ADAPTER: Final = ClineHost(
    name="roo",
    title="Roo Code",
    extension="rooveterinaryinc.roo-cline",
    setting="roo-cline.customStoragePath",
    sign=b"# Current Mode\\n<slug>",
    has_items=True,
)
