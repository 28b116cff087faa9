"""The registry of host adapters: those that come with memd, and third-party ones that are installed beside it.

A package offers an adapter under the entry point group `memd.adapters`. One that cannot be loaded is named in
`problems()` and left out; a built-in adapter is never replaced.
"""

from __future__ import annotations

import codecs
import logging
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memd.adapter import Adapter, Source
from memd.errors import TranscriptError
from memd_adapters import ADAPTERS

GROUP: Final = "memd.adapters"
MOST_FILES: Final = 10_000
"""How many files of a folder are looked at."""
_HEAD_BYTES: Final = 64 << 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Registry:
    """Adapters by the host's name, and one sentence for each that could not be loaded."""

    adapters: Mapping[str, Adapter]
    problems: tuple[str, ...]


def adapters() -> Mapping[str, Adapter]:
    """Return all adapters by the host's name; third-party ones are loaded at the first call."""
    return _registry().adapters


def problems() -> tuple[str, ...]:
    """Return one sentence for each third-party adapter that could not be loaded."""
    return _registry().problems


def recognise(path: Path) -> tuple[Adapter, Source] | None:
    """Return the adapter whose host wrote a file, wherever it lies, and the source it is; None when no host did.

    Raises OSError when the file cannot be read.
    """
    head = head_of(path)
    for adapter in adapters().values():
        if source := adapter.recognise(path, head):
            return adapter, source
    return None


def head_of(path: Path) -> bytes:
    """Return the first bytes of a file, by which it is recognised, without the mark that some editors put first.

    Raises OSError when the file cannot be read.
    """
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES).removeprefix(codecs.BOM_UTF8)


def recognise_all(folder: Path, host: str | None = None) -> tuple[tuple[Adapter, Source], ...]:
    """Return the sources in a folder and below it, as `recognise` does for each file, in the order of their names.

    Only those of `host`, where it is named. Links are not followed; a file that cannot be read is none. Raises
    TranscriptError for a folder with more files than are looked at.
    """
    found: list[tuple[Adapter, Source]] = []
    for path in _files_in(folder):
        with suppress(OSError):
            one = recognise(path)
            if one is not None and host in {None, one[0].name}:
                found.append(one)
    return tuple(found)


def _files_in(folder: Path) -> list[Path]:
    """Return the regular files in a folder and below it; they are counted before any of them is opened."""
    paths: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders.sort()
        paths += (Path(where, name) for name in sorted(names))
        if len(paths) > MOST_FILES:
            raise TranscriptError(folder, f"holds more than {MOST_FILES} files; name a transcript in it")
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def beside(source: Source) -> tuple[Source, ...]:
    """Return the other files of a source's session in its folder: a host may keep one session in several."""
    adapter = adapters()[source.host]
    found = []
    for path in sorted(source.path.parent.iterdir()) if source.session else ():
        if path == source.path or path.suffix != source.path.suffix or not path.is_file():
            continue
        with suppress(OSError):
            other = adapter.recognise(path, head_of(path))
            if other is not None and source.session in (other.session, other.parent):
                found.append(other)
    return tuple(found)


@cache
def _registry() -> Registry:
    registry = load(entry_points(group=GROUP))
    for problem in registry.problems:
        _log.warning("%s", problem)
    return registry


def load(offered: Iterable[EntryPoint]) -> Registry:
    """Return the built-in adapters and those offered by entry points."""
    found = dict(ADAPTERS)
    problems: list[str] = []
    for point in offered:
        try:
            adapter = point.load()
            adapter = adapter() if isinstance(adapter, type) else adapter
            name = adapter.name
        except Exception as error:  # noqa: BLE001  # a stranger's module may raise anything; memd goes on without it
            reason = str(error).rstrip(".") or type(error).__name__
            problems.append(f"The adapter {point.name!r} ({point.value}) cannot be loaded: {reason}.")
            continue
        if not isinstance(adapter, Adapter) or not isinstance(name, str):
            problems.append(f"The adapter {point.name!r} ({point.value}) does not keep the adapter contract.")
        elif name in found:
            problems.append(f"The adapter {point.name!r} ({point.value}) is left out: there is one for {name} already.")
        else:
            found[name] = adapter
    return Registry(MappingProxyType(found), tuple(problems))
