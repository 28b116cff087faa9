"""Exclusion: sessions that are never stored, because of the folder they run in.

The person's own patterns (`capture.exclude`), and memd's own folders: what memd lets a model do there is nobody's work.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from memd.adapter import Event, SessionUpdate
from memd.store.ingest import Prepared

EXCLUDED: Final = "excluded project"


class Exclusion:
    """Tells which sessions are left out. It learns a session's folder from its events and remembers it."""

    def __init__(self, patterns: Iterable[str], own_folders: Iterable[Path], home: Path) -> None:
        self._patterns = tuple(_expanded(pattern, home) for pattern in patterns)
        self._own = tuple(own_folders)
        self._out: dict[str, bool] = {}
        self._sources: set[Path] = set()

    def knows(self, source: Path) -> bool:
        """Whether it was learnt in which folders the sessions of a source are; always where nothing is left out."""
        return source in self._sources or not (self._patterns or self._own)

    def learn(self, source: Path) -> None:
        """Note that a source has been read since this was made."""
        self._sources.add(source)

    def follow_links(self) -> None:
        """Let the patterns cover what their links lead to: hosts record folders resolved. Blocks on the disk."""
        self._patterns = tuple(dict.fromkeys([*self._patterns, *map(os.path.realpath, self._patterns)]))

    def covers(self, cwd: Path | str | None) -> bool:
        """Whether sessions in this folder are left out. A pattern covers a folder and all that lies in it."""
        if cwd is None:
            return False
        path = Path(os.path.normpath(cwd))
        if any(path.is_relative_to(folder) for folder in self._own):
            return True
        places = [str(path), *map(str, path.parents)]
        return any(fnmatchcase(place, pattern) for pattern in self._patterns for place in places)

    def without(self, prepared: Prepared) -> Prepared:
        """Return a batch without what belongs to sessions that are left out, which is counted."""
        if not self._patterns and not self._own:
            return prepared
        for event in prepared.batch.events:
            # What a session says before it first tells its folder was said there too.
            if isinstance(event, SessionUpdate) and event.cwd is not None and event.session not in self._out:
                self._out[event.session] = self.covers(event.cwd)
        kept: list[tuple[Event, str]] = []
        for event, body in zip(prepared.batch.events, prepared.bodies, strict=True):
            if isinstance(event, SessionUpdate) and event.cwd is not None:
                self._out[event.session] = self.covers(event.cwd)
            if not self._out.get(event.session, False):
                kept.append((event, body))
        left_out = len(prepared.bodies) - len(kept)
        if not left_out:
            return prepared
        skipped = {**prepared.batch.skipped, EXCLUDED: left_out}
        batch = replace(prepared.batch, events=tuple(event for event, _ in kept), skipped=skipped)
        return Prepared(batch, tuple(body for _, body in kept))


def _expanded(pattern: str, home: Path) -> str:
    """Return a pattern with `~` written out; `x/**` means the folder x as well."""
    if pattern == "~" or pattern.startswith("~/"):
        pattern = f"{home}{pattern[1:]}"
    return pattern.removesuffix("/**").rstrip("/") or "/"
