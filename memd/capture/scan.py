"""The scan: looks through the roots and tells which sources are not the files that were read.

It trusts nothing but the file system, so it finds whatever a watcher missed; it compares three numbers a file and opens
none, so it can run every minute.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from memd.adapter import Adapter, Root, Source

WAL: Final = "-wal"
"""What SQLite appends to the name of a database for its write-ahead log; rows may live there alone."""


class Stamp(NamedTuple):
    """By what a file that changed is told from the one that was read.

    The stamp of a database covers its -wal: the size is that of both, the mtime the newer one, the inode its own.
    """

    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Found:
    """A source as it lies on disk now."""

    source: Source
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Scan:
    """What a look through one root found.

    `dirty` are the sources that are new or changed, newest first. `vanished` are known files of this root that are no
    longer there; none is named while any folder could not be read. `unreadable` are those that could not, and why.
    """

    root: Root
    exists: bool
    dirty: tuple[Found, ...] = ()
    vanished: tuple[Path, ...] = ()
    unreadable: Mapping[Path, str] | None = None
    sources: int = 0
    bytes_total: int = 0
    newest_mtime_ns: int | None = None
    directories: int = 0


def scan(adapter: Adapter, root: Root, known: Mapping[Path, Stamp]) -> Scan:
    """Look through a root once; `known` are the stamps of the sources as they were read, whole.

    Blocks on the disk. Folders behind symbolic links are not entered (the root itself may be one), so the walk ends.
    """
    walk = _Walk()
    read_as = {str(path): stamp for path, stamp in known.items()}
    below = f"{root.path}{os.sep}"
    missing = {path for path in read_as if path.startswith(below) or path == str(root.path)}
    dirty: list[Found] = []
    unnamed: dict[Path, str] = {}
    sources = bytes_total = newest = 0
    for path, stamp in walk.files(root.path):
        if read_as.get(path) == stamp:
            missing.discard(path)
        else:
            source = adapter.classify(root, Path(path))
            if source is None:
                continue
            if not has_plain_name(source.path):
                unnamed[_shown(path)] = "its name is not UTF-8"
                continue
            missing.discard(str(source.path))
            dirty.append(Found(source, stamp))
        sources += 1
        bytes_total += stamp.size
        newest = max(newest, stamp.mtime_ns)
    dirty.sort(key=lambda found: found.stamp.mtime_ns, reverse=True)
    exists = walk.directories > 0 or sources > 0
    return Scan(
        root=root,
        exists=exists,
        dirty=tuple(dirty),
        vanished=() if walk.unreadable else tuple(Path(path) for path in sorted(missing)),
        unreadable=walk.unreadable | unnamed,
        sources=sources,
        bytes_total=bytes_total,
        newest_mtime_ns=newest or None,
        directories=walk.directories,
    )


def has_plain_name(path: Path) -> bool:
    """Whether a path can be stored and told: one whose bytes are no UTF-8 cannot."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str) -> Path:
    return Path(os.fsencode(path).decode("utf-8", "backslashreplace"))


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file, None when there is none; blocks on the disk."""
    stamp = _stamp_of(path)
    if stamp is None:
        return None
    wal = _stamp_of(path.with_name(path.name + WAL))
    return stamp if wal is None else _with_wal(stamp, wal)


def _stamp_of(path: Path) -> Stamp | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


def _with_wal(stamp: Stamp, wal: Stamp) -> Stamp:
    return Stamp(stamp.size + wal.size, max(stamp.mtime_ns, wal.mtime_ns), stamp.inode)


def _databases_joined(files: list[tuple[str, Stamp]]) -> list[tuple[str, Stamp]]:
    """Return the files of a folder with each -wal counted in with its database."""
    wals = {path[: -len(WAL)]: stamp for path, stamp in files if path.endswith(WAL)}
    if not wals:
        return files
    return [
        (path, _with_wal(stamp, wals[path]) if path in wals else stamp)
        for path, stamp in files
        if not path.endswith(WAL)
    ]


class _Walk:
    """A walk over regular files, depth first, without recursion."""

    def __init__(self) -> None:
        self.directories = 0
        self.unreadable: dict[Path, str] = {}

    def files(self, top: Path) -> Iterator[tuple[str, Stamp]]:
        """Yield each file with its stamp; `top` may also be a file."""
        waiting = [str(top)]
        while waiting:
            folder = waiting.pop()
            try:
                entries = os.scandir(folder)
            except NotADirectoryError:
                if folder == str(top) and (stamp := stamp_of(top)):
                    yield folder, stamp
                continue
            except FileNotFoundError:
                continue
            except OSError as error:
                self.unreadable[_shown(folder)] = error.strerror or type(error).__name__
                continue
            self.directories += 1
            with entries:
                yield from _databases_joined(self._of_folder(entries, waiting.append))

    def _of_folder(self, entries: Iterator[os.DirEntry[str]], enter: Callable[[str], None]) -> list[tuple[str, Stamp]]:
        files: list[tuple[str, Stamp]] = []
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    enter(entry.path)
                elif entry.is_file():
                    found = entry.stat()
                    files.append((entry.path, Stamp(found.st_size, found.st_mtime_ns, found.st_ino)))
            except FileNotFoundError:
                continue
            except OSError as error:
                self.unreadable[_shown(entry.path)] = error.strerror or type(error).__name__
        return files
