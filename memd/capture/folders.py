"""Folders: the little of a file system that finding a project needs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["folder", "file"]

_TEXT_BYTES: Final = 4096


class Folders(Protocol):
    """A view of a file system; a test hands in its own."""

    def kind(self, path: Path) -> Kind | None:
        """Return what lies at a path, links followed; None for nothing and for what may not be looked at."""
        ...

    def text(self, path: Path) -> str | None:
        """Return the start of a small file, stripped; None when it cannot be read."""
        ...

    def real(self, path: Path) -> Path:
        """Return a path with its links resolved as far as it exists."""
        ...


class DiskFolders:
    """The file system of this machine. Every method blocks on the disk."""

    def kind(self, path: Path) -> Kind | None:
        """Return what lies at a path, links followed; None for nothing and for what may not be looked at."""
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError):
            return None
        return "folder" if (mode & 0o170000) == 0o040000 else "file"

    def text(self, path: Path) -> str | None:
        """Return the start of a small file, stripped; None when it cannot be read."""
        try:
            # Without O_NONBLOCK a named pipe called .git would be waited for, for ever.
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            try:
                return os.read(descriptor, _TEXT_BYTES).decode("utf-8", "surrogateescape").strip()
            finally:
                os.close(descriptor)
        except (OSError, ValueError):
            return None

    def real(self, path: Path) -> Path:
        """Return a path with its links resolved as far as it exists."""
        try:
            return path.resolve()
        except (OSError, RuntimeError, ValueError):
            return path


def temporary_roots(env: Mapping[str, str]) -> frozenset[Path]:
    """Return the folders in which everybody leaves things for a while; none of them is a project itself."""
    named = (env.get(name) for name in ("TMPDIR", "TMP", "TEMP"))
    given = {Path(value) for value in named if value and value.startswith("/")}
    return frozenset({*(Path("/tmp"), Path("/var/tmp"), Path("/private/tmp"), Path("/dev/shm")), *given})
