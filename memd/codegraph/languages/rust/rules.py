"""How Rust's modules and crates are found, and which `impl` blocks belong to a type."""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final

from memd.codegraph.facts import Contextual, FileFacts, Flag, Import, ImportSite
from memd.codegraph.languages.rust.library import (
    CONTAINERS,
    DERIVED,
    ENTRIES,
    INHERENT,
    MAPS,
    PRELUDE,
    PRIMITIVES,
    SAME,
    TRANSPARENT,
    Asked,
    called,
    closure_takes,
)
from memd.codegraph.languages.rust.names import CRATE, SELF, SUPER, TUPLE
from memd.codegraph.languages.rust.traits import brought_to, declared_by, for_any
from memd.codegraph.places import Place
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.values import NOTHING, Cls, Ext, ExtObj, Func, Module, Obj, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

_ROOTS: Final = ("lib.rs", "main.rs")
_OWN_CRATES: Final = frozenset(("bin", "tests", "examples", "benches"))
_ITERATORS: Final = frozenset(("Iterator", "DoubleEndedIterator", "ExactSizeIterator", "IntoIterator"))
_PLACED: Final = "mod ="
_LIBRARY: Final = frozenset(("std", "core", "alloc"))


class RustRules(Rules):
    """Rust's rules."""

    next_methods: ClassVar[tuple[str, ...]] = ("next",)
    iterate_methods: ClassVar[tuple[str, ...]] = ("into_iter", "iter")
    pointers: ClassVar[frozenset[str]] = frozenset(("Option", "Result"))
    body_sees_members: ClassVar[bool] = False

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._crates: dict[str, str] | None = None
        self._paths: dict[str, dict[str, str]] = {}
        self._parts: dict[tuple[str, int], tuple[tuple[str, int], ...]] = {}
        self._of_2015: dict[str, bool] = {}

    # --- modules ------------------------------------------------------------------------------------------------

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """The file of a module, by `mod x`, by a path through modules, or by the name of a crate."""
        if module.startswith("mod "):
            found = self._declared(importer, module.removeprefix("mod "))
        else:
            found, rest = self._walk(importer, tuple(module.split("::")))
            if rest:
                found = None
        return (found,) if found is not None else ()

    def submodule(self, key: str, name: str) -> str | None:
        """A file that lies where a module of that name would, though no `mod` is seen: a macro may have declared it."""
        return self._child(key, name)

    def _declared(self, importer: str, name: str) -> str | None:
        if name.startswith("="):
            path = posixpath.normpath(posixpath.join(importer.rpartition("/")[0], name[1:]))
            return path if self.project.has(path) else None
        return self._child(importer, name)

    def _walk(self, importer: str, parts: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
        """Return the file of the longest path through modules, and what of the path is left behind it."""
        at: str | None
        head = parts[0]
        if head == CRATE:
            at = self._root(importer)
        elif head == SELF:
            at = importer
        elif head == SUPER:
            at = self._parent(importer)
        else:
            at = self._of_root(importer, head) or self._child(importer, head) or self._crate(head)
        if at is None:
            return None, parts
        rest = parts[1:]
        while rest:
            below = self._parent(at) if rest[0] == SUPER else self._child(at, rest[0])
            if below is None:
                break
            at, rest = below, rest[1:]
        return at, rest

    def _child(self, path: str, name: str) -> str | None:
        folder, _, file = path.rpartition("/")
        if file not in ("mod.rs", *_ROOTS) and not self._is_own_crate(path):
            folder = path.removesuffix(".rs")
        base = f"{folder}/{name}" if folder else name
        found = next((one for one in (f"{base}.rs", f"{base}/mod.rs") if self.project.has(one)), None)
        return found or self._placed(path).get(name)

    def _placed(self, path: str) -> dict[str, str]:
        """Return the files that a file says its modules are in, by their names (`#[path = "x.rs"] mod y;`)."""
        if path not in self._paths:
            facts = self.project.facts(path)
            given = [
                (one.name, one.value.module)
                for one in (facts.bindings if facts is not None and facts.language == "rust" else ())
                if isinstance(one.value, Import) and one.value.module.startswith(_PLACED)
            ]
            found = {name: self._declared(path, module.removeprefix("mod ")) for name, module in given}
            self._paths[path] = {name: file for name, file in found.items() if file is not None}
        return self._paths[path]

    def _parent(self, path: str) -> str | None:
        folder, _, file = path.rpartition("/")
        if file == "mod.rs":
            folder = folder.rpartition("/")[0]
        prefix = f"{folder}/" if folder else ""
        choices = (f"{prefix}mod.rs", *(f"{prefix}{root}" for root in _ROOTS), f"{folder}.rs")
        found = next((one for one in choices if one != path and self.project.has(one)), None)
        if found is not None and path in self._placed(found).values():
            return found
        return self._placing(path) or found

    def _placing(self, path: str) -> str | None:
        """Return the file further up that says a module of its own is in this one."""
        folder = path.rpartition("/")[0]
        while True:
            for name in ("mod.rs", *_ROOTS):
                one = f"{folder}/{name}" if folder else name
                if one != path and self.project.has(one) and path in self._placed(one).values():
                    return one
            if not folder:
                return None
            folder = folder.rpartition("/")[0]

    def _is_own_crate(self, path: str) -> bool:
        folders = path.split("/")[:-1]
        return bool(folders) and folders[-1] in _OWN_CRATES

    def _root(self, path: str) -> str | None:
        """Return the file that the crate of a file begins with."""
        if self._is_own_crate(path) or path.rpartition("/")[2] in _ROOTS:
            return path
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            for root in _ROOTS:
                found = f"{folder}/{root}" if folder else root
                if self.project.has(found):
                    return found
        return None

    def _of_root(self, importer: str, name: str) -> str | None:
        """Return the file of a module right below the crate's root, where the paths of a `use` begin there."""
        root = self._root(importer) if self._begins_at_root(importer) else None
        return self._child(root, name) if root is not None else None

    def _begins_at_root(self, path: str) -> bool:
        """Tell whether the crate of a file is of the edition of 2015, which is the one of a package that names none."""
        folder = path.rpartition("/")[0]
        if folder not in self._of_2015:
            config = f"{folder}/Cargo.toml" if folder else "Cargo.toml"
            source = self.project.config(config)
            package = _table(source, "package") if source is not None else None
            if package is not None or not folder:
                self._of_2015[folder] = package is not None and package.get("edition", "2015") == "2015"
            else:
                self._of_2015[folder] = self._begins_at_root(folder)
        return self._of_2015[folder]

    def _crate(self, name: str) -> str | None:
        """Return the file that a crate of the workspace begins with."""
        if self._crates is None:
            self._crates = {}
            for path in self.project.configs("Cargo.toml"):
                self._take_crate(path.rpartition("/")[0], self.project.config(path) or b"")
        return self._crates.get(name)

    def _take_crate(self, folder: str, config: bytes) -> None:
        assert self._crates is not None
        package, library = _table(config, "package"), _table(config, "lib") or {}
        name = package.get("name") if package is not None else None
        if not isinstance(name, str):
            return
        name, start = library.get("name", name), library.get("path", "src/lib.rs")
        path = f"{folder}/{start}" if folder else str(start)
        if self.project.has(path):
            self._crates[str(name).replace("-", "_")] = path

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """The file of `mod x;`, and of a path in the crate the longest part that is a module."""
        if site.module.startswith("mod "):
            yield from self.find_module(facts.path, site.module)
            return
        parts = tuple(site.module.split("::"))
        head = parts[0]
        if head in (CRATE, SELF, SUPER) or (self._of_root(facts.path, head) or self._child(facts.path, head)):
            found, _ = self._walk(facts.path, parts)
            if found is not None:
                yield found

    def no_module(self, resolver: Resolver, path: str, module: str) -> Values:
        """A path may begin with an item of the crate's root, or with a type that the file itself has."""
        root = self._root(path) if self._begins_at_root(path) else (path if module[:1].isupper() else None)
        found = resolver.module_member(root, module) if root is not None and "::" not in module else NOTHING
        return found or (Ext(module),)

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """A crate of the workspace, a name of the prelude."""
        crate = self._crate(name)
        if crate is not None:
            return (Module(crate),)
        return (Ext(name),) if name in PRELUDE or name in PRIMITIVES or name in _LIBRARY else NOTHING

    # --- types --------------------------------------------------------------------------------------------------

    def parts(self, resolver: Resolver, path: str, index: int) -> Iterable[tuple[str, int]]:
        """The `impl` blocks for a type, in whatever file of the project they stand."""
        key = (path, index)
        found = self._parts.get(key)
        if found is None:
            self._parts[key] = ()  # while it is worked out
            found = self._parts[key] = tuple(self._find_parts(resolver, path, index))
        return found

    def _find_parts(self, resolver: Resolver, path: str, index: int) -> Iterable[tuple[str, int]]:
        facts = self.project.facts(path)
        if facts is None or facts.symbols[index].flags & Flag.PART:
            return
        for other, at in self.project.defining(facts.symbols[index].name):
            theirs = self.project.facts(other)
            if theirs is None or theirs.language != "rust" or not theirs.symbols[at].flags & Flag.PART:
                continue
            part = theirs.symbols[at]
            meant = resolver.evaluate(part.bases[0], Place(other, at, part.start))
            if any(isinstance(one, Cls) and (one.path, one.index) == (path, index) for one in meant):
                yield other, at

    def outside_member(self, resolver: Resolver, cls: Cls, bases: tuple[Ext, ...], name: str) -> Values:
        """What a trait of the library brings: of an iterator, for what its `next` gives."""
        brought = {base.name.rpartition(".")[2] for base in bases}
        if "Deref" in brought:
            target = resolver.instances(resolver.member(cls, "Target"))
            found = union(*(resolver.member(one, name) for one in target))
            if found:
                return found
        if not brought.isdisjoint(_ITERATORS):
            element = resolver.uses.element(Obj(cls.path, cls.index, cls.args))
            if element:
                return (Ext(f"Iterator.{name}", (element,)),)
        return self.inherent_member(resolver, cls, name) or (Ext(f"{bases[0].name}.{name}"),)

    def inherent_member(self, resolver: Resolver, cls: Cls, name: str) -> Values:
        """`x.clone()` and its like give what x is."""
        if name in SAME:
            return (Ext(f"{cls.index}.{name}", ((Obj(cls.path, cls.index, cls.args),),)),)
        return (Ext(f"derived.{name}"),) if name in DERIVED else for_any(resolver, name)

    def instance(self, outside: Ext) -> Values:
        """What only holds a value is that value."""
        last = outside.name.rpartition(".")[2]
        if last in TRANSPARENT:
            return union(*outside.args[:1])
        return (ExtObj(CONTAINERS.get(last, last), outside.args),)

    def call_outside(self, resolver: Resolver, outside: Ext, args: Callable[[int], Values]) -> Values:
        """What functions and methods of the library give."""

        def elements(values: Values) -> Values:
            return union(*(resolver.uses.element(one) for one in values))

        found = called(
            outside, Asked(args, elements, lambda values: union(*(_result(resolver, one) for one in values)))
        )
        return found if found is not None else self.instance(Ext(f"{outside.name}()", outside.args))

    def member_outside(self, resolver: Resolver, base: ExtObj, name: str) -> Values:
        """The part of a tuple; a method of a library's type, or of a trait that the project brings to it."""
        if base.type == TUPLE and name[1:].isdecimal():
            return base.args[int(name[1:])] if int(name[1:]) < len(base.args) else NOTHING
        if base.type in ENTRIES and name in ("Occupied.0", "Vacant.0"):
            return (ExtObj("OccupiedEntry", base.args),)
        if name[0] != "." and name not in INHERENT:
            brought = resolver.answers.once(
                ("brought to", base.type, name),
                lambda: brought_to(resolver, base.type, name) or for_any(resolver, name),
            )
            if brought:
                return tuple(Func(one.path, one.index, base) for one in brought if isinstance(one, Func))
        return (Ext(f"{base.type}.{name}", base.args),)

    def declarations(self, resolver: Resolver, function: Func) -> Values:
        """The method of the trait that an `impl` block brings: whoever calls the one calls it by the other's name."""
        return declared_by(resolver, function)

    def element_outside(self, base: ExtObj) -> Values:
        """What a container holds; of a map, pairs."""
        if base.type in MAPS and len(base.args) > 1:
            return (ExtObj(TUPLE, base.args[:2]),)
        return base.args[0] if base.args else NOTHING

    def item_outside(self, base: ExtObj, key: int | str | None) -> Values:
        """The part of a tuple, the error of a result, the value of a map, the element of a list."""
        if base.type in (TUPLE, "Result") and isinstance(key, int):
            return base.args[key] if key < len(base.args) else NOTHING
        return base.args[1] if base.type in MAPS and len(base.args) > 1 else (base.args[0] if base.args else NOTHING)

    def contextual_outside(self, resolver: Resolver, callee: Value, expr: Contextual) -> Values:
        """What the library calls a closure with."""
        return closure_takes(callee, expr.param) if isinstance(callee, Ext) else NOTHING


def _table(config: bytes, name: str) -> dict[str, Any] | None:
    """Return a table of a Cargo.toml, None where it has none or cannot be read."""
    try:
        found = tomllib.loads(config.decode("utf-8", "replace")).get(name)
    except tomllib.TOMLDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _result(resolver: Resolver, value: Value) -> Values:
    """Return what calling a value gives: a closure, a function, what makes a value of an enum or struct."""
    match value:
        case ExtObj(type="function") if value.args:
            return value.args[-1]
        case Func():
            return resolver.calls.result(value)
        case Cls() | Obj():
            return (Obj(value.path, value.index, value.args),)
        case _:
            return NOTHING
