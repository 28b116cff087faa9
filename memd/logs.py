"""Logs: where the daemon's words go. Nobody's text is in them, only what happened to it."""

from __future__ import annotations

import logging
import logging.handlers
import os
import sys
import time
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import Final

from memd.config import LogConfig
from memd.paths import make_private

_FORMAT: Final = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s %(message)s"


class _PrivateFiles(logging.handlers.RotatingFileHandler):
    """Rotating files that are their owner's only, also the one that is begun when the log is rotated."""

    def _open(self) -> TextIOWrapper:  # type: ignore[explicit-override]  # typing.override is 3.12
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        return TextIOWrapper(BufferedWriter(FileIO(descriptor, "a")), encoding=self.encoding, errors=self.errors)


def set_up(config: LogConfig, path: Path, *, to_terminal: bool) -> None:
    """Log to a rotating file (0600), and to standard error as well when a person is looking."""
    make_private(path.parent)
    formatter = logging.Formatter(_FORMAT, "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    file = _PrivateFiles(path, maxBytes=config.megabytes << 20, backupCount=config.files, encoding="utf-8")
    handlers: list[logging.Handler] = [file]
    if to_terminal:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(formatter)
    logging.basicConfig(level=config.level.upper(), handlers=handlers, force=True)
    # A job that takes longer than its interval is no news; the next run is promised already.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
