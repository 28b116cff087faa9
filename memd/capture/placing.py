"""Placing: from the folder a session was recorded in to its project, looked up outside the event loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeVar, cast

import anyio
import anyio.to_thread

from memd.adapter import Event, SessionUpdate
from memd.capture.folders import DiskFolders, Folders, temporary_roots
from memd.capture.projects import Place, history_identity, is_unborn, locate
from memd.store.capturing import ProjectAt
from memd.text.redaction import redact

E = TypeVar("E", bound=Event)

_NAMES_KEPT: Final = 4096

IDENTITY_PREFIX: Final = "git:"
"""Before a commit it makes an alias that goes with a folder wherever it is moved."""


@lru_cache(_NAMES_KEPT)
def without_secrets(folder: str) -> str:
    """Return the name of a folder as it may be stored; nearly always the folder itself."""
    return redact(folder).text


class Placing:
    """Finds projects and remembers what it found; `refresh` makes it look again."""

    def __init__(self, home: Path, env: Mapping[str, str], folders: Folders | None = None) -> None:
        self._home = home
        self._env = env
        self._temporary = temporary_roots(env)
        self._folders = folders or DiskFolders()
        self._known: dict[Path, Path] = {}
        self._found: dict[str, ProjectAt | None] = {}
        self._identified: frozenset[Path] = frozenset()
        # Kept apart from what was found: whoever asked may have gone before the answer came, and it still counts.
        self._identities: dict[Path, str | None] = {}

    def refresh(self, known: Mapping[Path, Path]) -> None:
        """Forget what was found, as folders may have changed; `known` are all roots and aliases of the store."""
        roots = frozenset(known.values())
        self._known = dict(known)
        self._identified = frozenset(root for path, root in known.items() if str(path).startswith(IDENTITY_PREFIX))
        self._identities = {root: identity for root, identity in self._identities.items() if root in roots}
        self._found.clear()

    async def place(self, events: Sequence[E]) -> tuple[tuple[E, ...], dict[str, ProjectAt]]:
        """Return events with their folders named as they may be stored, and the projects of where sessions begin."""
        folders: dict[str, str] = {}
        named: list[E] = []
        for event in events:
            if isinstance(event, SessionUpdate) and event.cwd is not None:
                folders.setdefault(event.session, event.cwd)
                if (name := without_secrets(event.cwd)) != event.cwd:
                    event = cast("E", replace(event, cwd=name))
            named.append(event)
        places = await self.of(folders.values())
        return tuple(named), {without_secrets(cwd): place for cwd, place in places.items()}

    async def of(self, cwds: Iterable[str]) -> dict[str, ProjectAt]:
        """Return the project of each folder, as it may be stored; a folder that belongs to none is left out."""
        wanted = dict.fromkeys(cwds)
        unknown = [cwd for cwd in wanted if cwd not in self._found]
        if unknown:
            self._found |= await anyio.to_thread.run_sync(self._look, unknown, abandon_on_cancel=True)
        found = ((cwd, self._found.get(cwd)) for cwd in wanted)
        return {cwd: place for cwd, place in found if place is not None}

    async def root_of(self, cwd: str, patience_s: float) -> Path | None:
        """Return the root under which the store knows the project of a folder, for somebody who cannot wait.

        Who the repository is that a new folder holds is asked for `patience_s`; without an answer it is taken as new.
        """
        with anyio.move_on_after(patience_s):
            place = (await self.of([cwd])).get(cwd)
            return None if place is None or place.apart else place.moved_from or place.root
        found = await anyio.to_thread.run_sync(self._located, Path(cwd))
        return None if found is None else _named(found.root)

    def _located(self, cwd: Path) -> Place | None:
        return locate(cwd, self._folders, home=self._home, temporary=self._temporary, known=self._known)

    def _look(self, cwds: list[str]) -> dict[str, ProjectAt | None]:
        found: dict[str, ProjectAt | None] = {}
        for cwd in cwds:
            place = self._placed(Path(cwd))
            if place is not None:
                aliases = tuple(map(_named, place.aliases))
                place = replace(place, root=_named(place.root), name=without_secrets(place.name), aliases=aliases)
            found[cwd] = place
            if place is not None:
                self._known |= dict.fromkeys((place.root, *place.aliases), place.root)
                if place.identity is not None:
                    self._known.setdefault(Path(place.identity), place.root)
        return found

    def _placed(self, cwd: Path) -> ProjectAt | None:
        place = self._located(cwd)
        if place is None:
            return None
        if self._stands_apart(place.root):
            return ProjectAt(place.root, place.name, place.aliases, apart=True)
        identity = self._identity(place)
        if identity is None:
            return ProjectAt(place.root, place.name, place.aliases)
        before = self._known.get(Path(identity))
        # Another clone of it that still stands where it was is another project.
        is_other = before is not None and before not in (place.root, _named(place.root))
        moved = before is not None and is_other and self._folders.kind(before) is None
        return ProjectAt(place.root, place.name, place.aliases, identity, before if moved else None)

    def _stands_apart(self, root: Path) -> bool:
        """Whether a root was a name of another project, which now stands elsewhere: it was moved away from here."""
        other = self._known.get(root, root)
        return other != root and self._folders.kind(root) == "folder" and self._folders.kind(other) == "folder"

    def _identity(self, place: Place) -> str | None:
        """Return what a repository is known by wherever it lies; git is asked once, and not where the store knows it.

        One that has no commit yet is looked at again, as its first one comes after its first session.
        """
        root = place.root
        if not place.git or _named(root) in self._identified or self._folders.kind(root) is None:
            return None
        if _named(root) not in self._identities:
            if is_unborn(root, self._folders):
                return None
            commit = history_identity(root, self._env)
            self._identities[_named(root)] = None if commit is None else f"{IDENTITY_PREFIX}{commit}"
        return self._identities[_named(root)]


def _named(path: Path) -> Path:
    return Path(without_secrets(str(path)))
