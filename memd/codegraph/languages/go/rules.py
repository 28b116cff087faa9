"""How Go's packages give names their meaning, and what its own kinds of type and its library hand through.

A package is the files of a folder that say the same in their package clause. Where several define one name, those count
that are part of a plain build for Linux (see constraints.py).
"""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar, Final

from memd.codegraph.facts import MODULE, FileFacts, Flag, ImportSite
from memd.codegraph.languages.go.constraints import built_by_name
from memd.codegraph.languages.go.library import given
from memd.codegraph.languages.go.names import CHANNEL, FUNCTION, KEY, MAP, SLICE, TUPLE
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.values import NOTHING, Ext, ExtObj, Module, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

_MODULE_LINE: Final = re.compile(rb"^[ \t]*module[ \t]+\"?([^\s\"]+)", re.MULTILINE)
_VERSION: Final = re.compile(r"v\d+$")
_BUILTINS: Final = frozenset(
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint"
    " uint8 uint16 uint32 uint64 uintptr append cap clear close complex copy delete imag len make max min new panic"
    " print println real recover".split()
)


class GoRules(Rules):
    """Go's rules."""

    awaitables: ClassVar[frozenset[str]] = frozenset()
    types_are_called: ClassVar[bool] = False
    variables_are_followed: ClassVar[bool] = False

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._modules: tuple[tuple[str, str], ...] | None = None
        self._imports: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {}
        self._scopes: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
        self._parts: dict[tuple[str, int], tuple[tuple[str, int], ...]] = {}

    # --- packages -----------------------------------------------------------------------------------------------

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """The folder that an import path names, by the go.mod whose module it lies in."""
        for prefix, root in self._known_modules():
            if module == prefix or module.startswith(f"{prefix}/"):
                folder = "/".join(part for part in (root, module[len(prefix) + 1 :]) if part)
                return (f"{folder}/",) if self._package_of(folder) is not None else ()
        return self._without_modules(module) if not self._known_modules() else ()

    def _without_modules(self, module: str) -> tuple[str, ...]:
        """Return the folder that an import path ends with: in a tree older than modules nothing else tells."""
        parts = module.split("/")
        for place in range(1, len(parts)):
            folder = "/".join(parts[place:])
            if "." in parts[0] and self.project.is_folder(folder) and self._package_of(folder) is not None:
                return (f"{folder}/",)
        return ()

    def _known_modules(self) -> tuple[tuple[str, str], ...]:
        """Return the path and the folder of each module, longer paths first."""
        if self._modules is None:
            found: list[tuple[str, str]] = []
            for path in self.project.configs("go.mod"):
                line = _MODULE_LINE.search(self.project.config(path) or b"")
                if line is not None:
                    found.append((line[1].decode("utf-8", "replace"), path.rpartition("/")[0]))
            self._modules = tuple(sorted(found, key=lambda one: (-len(one[0]), one)))
        return self._modules

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """The folder of the package; "." for the root."""
        for key in self.find_module(facts.path, site.module):
            yield key[:-1] or "."

    def _package_of(self, folder: str) -> str | None:
        """Return the name of the package that a folder gives to others."""
        found: str | None = None
        for path in self.project.files_in(folder):
            facts = self._source(path)
            if facts is None or path.endswith("_test.go"):
                continue
            package = facts.extra.get("package")
            if package is not None and _is_built(facts):
                return package
            found = found or package
        return found

    def _source(self, path: str) -> FileFacts | None:
        facts = self.project.facts(path) if path.endswith(".go") else None
        return facts if facts is not None and facts.language == "go" else None

    def module_member(self, resolver: Resolver, key: str, name: str) -> Values:
        """What a package gives for a name."""
        if not key.endswith("/"):
            return NOTHING
        folder = key[:-1]
        package = self._package_of(folder)
        return self._in_package(resolver, folder, package, name) if package is not None else NOTHING

    def _in_package(self, resolver: Resolver, folder: str, package: str, name: str) -> Values:
        scope = self._scope(folder, package)
        return union(*(resolver.module_member(path, name) for path in scope.get(name, ())))

    def _scope(self, folder: str, package: str) -> dict[str, tuple[str, ...]]:
        """Return which files of a package define each of its names."""
        key = (folder, package)
        if key not in self._scopes:
            found: dict[str, dict[str, bool]] = {}
            for path in self.project.files_in(folder):
                facts = self._source(path)
                if facts is None or facts.extra.get("package") != package:
                    continue
                built = _is_built(facts)
                for binding in facts.bindings:
                    if binding.owner == MODULE and not binding.scoped:
                        found.setdefault(binding.name, {})[path] = built
            self._scopes[key] = {
                name: tuple(path for path, built in paths.items() if built) or tuple(paths)
                for name, paths in found.items()
            }
        return self._scopes[key]

    # --- names --------------------------------------------------------------------------------------------------

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """What the file imports under a name, what its package defines, what it imports whole, what Go itself has."""
        return resolver.answers.once(("outer", path, name), lambda: self._outer(resolver, path, name))

    def _outer(self, resolver: Resolver, path: str, name: str) -> Values:
        facts = self.project.facts(path)
        if facts is None:
            return NOTHING
        single, whole = self._imports_of(facts)
        if name in single:
            keys = self.find_module(path, single[name])
            return tuple(Module(key) for key in keys) or (Ext(single[name]),)
        found = self._in_package(resolver, path.rpartition("/")[0], facts.extra.get("package", ""), name)
        if found:
            return found
        for module in whole:
            for key in self.find_module(path, module):
                found = resolver.module_member(key, name)
                if found:
                    return found
        return (Ext(name),) if name in _BUILTINS else NOTHING

    def _imports_of(self, facts: FileFacts) -> tuple[dict[str, str], tuple[str, ...]]:
        """Return the packages that a file imports, by their names in it, and those whose names become its own."""
        if facts.path not in self._imports:
            single: dict[str, str] = {}
            whole: list[str] = []
            for site in facts.imports:
                if site.star:
                    whole.append(site.module)
                elif site.names:
                    single[site.names[0]] = site.module
                else:
                    single[self._name_of(facts.path, site.module)] = site.module
            self._imports[facts.path] = single, tuple(whole)
        return self._imports[facts.path]

    def _name_of(self, importer: str, module: str) -> str:
        """Return what a package is called: as it says itself, else by the last part of its path that is no version."""
        for key in self.find_module(importer, module):
            return self._package_of(key[:-1]) or module.rpartition("/")[2]
        parts = module.split("/")
        if len(parts) > 1 and _VERSION.match(parts[-1]):
            parts.pop()
        return parts[-1].partition(".")[0].removeprefix("go-")

    # --- types --------------------------------------------------------------------------------------------------

    def parts(self, resolver: Resolver, path: str, index: int) -> Iterable[tuple[str, int]]:
        """The methods of a type, in any file of its package."""
        key = (path, index)
        if key not in self._parts:
            self._parts[key] = tuple(self._find_parts(path, index))
        return self._parts[key]

    def _find_parts(self, path: str, index: int) -> Iterable[tuple[str, int]]:
        facts = self.project.facts(path)
        if facts is None or facts.symbols[index].parent != MODULE or facts.symbols[index].flags & Flag.PART:
            return
        package = facts.extra.get("package")
        folder = path.rpartition("/")[0]
        for other, part in self.project.defining(facts.symbols[index].name):
            if other.rpartition("/")[0] != folder:
                continue
            theirs = self._source(other)
            if theirs is None or not theirs.symbols[part].flags & Flag.PART or theirs.extra.get("package") != package:
                continue
            if other == path or _is_built(theirs) or not _is_built(facts):
                yield other, part

    # --- types outside ------------------------------------------------------------------------------------------

    def call_outside(self, resolver: Resolver, outside: Ext, args: Callable[[int], Values]) -> Values:
        """What functions of the library hand through; anything else of theirs is theirs."""
        found = given(outside, args)
        return found if found is not None else (ExtObj(outside.name, outside.args),)

    def element_outside(self, base: ExtObj) -> Values:
        """What the second variable of a `range` takes, or what is received from a channel."""
        match base.type:
            case "[]" | "chan":
                return base.args[0] if base.args else NOTHING
            case "map" | "iter.Seq2":
                return base.args[1] if len(base.args) > 1 else NOTHING
            case "Callable":
                return self._yielded(base, 1)
            case _:
                return NOTHING

    def item_outside(self, base: ExtObj, key: int | str | None) -> Values:
        """A part of several results, what the first variable of a `range` takes, or what an index gives."""
        if base.type == TUPLE:
            return base.args[key] if isinstance(key, int) and key < len(base.args) else NOTHING
        if key == KEY:
            if base.type in (MAP, CHANNEL, "iter.Seq", "iter.Seq2"):
                return base.args[0] if base.args else NOTHING
            return self._yielded(base, 0) if base.type == FUNCTION else NOTHING
        if base.type in (SLICE, MAP):
            return base.args[-1] if key is None and base.args else NOTHING
        return (ExtObj(f"{base.type}[]"),) if base.type != FUNCTION else NOTHING

    def _yielded(self, iterator: ExtObj, position: int) -> Values:
        """Return what a function that is ranged over calls its own parameter with."""
        taken = iterator.args[0] if len(iterator.args) > 1 else NOTHING
        return union(
            *(
                one.args[position]
                for one in taken
                if isinstance(one, ExtObj) and one.type == FUNCTION and position < len(one.args) - 1
            )
        )


def _is_built(facts: FileFacts) -> bool:
    return "unbuilt" not in facts.extra and built_by_name(facts.path)
