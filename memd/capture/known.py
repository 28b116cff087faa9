"""Known: how every source was when it was last read to its end, and where each file lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from memd.adapter import Cursor, Source
from memd.capture.scan import Stamp


class KnownSources:
    """The stamps of all sources by host, in memory: a rescan must not ask the database for each file."""

    def __init__(self) -> None:
        self._stamps: dict[str, dict[Path, Stamp]] = {}
        self._places: dict[tuple[str, int], Path] = {}
        self._newest_ns: dict[str, int] = {}

    def load(self, host: str, stamps: Mapping[Path, tuple[int, int, int]]) -> None:
        """Take over what the store has of a host."""
        self._stamps[host] = {path: Stamp(*stamp) for path, stamp in stamps.items()}
        self._places |= {(host, stamp.inode): path for path, stamp in self._stamps[host].items()}
        self._newest_ns[host] = max((stamp.mtime_ns for stamp in self._stamps[host].values()), default=0)

    def of(self, host: str) -> Mapping[Path, Stamp]:
        """Return the stamps of a host's sources."""
        return self._stamps.setdefault(host, {})

    def newest_ns(self, host: str) -> int | None:
        """Return the newest mtime that was read of a host."""
        return self._newest_ns.get(host) or None

    def read(self, source: Source, cursor: Cursor) -> None:
        """Note how far a source was read."""
        self.note(source, Stamp(cursor.size, cursor.mtime_ns, cursor.inode))

    def note(self, source: Source, stamp: Stamp) -> None:
        """Note that a source needs no reading while it looks like this."""
        self._stamps.setdefault(source.host, {})[source.path] = stamp
        self._places[source.host, stamp.inode] = source.path
        self._newest_ns[source.host] = max(self._newest_ns.get(source.host, 0), stamp.mtime_ns)

    def forget(self, host: str, paths: Iterable[Path]) -> None:
        """Note that files are gone. Where they lay is remembered: they may turn up under another name."""
        for path in paths:
            self.of(host)
            self._stamps[host].pop(path, None)

    def unread_bytes(self, host: str, path: Path, size: int) -> int:
        """Return about how much of a file of this size is still to be read."""
        stamp = self.of(host).get(path)
        return size if stamp is None or stamp.size > size else size - stamp.size

    def path_of(self, host: str, inode: int) -> Path | None:
        """Return where a file of this inode was read last."""
        return self._places.get((host, inode))
