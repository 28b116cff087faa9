"""Kilo Code up to 5.x: task folders as Roo Code's, of the editor extension and of its CLI."""

from __future__ import annotations

from typing import Final

from memd_adapters.cline_host import ClineHost

ADAPTER: Final = ClineHost(
    name="kilo",
    title="Kilo Code",
    extension="kilocode.kilo-code",
    setting="kilo-code.customStoragePath",
    sign=b".kilocode/",
    homes=(".kilocode/cli/global/tasks",),
)
