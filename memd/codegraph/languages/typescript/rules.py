"""How JavaScript's and TypeScript's modules are found, and what the language's own types give."""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar, Final

from memd.codegraph.facts import (
    CLAIM,
    EVERYWHERE_KNOWN,
    EXPORTS,
    MODULE,
    WHOLE,
    Binding,
    Contextual,
    FileFacts,
    ImportSite,
)
from memd.codegraph.inheritance import substituted
from memd.codegraph.languages.typescript.outside import (
    ARRAYS,
    ITERATORS,
    MAPS,
    PROMISES,
    result,
    taken,
)
from memd.codegraph.languages.typescript.resolution import Modules
from memd.codegraph.languages.typescript.words import CONSTRUCTS, EXPORTED, KIND, WRAPPERS
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.values import NOTHING, Cls, Ext, ExtObj, Func, Module, Obj, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

CHOSEN: Final = "<function>"
"""The type of a function that is known by its type alone; its argument is that function."""
_FUNCTION: Final = frozenset("call apply bind".split())
_FAMILY: Final = frozenset(("typescript", "tsx", "javascript"))


class TypeScriptRules(Rules):
    """The rules of the whole family."""

    aliases_are_bases: ClassVar[bool] = True
    interfaces_are_called: ClassVar[bool] = False
    body_sees_members: ClassVar[bool] = False
    stars_bind: ClassVar[bool] = False
    awaitables: ClassVar[frozenset[str]] = PROMISES

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._modules = Modules(project)
        self._globals: dict[str, tuple[tuple[str, Binding], ...]] = {}

    # --- modules ------------------------------------------------------------------------------------------------

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """See `resolution.py`."""
        found = self._modules.find(importer, module)
        return (found,) if found is not None else ()

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """The file of the module that is named."""
        return self.find_module(facts.path, site.module)

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """`exports`; what a script or a declaration gives to every file; else a global of the language."""
        if name == "exports":
            facts = self.project.facts(path)
            return (Module(path),) if facts is not None and facts.extra.get(KIND) == "cjs" else NOTHING
        if name not in self._globals:
            self._globals[name] = self._global(resolver, name)
        known = self._globals[name]
        if known:
            return union(*(resolver.binding(other, one) for other, one in known))
        if name in _WINDOWS:  # it has what the files of the project declare of it, and all else
            return (*resolver.instances(self.outer(resolver, path, "Window")), Ext(name))
        return (Ext(name),)

    def _global(self, resolver: Resolver, name: str) -> tuple[tuple[str, Binding], ...]:
        """Return where a name is bound that every file knows: in `declare global`, and at the top of scripts."""
        found: dict[tuple[str, Binding], None] = {}
        for path in dict.fromkeys(path for path, _ in self.project.defining(name)):
            names = resolver.names(path)
            if names is None or names.facts.language not in _FAMILY:
                continue
            found.update(((path, one), None) for one in names.all(EVERYWHERE_KNOWN, name))
            if not names.facts.extra.get(KIND):
                found.update(((path, one), None) for one in names.all(MODULE, name))
        return tuple(found)

    def module_member(self, resolver: Resolver, key: str, name: str) -> Values:
        """A member of what a CommonJS module is as a whole; its default is that itself."""
        if name == EXPORTED:
            return NOTHING
        names = resolver.names(key)
        if names is None:
            return NOTHING
        if names.all(EXPORTS, EXPORTED):
            whole = resolver.module_member(key, EXPORTED)
            if name == "default":
                return whole
            return union(*(resolver.member(one, name) for one in whole))
        if name == "default" and names.facts.extra.get(KIND) == "cjs":
            return (Module(key),)
        return NOTHING

    # --- types --------------------------------------------------------------------------------------------------

    def function_type(self, resolver: Resolver, value: Value) -> tuple[tuple[Values, ...], Values] | None:
        """A function, a function type, or a type with a call signature."""
        known = super().function_type(resolver, value)
        if known is not None:
            return known
        if isinstance(value, ExtObj) and value.type == CHOSEN and value.args and value.args[0]:
            value = value.args[0][0]
        if isinstance(value, Func):
            count = len(resolver.symbol(value).params)
            env = dict(value.env)
            takes = tuple(substituted(resolver.calls.parameter(value, place), env) for place in range(count))
            return takes, resolver.calls.result(value)
        if isinstance(value, Obj):
            for one in resolver.ancestry.underlying(value):
                known = super().function_type(resolver, one)
                if known is not None:
                    return known
        return None

    def constructed(self, resolver: Resolver, value: Value) -> Values:
        """What the construct signature of its type says."""
        if not isinstance(value, Obj):
            return NOTHING
        known = (self.function_type(resolver, one) for one in resolver.member(value, CONSTRUCTS))
        return union(*(one[1] for one in known if one is not None))

    def uncertain(self, value: Value) -> Value:
        """A function that is only one of what could be there is a value of its type."""
        return ExtObj(CHOSEN, ((value,),)) if isinstance(value, Func) else value

    def function_member(self, resolver: Resolver, function: Func, name: str) -> Values:
        """`call`, `apply`, `bind`; and what a function says that its argument is."""
        if name in _FUNCTION:
            return (Ext(f"Function.{name}", ((function,),)),)
        names = resolver.names(function.path)
        if name != CLAIM or names is None:
            return NOTHING
        return union(*(resolver.binding(function.path, one) for one in names.all(function.index, CLAIM)))

    def inherent_member(self, resolver: Resolver, cls: Cls, name: str) -> Values:
        """What every object has."""
        return (Ext(f"Object.{name}"),) if name in _OF_OBJECTS else NOTHING

    # --- types outside ------------------------------------------------------------------------------------------

    def instance(self, outside: Ext) -> Values:
        """Types of the language that mean (a part of) what they are given."""
        name, args = outside.name, outside.args
        if name in WRAPPERS:
            return args[0] if args else NOTHING
        if name in ("ReturnType", "InstanceType") and args:
            return _returned(args[0])
        if name == "Awaited" and args:
            return tuple(
                inner
                for one in args[0]
                for inner in (one.args[0] if isinstance(one, ExtObj) and one.type in PROMISES and one.args else (one,))
            )
        return (ExtObj(name, args),)

    def call_outside(self, resolver: Resolver, outside: Ext, args: Callable[[int], Values]) -> Values:
        """What methods of the language's own types give."""
        found = result(resolver, outside, args)
        if found is not None:
            return found
        last = outside.name.rpartition(".")[2]
        return (ExtObj(last, outside.args),) if last[:1].isupper() else (ExtObj(f"{outside.name}()"),)

    def member_outside(self, resolver: Resolver, base: ExtObj, name: str) -> Values:
        """A member of a record is what it holds; one of a function is what every function has."""
        if base.type == "Record" and base.args:
            return base.args[-1]
        if base.type == "Callable" and name == CLAIM:
            claims = (one for one in base.args[-1] if isinstance(one, ExtObj) and one.type == CLAIM)
            return union(*(one.args[0] for one in claims if one.args))
        if base.type == CHOSEN and base.args and name not in _FUNCTION:
            return union(*(resolver.member(one, name) for one in base.args[0]))
        if base.type in ("Callable", "function", CHOSEN) and name in _FUNCTION:
            return (Ext(f"Function.{name}", ((base,),)),)
        return (Ext(f"{base.type}.{name}", base.args),)

    def outside_member(self, resolver: Resolver, cls: Cls, bases: tuple[Ext, ...], name: str) -> Values:
        """A member of the types of the language that stand behind a class (`extends Map<string, T>`)."""
        return (Ext(f"{bases[0].name}.{name}", bases[0].args),)

    def element_outside(self, base: ExtObj) -> Values:
        """What iterating gives."""
        if base.type == "tuple":
            return union(*base.args)
        if not base.args:
            return NOTHING
        if base.type in MAPS:
            return (ExtObj("tuple", (base.args[0], base.args[-1])),)
        if base.type in ARRAYS or base.type in ITERATORS:
            return base.args[0]
        return base.args[-1] if base.type == "Record" else NOTHING

    def item_outside(self, base: ExtObj, key: int | str | None) -> Values:
        """The place of a tuple, the element of an array, the value of a record."""
        if isinstance(key, int) and base.type == "tuple":
            return base.args[key] if key < len(base.args) else NOTHING
        if isinstance(key, str):
            return base.args[-1] if base.type == "Record" and base.args else NOTHING
        if base.type in MAPS:
            return NOTHING
        return self.element_outside(base)

    def contextual_outside(self, resolver: Resolver, callee: Value, expr: Contextual) -> Values:
        """What callbacks are called with: by methods of the language, by constructors, by values of function types."""
        if isinstance(callee, Cls):
            instance = Obj(callee.path, callee.index, callee.args)
            makers = [one for one in resolver.member(instance, "constructor") if isinstance(one, Func)]
            return union(*(self._wanted(resolver, one, expr) for one in makers))
        if isinstance(callee, Ext):
            return taken(resolver, callee, expr.arg, expr.param, lambda _place: NOTHING)
        made = resolver.member(callee, CONSTRUCTS) if isinstance(callee, Obj) else NOTHING
        found: list[Values] = []
        for one in (callee, *made):
            known = self.function_type(resolver, one)
            if known is not None and expr.arg < len(known[0]):
                found.append(self._of(resolver, known[0][expr.arg], expr.param))
        return union(*found)

    def _wanted(self, resolver: Resolver, function: Func, expr: Contextual) -> Values:
        wanted = substituted(resolver.calls.parameter(function, expr.arg), dict(function.env))
        return self._of(resolver, wanted, expr.param)

    def _of(self, resolver: Resolver, wanted: Values, param: int) -> Values:
        if param == WHOLE:
            return wanted
        found: list[Values] = []
        for one in wanted:
            known = self.function_type(resolver, one)
            if known is not None and param < len(known[0]):
                found.append(known[0][param])
        return union(*found)


_WINDOWS: Final = frozenset(("window", "self", "globalThis"))
_OF_OBJECTS: Final = frozenset(
    "hasOwnProperty isPrototypeOf toString toLocaleString valueOf propertyIsEnumerable".split()
)


def _returned(values: Values) -> Values:
    found: list[Values] = []
    for one in values:
        if isinstance(one, ExtObj) and one.args and one.type in ("Callable", "function", "Constructor"):
            found.append(one.args[-1])
        elif isinstance(one, Obj):
            found.append((one,))
    return union(*found)
