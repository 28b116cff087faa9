"""Folders: those that memd made, noted so that leaving removes them and no other.

The note is a file in the data folder with one path on each line, outermost first. It stays with the data, so that a
memd that was taken off, put on again and purged still knows what was there before it.
"""

from __future__ import annotations

import os
from pathlib import Path

from memd.paths import Paths, make_private


def note_file(paths: Paths) -> Path:
    """Say where the made folders are noted."""
    return paths.data_dir / "folders.txt"


def make(paths: Paths, folder: Path, *, private: bool) -> None:
    """Have `folder` and its parents, and note those that were not there; private is mode 0700."""
    # The note itself needs the data folder, which is then the first thing in it.
    new = _missing(folder) + ([] if folder == paths.data_dir else _missing(paths.data_dir))
    make_private(paths.data_dir)
    if new:
        note = note_file(paths)
        known = made(paths)
        with os.fdopen(os.open(note, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as out:
            out.writelines(os.fsencode(path) + b"\n" for path in dict.fromkeys(new) if path not in known)
    if private:
        make_private(folder)
    else:
        folder.mkdir(parents=True, exist_ok=True)


def made(paths: Paths) -> tuple[Path, ...]:
    """Read which folders memd made; none when nothing was noted."""
    try:
        lines = note_file(paths).read_bytes().splitlines()
    except OSError:
        return ()
    return tuple(Path(os.fsdecode(line)) for line in lines if line.startswith(b"/"))


def _missing(folder: Path) -> list[Path]:
    """Give the folder and its ancestors that are not there, outermost first."""
    return [path for path in (*reversed(folder.parents), folder) if not path.exists()]
