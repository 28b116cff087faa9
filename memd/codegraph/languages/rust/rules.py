"""How Rust's modules and crates are found, and which `impl` blocks belong to a type."""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar, Final

from memd.codegraph.facts import Contextual, FileFacts, Flag, ImportSite
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
from memd.codegraph.languages.rust.modules import Modules
from memd.codegraph.languages.rust.names import CRATE, SELF, SLICE, SUPER, TUPLE
from memd.codegraph.languages.rust.traits import brought_to, declared_by, for_any
from memd.codegraph.places import Place
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.values import NOTHING, Cls, Ext, ExtObj, Func, Module, Obj, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

_ITERATORS: Final = frozenset(("Iterator", "DoubleEndedIterator", "ExactSizeIterator", "IntoIterator"))
_LIBRARY: Final = frozenset(("std", "core", "alloc"))


class RustRules(Rules):
    """Rust's rules."""

    next_methods: ClassVar[tuple[str, ...]] = ("next",)
    iterate_methods: ClassVar[tuple[str, ...]] = ("into_iter", "iter")
    pointers: ClassVar[frozenset[str]] = frozenset(("Option", "Result"))
    body_sees_members: ClassVar[bool] = False

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._modules = Modules(project)
        self._parts: dict[tuple[str, int], tuple[tuple[str, int], ...]] = {}

    # --- modules ------------------------------------------------------------------------------------------------

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """The file of a module, by `mod x`, by a path through modules, or by the name of a crate."""
        if module.startswith("mod "):
            found = self._modules.declared(importer, module.removeprefix("mod "))
        else:
            found, rest = self._modules.walk(importer, tuple(module.split("::")))
            if rest:
                found = None
        return (found,) if found is not None else ()

    def submodule(self, key: str, name: str) -> str | None:
        """A file that lies where a module of that name would, though no `mod` is seen: a macro may have declared it."""
        return self._modules.child(key, name)

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """The file of `mod x;`, and of a path in the crate the longest part that is a module."""
        if site.module.startswith("mod "):
            yield from self.find_module(facts.path, site.module)
            return
        parts = tuple(site.module.split("::"))
        head = parts[0]
        if head in (CRATE, SELF, SUPER) or (
            self._modules.of_root(facts.path, head) or self._modules.child(facts.path, head)
        ):
            found, _ = self._modules.walk(facts.path, parts)
            if found is not None:
                yield found

    def no_module(self, resolver: Resolver, path: str, module: str) -> Values:
        """A path may begin with an item of the crate's root, or with a type that the file itself has."""
        root = (
            self._modules.root(path) if self._modules.begins_at_root(path) else (path if module[:1].isupper() else None)
        )
        found = resolver.module_member(root, module) if root is not None and "::" not in module else NOTHING
        return found or (Ext(module),)

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """A crate of the workspace, a name of the prelude."""
        crate = self._modules.crate(name)
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
                lambda: _brought_to(resolver, base.type, name) or for_any(resolver, name),
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


_SEEN_AS: Final = {"Vec": SLICE, "String": "str"}
"""What a type of the library is as well wherever a method is called on it."""


def _brought_to(resolver: Resolver, kind: str, name: str) -> Values:
    """Return what traits bring to a type; of a slice, which has no name, only what the trait calls it."""
    found = brought_to(resolver, kind, name)
    if not found and kind in _SEEN_AS:
        return _brought_to(resolver, _SEEN_AS[kind], name)
    if kind != SLICE:
        return found
    return union(*(declared_by(resolver, one) or (one,) for one in found if isinstance(one, Func)))


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
