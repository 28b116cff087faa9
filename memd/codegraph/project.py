"""Project: the files that resolution can ask for. One kind holds everything in memory; a store may give another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from memd.codegraph.facts import FileFacts


class Project(Protocol):
    """The files of one tree, by the paths they have in it (POSIX, relative)."""

    def has(self, path: str) -> bool:
        """Tell whether there is a source file of this path."""

    def is_folder(self, path: str) -> bool:
        """Tell whether source files lie below this path; "" is the tree itself."""

    def files_in(self, folder: str) -> tuple[str, ...]:
        """Return the source files that lie directly in a folder, sorted."""

    def facts(self, path: str) -> FileFacts | None:
        """Return what a file says, None where there is none."""

    def named(self, name: str) -> tuple[str, ...]:
        """Return the paths of all source files of one name, sorted."""

    def defining(self, name: str) -> tuple[tuple[str, int], ...]:
        """Return path and index of every symbol of a name, sorted."""

    def config(self, path: str) -> bytes | None:
        """Return a file that a module system reads (`go.mod`), None where there is none."""

    def configs(self, name: str) -> tuple[str, ...]:
        """Return the paths of all such files of one name, sorted."""


class MemoryProject:
    """A project that is wholly in memory."""

    def __init__(self, files: Iterable[FileFacts], configs: Mapping[str, bytes] | None = None) -> None:
        self._facts = {facts.path: facts for facts in files}
        self._configs = dict(configs or {})
        self._folders: dict[str, list[str]] = {"": []}
        for path in sorted(self._facts):
            folder = path.rpartition("/")[0]
            self._folders.setdefault(folder, []).append(path)
            while folder:
                folder = folder.rpartition("/")[0]
                self._folders.setdefault(folder, [])
        self._defining: dict[str, list[tuple[str, int]]] | None = None
        self._named: dict[str, list[str]] | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """All source files, sorted."""
        return tuple(sorted(self._facts))

    def has(self, path: str) -> bool:
        """See `Project`."""
        return path in self._facts

    def is_folder(self, path: str) -> bool:
        """See `Project`."""
        return path in self._folders

    def files_in(self, folder: str) -> tuple[str, ...]:
        """See `Project`."""
        return tuple(self._folders.get(folder, ()))

    def facts(self, path: str) -> FileFacts | None:
        """See `Project`."""
        return self._facts.get(path)

    def named(self, name: str) -> tuple[str, ...]:
        """See `Project`."""
        if self._named is None:
            self._named = {}
            for path in sorted(self._facts):
                self._named.setdefault(path.rpartition("/")[2], []).append(path)
        return tuple(self._named.get(name, ()))

    def defining(self, name: str) -> tuple[tuple[str, int], ...]:
        """See `Project`."""
        if self._defining is None:
            self._defining = {}
            for path in sorted(self._facts):
                for index, symbol in enumerate(self._facts[path].symbols):
                    self._defining.setdefault(symbol.name, []).append((path, index))
        return tuple(self._defining.get(name, ()))

    def config(self, path: str) -> bytes | None:
        """See `Project`."""
        return self._configs.get(path)

    def configs(self, name: str) -> tuple[str, ...]:
        """See `Project`."""
        return tuple(sorted(path for path in self._configs if path.rpartition("/")[2] == name))
