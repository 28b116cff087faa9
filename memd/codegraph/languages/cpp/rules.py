"""What C++ adds to C's rules: namespaces, and what the standard library's types give."""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from memd.codegraph.facts import MODULE, TYPE_KINDS, Expr, Flag, Symbol
from memd.codegraph.languages.c.names import POINTER
from memd.codegraph.languages.c.rules import CRules, shared_folders
from memd.codegraph.languages.cpp.names import FORWARD, GLOBAL, PRIMITIVES
from memd.codegraph.languages.cpp.overloads import best_of, takes_the_same
from memd.codegraph.places import Place
from memd.codegraph.project import Project
from memd.codegraph.values import NOTHING, Cls, Ext, ExtObj, Func, Module, Values

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

_SPACE: Final = "//space/"
"""Behind the path of a file, and before the name of a namespace: what the file sees of it."""
_DECLARED: Final = "//declared/"
"""Behind the path of a file: where the classes are that it only declares."""
_SMART: Final = frozenset(("unique_ptr", "shared_ptr", "weak_ptr", "optional", "auto_ptr", "reference_wrapper"))
_ITERATOR: Final = "iterator"
_MAPS: Final = frozenset(("map", "unordered_map", "multimap", "unordered_multimap"))
_GIVE_ITERATOR: Final = frozenset(
    "begin end cbegin cend rbegin rend find lower_bound upper_bound insert erase emplace".split()
)
_GIVE_ELEMENT: Final = frozenset("front back at top value operator[] pop_front pop_back".split())
_HAND_ON: Final = frozenset("move forward ref cref as_const launder".split())
_OUTSIDE: Final = frozenset(("std", "boost", "absl", "fmt", "testing"))


class CppRules(CRules):
    """C++'s rules."""

    class_names_visible: ClassVar[bool] = True
    stars_bind: ClassVar[bool] = False
    pointers: ClassVar[frozenset[str]] = frozenset((POINTER, _ITERATOR, *_SMART))
    deref_methods: ClassVar[tuple[str, ...]] = ("operator->", "operator*")
    item_methods: ClassVar[tuple[str, ...]] = ("operator[]",)
    iterate_methods: ClassVar[tuple[str, ...]] = ("begin",)
    next_methods: ClassVar[tuple[str, ...]] = ("operator*",)
    call_methods: ClassVar[tuple[str, ...]] = ("operator()",)

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._namespaces: dict[str, frozenset[str]] = {}
        self._opened: dict[str, frozenset[str]] = {}

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """Besides files: where classes are that are only declared, and what is seen outside of all of them."""
        if module == GLOBAL:
            return (importer,)
        return (importer + _DECLARED,) if module == FORWARD else super().find_module(importer, module)

    def alike(self, symbol: Symbol, definitions: list[tuple[str, int]]) -> list[tuple[str, int]]:
        """Of several definitions those that take the same as what is declared, if any do."""
        if len({path for path, _ in definitions}) < 2:
            return definitions
        same = [one for one in definitions if takes_the_same(symbol, self._symbol(one))]
        return same or definitions

    def _symbol(self, one: tuple[str, int]) -> Symbol:
        facts = self.project.facts(one[0])
        assert facts is not None
        return facts.symbols[one[1]]

    def chosen(
        self, resolver: Resolver, values: Values, callee: Expr, args: tuple[Expr | None, ...], place: Place
    ) -> Values:
        """Of several functions of a name those that take what a call is given."""
        return best_of(resolver, values, args, place)

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """What is included gives names; a namespace is what the file sees of it; those of libraries are outside."""
        seen = resolver.answers.once(("seen", path, name), lambda: self._seen(resolver, path, name))
        if seen:
            return seen
        if name in self._spaces(path):
            return (Module(f"{path}{_SPACE}{name}"),)
        return (Ext(name),) if name in _OUTSIDE or name in PRIMITIVES else NOTHING

    def module_member(self, resolver: Resolver, key: str, name: str) -> Values:
        """What a namespace holds, and a class that was declared somewhere."""
        if key.endswith(_DECLARED):
            return self._declared(key.removesuffix(_DECLARED), name)
        path, _, space = key.partition(_SPACE)
        if not space:
            return NOTHING
        found = self._in_space(resolver, path, space, name)
        if space in _OUTSIDE:  # the project is that library, or adds something to it
            return found or (Ext(f"{space}.{name}"),)
        return found or resolver.module_member(path, name) or self.outer(resolver, path, name)

    def _seen(self, resolver: Resolver, path: str, name: str) -> Values:
        """Return what a file sees of a name by what it includes: of the namespaces that it is in, before any other."""
        own = self._opens(path)
        another = NOTHING
        for one in self.closure(path):
            names = resolver.names(one)
            if names is None or not names.all(MODULE, name):
                continue
            found = resolver.module_member(one, name)
            spaces = self._opens(one)
            if found and (not own or not spaces or own & spaces):
                return found
            another = another or found
        return another

    def _in_space(self, resolver: Resolver, path: str, space: str, name: str) -> Values:
        """Return what the nearest file has under a name that opens a namespace: others of that name are in others."""
        for one in (path, *self.closure(path)):
            if space in self._opens(one):
                found = resolver.module_member(one, name)
                if found and all(isinstance(value, Func | Cls) and value.path == one for value in found):
                    return found
        return NOTHING

    def _declared(self, path: str, name: str) -> Values:
        """Return the class of a name that a file declares: as near as possible, and where there are several none."""
        found: list[tuple[tuple[object, ...], Cls]] = []
        folder = path.rpartition("/")[0]
        seen = set(self.closure(path))
        for other, index in self.project.defining(name.rpartition(".")[2]):
            facts = self.project.facts(other)
            if facts is None or facts.language not in ("c", "cpp"):
                continue
            symbol = facts.symbols[index]
            if symbol.kind in TYPE_KINDS and not symbol.flags & Flag.PART:
                nested = facts.qualname(index) != name
                if nested and "." in name:
                    continue
                header = other.rpartition(".")[2].startswith(("h", "H"))
                rank = (nested, other != path, other not in seen, not header, -shared_folders(other, folder))
                found.append((rank, Cls(other, index)))
        found.sort(key=lambda one: one[0])
        if len(found) > 1 and found[0][0] == found[1][0] and found[0][1].path != found[1][1].path:
            return NOTHING
        return (found[0][1],) if found else NOTHING

    def _spaces(self, path: str) -> frozenset[str]:
        """Return the names of the namespaces that a file and what it includes open."""
        known = self._namespaces.get(path)
        if known is None:
            found: set[str] = set()
            for one in (path, *self.closure(path)):
                found.update(self._opens(one))
            known = self._namespaces[path] = frozenset(found) - {"std"}
        return known

    def _opens(self, path: str) -> frozenset[str]:
        """Return the names of the namespaces that a file opens."""
        known = self._opened.get(path)
        if known is None:
            facts = self.project.facts(path)
            known = frozenset(facts.extra.get("namespaces", "").split() if facts is not None else ())
            self._opened[path] = known
        return known

    # --- types outside ------------------------------------------------------------------------------------------

    def instance(self, outside: Ext) -> Values:
        """An instance of a type of a library."""
        return (ExtObj(_last(outside.name), outside.args),)

    def call_outside(self, resolver: Resolver, outside: Ext, args: Callable[[int], Values]) -> Values:
        """What a library's function or method gives."""
        owner, _, name = outside.name.rpartition(".")
        if name in ("make_unique", "make_shared"):
            return (ExtObj("unique_ptr", outside.args),)
        if name in _HAND_ON:
            return args(0)
        if name in ("static_pointer_cast", "dynamic_pointer_cast", "const_pointer_cast"):
            return (ExtObj("shared_ptr", outside.args),)
        if owner in _OUTSIDE and name in ("begin", "end", "next", "prev"):
            return (ExtObj(_ITERATOR, (_elements(args(0)),)),)
        if outside.args:
            if name in ("get", "lock", "release") and owner in _SMART:
                return outside.args[0] if name != "lock" else (ExtObj("shared_ptr", outside.args),)
            if name in _GIVE_ITERATOR:
                return (ExtObj(_ITERATOR, (_element(owner, outside.args),)),)
            if name in _GIVE_ELEMENT:
                return outside.args[-1] if owner in _MAPS else outside.args[0]
        return (ExtObj(name, outside.args),)

    def member_outside(self, resolver: Resolver, base: ExtObj, name: str) -> Values:
        """`first` and `second` of a pair; a method of a library's type."""
        if base.type == "pair" and name in ("first", "second"):
            place = 0 if name == "first" else 1
            return base.args[place] if place < len(base.args) else NOTHING
        return (Ext(f"{base.type}.{name}", base.args),)

    def element_outside(self, base: ExtObj) -> Values:
        """What a container holds."""
        return _element(base.type, base.args)

    def item_outside(self, base: ExtObj, key: int | str | None) -> Values:
        """`x[y]`, and the parts of a pair or tuple."""
        if not base.args:
            return NOTHING
        if isinstance(key, int) and base.type in ("pair", "tuple"):
            return base.args[key] if key < len(base.args) else NOTHING
        return base.args[-1] if base.type in _MAPS else base.args[0]


def _element(type_: str, args: tuple[Values, ...]) -> Values:
    if type_ in _MAPS and len(args) > 1:
        return (ExtObj("pair", args[:2]),)
    return args[0] if args else NOTHING


def _elements(values: Values) -> Values:
    return next((_element(one.type, one.args) for one in values if isinstance(one, ExtObj)), NOTHING)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
