"""How C and C++ find what a name means: in the file, then in what it includes; and what a declaration declares."""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Final

from memd.codegraph.facts import FileFacts, Flag, ImportSite, Symbol
from memd.codegraph.languages.c.library import HEADERS
from memd.codegraph.languages.c.names import POINTER
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.values import NOTHING, Ext, ExtObj, Func, Values

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

_MOST_INCLUDED = 400
_ELSEWHERE: Final = frozenset("win win32 win64 windows msvc msdos dos os2 vms netware amiga macos darwin osx".split())
"""Folders of what is built for other systems than those that most projects are built for."""


class CRules(Rules):
    """C's rules."""

    pointers: ClassVar[frozenset[str]] = frozenset((POINTER,))

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}
        self._closures: dict[str, tuple[str, ...]] = {}

    # --- modules ------------------------------------------------------------------------------------------------

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """The file that an `#include` means, as the compiler would look for it as far as the tree shows that."""
        if module == POINTER:
            return ()
        folder = importer.rpartition("/")[0]
        key = (folder, module)
        if key not in self._found:
            self._found[key] = self._find(folder, module.strip('"<>'), quoted=module.startswith('"'))
        return self._found[key]

    def _find(self, folder: str, name: str, *, quoted: bool) -> tuple[str, ...]:
        if quoted:
            beside = _joined(folder, name)
            if beside is not None and self.project.has(beside):
                return (beside,)
        parts = [part for part in name.split("/") if part not in ("", ".", "..")]
        if not parts:
            return ()
        # What folders the compiler is told to look in is not in the sources: those from which the name leads to a file.
        tail = "/".join(parts)
        found = [path for path in self.project.named(parts[-1]) if path == tail or path.endswith(f"/{tail}")]
        if not quoted and len(parts) == 1 and name.removesuffix(".h") in HEADERS:
            # A project that brings its own puts it where the compiler is told to look.
            found = [path for path in found if path.count("/") == 0 or path.split("/")[-2] in ("include", "inc")]
        found = [path for path in found if _ELSEWHERE.isdisjoint(path.lower().split("/"))] or found
        if len(found) > 1:
            found.sort(key=lambda path: (-shared_folders(path, folder), path.count("/"), path))
            if shared_folders(found[0], folder) == shared_folders(found[1], folder) and found[0].count("/") == found[
                1
            ].count("/"):
                return ()
        return tuple(found[:1])

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """The included file."""
        return self.find_module(facts.path, site.module)

    def closure(self, path: str) -> tuple[str, ...]:
        """Return the files that a file includes, directly or not, the nearest first."""
        known = self._closures.get(path)
        if known is None:
            order: dict[str, None] = {}
            waiting = [path]
            while waiting and len(order) < _MOST_INCLUDED:
                next_round: list[str] = []
                for one in waiting:
                    facts = self.project.facts(one)
                    for star in facts.stars if facts is not None else ():
                        for key in self.find_module(one, star):
                            if key not in order and key != path:
                                order[key] = None
                                next_round.append(key)
                waiting = next_round
            known = self._closures[path] = tuple(order)
        return known

    # --- declarations -------------------------------------------------------------------------------------------

    def definition(self, resolver: Resolver, function: Func) -> Func:
        """Return where a function that is only declared here has its body, itself where that is not to be found."""
        facts = self.project.facts(function.path)
        if facts is None:
            return function
        symbol = facts.symbols[function.index]
        if not symbol.flags & Flag.DECLARATION:
            return function
        wanted = facts.qualname(function.index)
        found: list[tuple[str, int]] = []
        for path, index in self.project.defining(symbol.name):
            other = self.project.facts(path)
            if other is None or other.symbols[index].flags & Flag.DECLARATION or other.qualname(index) != wanted:
                continue
            if other.symbols[index].kind not in ("function", "method"):
                continue
            if path != function.path and not other.symbols[index].flags & Flag.EXPORTED and symbol.kind == "function":
                continue
            found.append((path, index))
        found = self.alike(symbol, found)
        here = [one for one in found if one[0] == function.path]
        sees = here or [one for one in found if function.path in self.closure(one[0])]
        chosen = sees or found
        if not chosen or len({path for path, _ in chosen}) > 1:
            return function
        return Func(*chosen[0], function.this, function.env)

    def alike(self, symbol: Symbol, definitions: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return those of several definitions that may be what a symbol declares; in C a name has but one."""
        return definitions

    # --- types outside ------------------------------------------------------------------------------------------

    def instance(self, outside: Ext) -> Values:
        """A pointer is a value with what it points to."""
        return (ExtObj(outside.name, outside.args),)

    def item_outside(self, base: ExtObj, key: int | str | None) -> Values:
        """What a pointer points to."""
        return base.args[0] if base.type == POINTER and base.args else NOTHING

    def element_outside(self, base: ExtObj) -> Values:
        """What a pointer points to."""
        return base.args[0] if base.type == POINTER and base.args else NOTHING


def _joined(folder: str, name: str) -> str | None:
    parts = folder.split("/") if folder else []
    for part in name.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def shared_folders(path: str, folder: str) -> int:
    """Return how many folders, from the top, a file shares with a folder."""
    count = 0
    for one, other in zip(path.split("/")[:-1], folder.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count
