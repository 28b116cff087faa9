"""Files: the few ways in which the service package touches the disk."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write(path: Path, content: bytes, *, mode: int) -> bool:
    """Put `content` at `path` whole or not at all; tell whether anything had to be changed."""
    try:
        if path.read_bytes() == content and path.stat().st_mode & 0o777 == mode:
            return False
    except OSError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        draft.chmod(mode)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return True


def touch_private(path: Path) -> None:
    """Have an (empty) file at `path` that only its owner may read, in a folder of the same kind."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)


def last_lines(path: Path, *, limit: int = 10, window: int = 16_384) -> str:
    """Give the last `limit` lines of a log, read from its last `window` bytes; "" when there is none."""
    try:
        with path.open("rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - window))
            text = log.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-limit:])


def remove_if_empty(folder: Path) -> bool:
    """Remove a folder that holds nothing; tell whether it is gone."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
