"""What coverage tells programs that tests start with an environment of their own; nothing where nothing is measured."""

from __future__ import annotations

import os
from typing import Final

VARIABLES: Final = ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG")
MEASURED: Final = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
