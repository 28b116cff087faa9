"""Mounts: which file systems tell of changes and which have to be asked."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import Final

# inotify sees only what goes through this kernel: changes made at the other end of these are never reported.
_SILENT: Final = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "ncpfs", "coda", "gfs2", "ocfs2"),
        *("virtiofs", "vboxsf", "prl_fs", "vmhgfs", "drvfs", "davfs"),
    }
)
MOUNTINFO: Final = Path("/proc/self/mountinfo")


def filesystem_of(path: PurePath, mountinfo: str) -> str | None:
    """Return the type of the file system that holds a resolved path, by the text of /proc/PID/mountinfo (proc(5)).

    None where no mount covers the path. Of two mounts at the same place the later one, which hides the other, counts.
    """
    found, depth = None, -1
    for line in mountinfo.splitlines():
        fields, separator, rest = line.partition(" - ")
        parts = fields.split(" ")
        if not separator or len(parts) < 5:
            continue
        place = PurePath(_unescaped(parts[4]))
        if len(place.parts) >= depth and path.is_relative_to(place):
            found, depth = rest.split(" ", 1)[0], len(place.parts)
    return found


def is_silent(filesystem: str | None) -> bool:
    """Whether changes made elsewhere go unreported on a file system of this type."""
    # Of FUSE file systems some report and some do not; asking works for all.
    return filesystem is not None and (filesystem in _SILENT or filesystem.startswith("fuse."))


def silent_filesystem(path: Path) -> str | None:
    """Return the type of the file system at an existing path when it does not tell of changes; blocks on the disk."""
    try:
        mountinfo = MOUNTINFO.read_text("utf-8", "replace")
        filesystem = filesystem_of(path.resolve(), mountinfo)
    except OSError:
        return None  # not Linux, or no /proc: the native watcher is the best guess
    return filesystem if is_silent(filesystem) else None


def _unescaped(text: str) -> str:
    """Undo mountinfo's octal escapes for blank, tab, newline and backslash."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
