"""Logs: where the daemon's words go. Nobody's text is in them, only what happened to it."""

from __future__ import annotations

import logging
import logging.handlers
import sys
import time
from pathlib import Path
from typing import Final

from memd.config import LogConfig
from memd.paths import make_private

_FORMAT: Final = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s %(message)s"


def set_up(config: LogConfig, path: Path, *, to_terminal: bool) -> None:
    """Log to a rotating file (0600), and to standard error as well when a person is looking."""
    make_private(path.parent)
    formatter = logging.Formatter(_FORMAT, "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    path.touch(mode=0o600)
    file = logging.handlers.RotatingFileHandler(
        path, maxBytes=config.megabytes << 20, backupCount=config.files, encoding="utf-8"
    )
    handlers: list[logging.Handler] = [file]
    if to_terminal:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(formatter)
    logging.basicConfig(level=config.level.upper(), handlers=handlers, force=True)
    # A job that takes longer than its interval is no news; the next run is promised already.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
