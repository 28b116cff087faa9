"""What the process that speaks MCP has to load: the SDK, and of memd the door alone."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

_MODULES: Final = "import sys, memd.doors.mcp.serve; print(*(name for name in sys.modules if name.startswith('memd')))"
ROOMS: Final = {"doors", "operations", "store", "text", "errors", "paths"}


def test_beside_the_sdk_nothing_is_loaded_of_the_rooms_that_do_the_work() -> None:
    told = subprocess.run([sys.executable, "-I", "-c", _MODULES], capture_output=True, text=True, check=True)
    loaded = told.stdout.split()

    assert {name.split(".")[1] for name in loaded if "." in name} <= ROOMS
    assert not {"memd.operations.memory", "memd.operations.catalog", "memd.store.writer", "memd.recall"} & set(loaded)
