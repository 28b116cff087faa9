"""The resolver: what names and expressions stand for, followed across files.

Everything is looked up on demand and only where the source gives grounds: what cannot be followed is nothing at all,
never a guess by name.
"""

from __future__ import annotations

from typing import Final

from memd.codegraph.answers import Answers
from memd.codegraph.calls import Calls
from memd.codegraph.expressions import EVALUATE
from memd.codegraph.facts import (
    CLAIM,
    EXPORTS,
    MEMBERS,
    MODULE,
    PATH,
    TYPE_KINDS,
    Attr,
    Binding,
    Expr,
    Flag,
    OneOf,
    Own,
    Symbol,
)
from memd.codegraph.inheritance import Ancestry, substituted
from memd.codegraph.names import EVERYWHERE, Names
from memd.codegraph.places import Place
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.uses import Uses
from memd.codegraph.values import (
    NOTHING,
    Bases,
    Cls,
    Ext,
    ExtObj,
    Func,
    Module,
    Obj,
    Param,
    Space,
    Value,
    Values,
    union,
)


class Resolver:
    """Answers for one project and one family of languages. Not for two threads at a time."""

    def __init__(self, project: Project, rules: Rules) -> None:
        self.project = project
        self.rules = rules
        self.answers = Answers()
        self.ancestry = Ancestry(self)
        self.calls = Calls(self)
        self.uses = Uses(self)
        self._names: dict[str, Names | None] = {}

    # --- files and symbols --------------------------------------------------------------------------------------

    def names(self, path: str) -> Names | None:
        """Return the bindings of a file, None where it has no facts."""
        if path not in self._names:
            facts = self.project.facts(path)
            self._names[path] = Names(facts) if facts is not None else None
        return self._names[path]

    def symbol(self, value: Cls | Obj | Func | Bases | Space) -> Symbol:
        """Return the symbol that a value is of."""
        names = self.names(value.path)
        assert names is not None
        return names.facts.symbols[value.index]

    def own(self, path: str, index: int) -> Values:
        """Return what a symbol is as a value."""
        names = self.names(path)
        if names is None:
            return NOTHING
        symbol = names.facts.symbols[index]
        if symbol.kind == "object":
            return (Obj(path, index),)
        if symbol.kind in TYPE_KINDS:
            return (Cls(path, index),)
        if symbol.kind == "namespace":
            return (Space(path, index),)
        if symbol.kind == "alias":
            if symbol.returns is None or symbol.type_params or self.rules.aliases_are_bases:
                return (Cls(path, index),)
            place = Place(path, symbol.parent, symbol.start)
            return self.answers.once(("alias", path, index), lambda: self.evaluate(symbol.returns, place))
        return (Func(path, index),)

    def is_alias(self, cls: Cls) -> bool:
        """Tell whether a type stands for others."""
        symbol = self.symbol(cls)
        return symbol.kind == "alias" and symbol.returns is not None

    def aliased(self, cls: Cls) -> Values | None:
        """Return the types that an alias stands for, None where a type is none."""
        if not self.is_alias(cls):
            return None
        symbol = self.symbol(cls)
        place = Place(cls.path, cls.index, symbol.start)
        found = self.answers.once(("aliased", cls.path, cls.index), lambda: self.evaluate(symbol.returns, place))
        if _depth(cls.args) > DEEPEST_ARGUMENTS:  # an alias that stands for itself with ever larger arguments
            return NOTHING
        return substituted(found, dict(zip(symbol.type_params, cls.args, strict=False)))

    def made_by(self, function: Func) -> Obj | None:
        """Return the instance that a function makes where it is used as a class; it also holds its own members."""
        names = self.names(function.path)
        for binding in names.all(function.index, MEMBERS) if names is not None else ():
            if isinstance(binding.value, Own):
                return Obj(function.path, binding.value.symbol)
        return None

    # --- names --------------------------------------------------------------------------------------------------

    def lookup(self, name: str, place: Place) -> Values:
        """Return what a name means at a place: the scopes outwards, the file, then what the language adds."""
        names = self.names(place.path)
        if names is None:
            return NOTHING
        if name.endswith(PATH):
            return self._looked_up(names.items, name.removesuffix(PATH), place) or (Ext(name.removesuffix(PATH)),)
        return self._looked_up(names, name, place)

    def _looked_up(self, names: Names, name: str, place: Place) -> Values:
        found, outside = self._in_scopes(names, name, place)
        if found is not None:
            return found
        for star in names.facts.stars if self.rules.stars_bind else ():
            for key in self.rules.find_module(place.path, star):
                starred = self.module_member(key, name)
                if starred:
                    return starred
        return self.rules.outer(self, place.path, name) or outside or self.rules.unbound(name)

    def _in_scopes(self, names: Names, name: str, place: Place) -> tuple[Values | None, Values]:
        """Return what the scopes around a place and the file give for a name, None where none has it.

        The second is a member that a base outside of the project may have: it could have any name, so that this holds
        only where nobody else has it.
        """
        scope = place.scope
        inside = False
        outside = NOTHING
        while scope >= 0:
            symbol = names.facts.symbols[scope]
            if name in symbol.type_params:
                return self._parameter(place.path, scope, name), outside
            is_type = symbol.kind in TYPE_KINDS
            if is_type and scope == place.scope and place.at == symbol.start:
                scope = symbol.parent  # the head of a type sees its parameters, but not its members
                continue
            if not (is_type and (inside or not self.rules.body_sees_members)):
                found = self._bound(names, scope, name, place.at, inside=inside)
                if found is not None:
                    return found, outside
            if is_type and self.rules.class_names_visible:
                members = self.member(Obj(place.path, scope, own=True), name)
                if any(not isinstance(one, Ext) or self.rules.is_certain(one) for one in members):
                    return members, outside
                outside = outside or members
            scope = symbol.parent if symbol.around is None else symbol.around
            inside = True
        return self._bound(names, MODULE, name, place.at, inside=inside), outside

    def _parameter(self, path: str, index: int, name: str) -> Values:
        """Return the type parameter of a symbol, with what it is known to be at least."""
        names = self.names(path)
        assert names is not None
        symbol = names.facts.symbols[index]
        position = symbol.type_params.index(name)
        bound = symbol.bounds[position] if position < len(symbol.bounds) else None
        if bound is None:
            return self._parameter_of_whole(path, index, name) if symbol.flags & Flag.PART else (Param(name),)
        place = Place(path, index, symbol.start)
        known = self.answers.once(("bound", path, index, name), lambda: self.instance_of(bound, place))
        return (Param(name, known),)

    def _parameter_of_whole(self, path: str, index: int, name: str) -> Values:
        """Return the type parameter of a part, with what the type that it is a part of says of it."""
        names = self.names(path)
        assert names is not None
        symbol = names.facts.symbols[index]
        position = symbol.type_params.index(name)
        whole = self.answers.once(
            ("whole", path, index),
            lambda: self.evaluate(symbol.bases[0] if symbol.bases else None, Place(path, symbol.parent, symbol.start)),
        )
        for one in whole:
            if isinstance(one, Cls) and position < len(self.symbol(one).type_params):
                theirs = self._parameter(one.path, one.index, self.symbol(one).type_params[position])
                return tuple(Param(name, known.bound) for known in theirs if isinstance(known, Param))
        return (Param(name),)

    def _bound(self, names: Names, scope: int, name: str, at: int, *, inside: bool) -> Values | None:
        """Return what the bindings of a scope give for a name, None where it has none."""
        reaching = names.from_inside(scope, name, at) if inside else names.reaching(scope, name, at)
        if not reaching:
            several = names.all(scope, name)
            reaching = [one for one in several if not one.scoped or one.since <= at < one.until]
            if not reaching:
                return None
        found = union(*(self.binding(names.facts.path, one) for one in reaching))
        if not found:
            declared = [one for one in names.all(scope, name) if one.type is not None and not one.scoped]
            found = union(*(self.binding(names.facts.path, one) for one in declared if one not in reaching))
        if not found and any(isinstance(one.value, Attr) and one.value.name == CLAIM for one in reaching):
            # What narrows here is a call of something that makes no claim.
            for one in reversed(names.all(scope, name)):
                if one not in reaching and one.since <= at and (not one.scoped or at < one.until):
                    found = self.binding(names.facts.path, one)
                    if found:
                        break
        return found

    def binding(self, path: str, binding: Binding) -> Values:
        """Return what a binding gives to its name."""
        value = binding.value
        if binding.type is None and isinstance(value, Own):
            return self.own(path, value.symbol)
        if value is None and binding.type is None:
            return self._inherited(path, binding) if self.rules.parameters_are_inherited else NOTHING

        def work() -> Values:
            place = Place(path, binding.scope, binding.since - 1)
            if binding.type is not None:
                found = self.instance_of(binding.type, place)
                if found:
                    return found
            found = self.evaluate(binding.value, place) if binding.value is not None else NOTHING
            return found if self.rules.variables_are_followed else union(*(self._held(one) for one in found))

        return self.answers.once((path, binding), work)

    def _inherited(self, path: str, binding: Binding) -> Values:
        """Return what the method that is overridden says of a parameter of which this one says nothing."""
        names = self.names(path)
        symbol = names.facts.symbols[binding.owner] if names is not None and binding.owner >= 0 else None
        if symbol is None or symbol.kind != "method" or binding.name not in symbol.params:
            return NOTHING
        key = ("inherited", path, binding.owner, binding.name)
        position = symbol.params.index(binding.name)
        return self.answers.once(key, lambda: self.ancestry.parameter(Cls(path, symbol.parent), symbol.name, position))

    def _held(self, value: Value) -> Values:
        """Return a value as a variable holds it that may be given another one: a function is just one of its type."""
        if not isinstance(value, Func):
            return (value,)
        count = len(self.symbol(value).params)
        return (
            ExtObj("Callable", (*(self.calls.parameter(value, i) for i in range(count)), self.calls.result(value))),
        )

    # --- expressions --------------------------------------------------------------------------------------------

    def evaluate(self, expr: Expr | None, place: Place) -> Values:
        """Return everything that an expression can stand for at a place."""
        return EVALUATE[type(expr)](self, expr, place) if expr is not None else NOTHING

    def instance_of(self, expr: Expr, place: Place) -> Values:
        """Return the values that a type expression admits."""
        if isinstance(expr, OneOf):
            return union(*(self.instance_of(one, place) for one in expr.options))
        types = self.evaluate(expr, place)
        if len(types) > 1 and any(self.is_type_only(one) for one in types):  # the name of a type and of a value
            types = tuple(one for one in types if isinstance(one, Cls | Ext | Param))
        return self.instances(types)

    def instances(self, types: Values) -> Values:
        """Return the instances of some types."""
        return union(*(self._instance(one) for one in types))

    def values_of(self, found: Values) -> Values:
        """Return what a name is as a value, where it also is the name of a type that is none."""
        kept = tuple(one for one in found if not self.is_type_only(one)) if len(found) > 1 else found
        return kept or found

    def is_type_only(self, value: Value) -> bool:
        """Tell whether a value is a type that no value has the name of."""
        return isinstance(value, Cls) and self.symbol(value).kind in ("interface", "alias")

    def _instance(self, value: Value) -> Values:
        match value:
            case Cls():
                if self.is_alias(value):
                    key = ("instance", value)
                    return self.answers.once(key, lambda: self.instances(self.aliased(value) or NOTHING))
                return (Obj(value.path, value.index, value.args, value.own),)
            case Ext():
                return self.rules.instance(value)
            case ExtObj(type="typeof" | "Constructor"):
                return value.args[-1] if value.args else NOTHING
            case Module():
                return NOTHING
            case Func():
                made = self.made_by(value)
                return (made,) if made is not None else self.calls.result(value)
            case _:
                return (value,)

    def member(self, base: Value, name: str) -> Values:
        """Return what `base.name` can be."""
        match base:
            case Module():
                return self.module_member(base.key, name)
            case Space():
                names = self.names(base.path)
                return (names and self._bound(names, base.index, name, EVERYWHERE - 1, inside=True)) or NOTHING
            case Cls() if not self.rules.aliases_are_bases and self.is_alias(base):
                return union(*(self.member(one, name) for one in self.aliased(base) or NOTHING))
            case Cls() | Obj() | Bases():
                return self.ancestry.member(base, name)
            case Ext():
                return (Ext(f"{base.name}.{name}", base.args),)
            case ExtObj():
                return self.rules.member_outside(self, base, name)
            case Param():
                return union(*(self.member(one, name) for one in base.bound))
            case Func():
                decorated = union(*(self.member(one, name) for one in self.calls.decorated(base)))
                made = self.made_by(base)
                return (
                    decorated
                    or (self.ancestry.member(made, name) if made is not None else NOTHING)
                    or self.rules.function_member(self, base, name)
                )

    def module_member(self, key: str, name: str) -> Values:
        """Return what a module gives to others for a name."""
        return self.answers.once(("module", key, name), lambda: self._module_member(key, name))

    def _module_member(self, key: str, name: str) -> Values:
        names = self.names(key) if not key.endswith("/") else None
        if names is not None:
            owner = EXPORTS if EXPORTS in names.owners else MODULE
            found = self._bound(names, owner, name, EVERYWHERE - 1, inside=True)
            if found:
                return found
            for star in names.facts.stars:
                for starred in self.rules.find_module(key, star):
                    found = self.module_member(starred, name)
                    if found:
                        return found
        below = self.rules.submodule(key, name)
        if below is not None:
            return (Module(below),)
        return self.rules.module_member(self, key, name)


DEEPEST_ARGUMENTS: Final = 6
"""Type arguments nested deeper than this are those of a type that never ends."""


def _depth(args: tuple[Values, ...]) -> int:
    return 1 + max((_depth(getattr(one, "args", ())) for arg in args for one in arg), default=0) if args else 0
