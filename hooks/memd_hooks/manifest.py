"""The manifest: what memd wrote into files of hosts, so that leaving can take it back.

It is a help, never a condition: what is ours in a settings file is found by its command. Without the manifest, only
what the edited file cannot tell is lost (see `Before`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memd_hooks.files import write_private
from memd_hooks.settings_json import Before

if TYPE_CHECKING:
    from collections.abc import Iterator

MANIFEST_NAME: Final = "installed.json"
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One file of a host that memd has changed."""

    path: Path
    host: str
    sha256: str
    """Of the file as memd wrote it."""
    before: Before
    folders: tuple[Path, ...] = ()
    """Those that were made for it, outermost first."""
    backup: Path | None = None
    """The file's bytes before the first change."""
    refreshed: bool = False
    """The daemon keeps what stands in it up to date."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """All files that memd has changed; `damaged` if there was more that could not be read."""

    files: tuple[FileRecord, ...] = ()
    damaged: bool = False

    def of(self, path: Path) -> FileRecord | None:
        """The record of that file."""
        return next((record for record in self.files if record.path == path), None)

    def having(self, record: FileRecord) -> Manifest:
        """The manifest with this record in the place of an older one."""
        return Manifest((*self.without(record.path).files, record))

    def without(self, path: Path) -> Manifest:
        """The manifest without a record of that file."""
        return Manifest(tuple(record for record in self.files if record.path != path))


def digest(data: bytes) -> str:
    """The SHA-256 of a file's bytes, as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def load(path: Path) -> Manifest:
    """The manifest in that file; an empty one where there is none, and the readable part of a damaged one."""
    try:
        document: object = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Manifest()
    except (OSError, ValueError, RecursionError):
        return Manifest(damaged=True)
    files = document.get("files") if isinstance(document, dict) else None
    if not isinstance(files, list):
        return Manifest(damaged=True)
    records = [_record(entry) for entry in files]
    return Manifest(tuple(record for record in records if record), damaged=None in records)


def save(path: Path, manifest: Manifest) -> None:
    """Write the manifest (0600); without any record the file is removed. Raises OSError."""
    if not manifest.files:
        path.unlink(missing_ok=True)
        return
    document = {"version": _VERSION, "files": [asdict(record) for record in manifest.files]}
    write_private(path, json.dumps(document, indent=2, default=str).encode() + b"\n")


def _record(entry: object) -> FileRecord | None:
    match entry:
        case {"path": str(path), "host": str(host), "sha256": str(sha256), "before": before, **rest}:
            backup = rest.get("backup")
            folders = rest.get("folders")
            return FileRecord(
                path=Path(path),
                host=host,
                sha256=sha256,
                before=_before(before),
                folders=tuple(Path(folder) for folder in _texts(folders)),
                backup=Path(backup) if isinstance(backup, str) else None,
                refreshed=rest.get("refreshed") is True,
            )
        case _:
            return None


def _before(entry: object) -> Before:
    match entry:
        case {"absent": bool(absent), "blank": str() | None as blank, "empties": list(empties), **rest}:
            return Before(absent, blank, tuple(_empties(empties)), rest.get("alone") is True)
        case _:
            return Before()


def _empties(entries: list[object]) -> Iterator[tuple[tuple[str, ...], str]]:
    for entry in entries:
        match entry:
            case [list(place), str(inside)]:
                yield tuple(_texts(place)), inside
            case _:
                pass


def _texts(values: object) -> Iterator[str]:
    if isinstance(values, list):
        yield from (value for value in values if isinstance(value, str))
