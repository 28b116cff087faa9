"""Inheritance: the types behind a type, and members found through them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from memd.codegraph.facts import UNDERLYING, Binding, Flag, Own
from memd.codegraph.places import Place
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
    Value,
    Values,
    every,
    union,
)

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

MOST_ANCESTORS: Final = 64


class Ancestry:
    """The types behind types, of one resolver."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._lines: dict[Cls, tuple[Cls, ...]] = {}
        self._outside: dict[Cls, tuple[Ext, ...]] = {}
        self._params: dict[tuple[str, int], tuple[str, ...]] = {}

    def bases(self, cls: Cls) -> Values:
        """Return the direct bases of a type, with their arguments as this type gives them, and what its parts bring."""
        brought = self._resolver.answers.once(("brought", cls.path, cls.index), lambda: self._brought(cls))
        return every(self.declared(cls), brought)

    def declared(self, cls: Cls) -> Values:
        """Return the bases that a type itself declares."""
        symbol = self._resolver.symbol(cls)
        if not symbol.bases:
            return NOTHING
        place = Place(cls.path, cls.index, symbol.start)

        def work() -> Values:
            found = every(*(self._resolver.evaluate(base, place) for base in symbol.bases))
            return every(*(self._behind(one) for one in found))

        found = self._resolver.answers.once(("bases", cls.path, cls.index), work)
        env = self.environment(cls)
        return every(*(_substitute(one, env) for one in found)) if env else found

    def _brought(self, cls: Cls) -> Values:
        found: list[Values] = []
        for path, index in self._resolver.rules.parts(self._resolver, cls.path, cls.index):
            part = self._resolver.symbol(Cls(path, index))
            place = Place(path, index, part.start)
            found.extend(self._resolver.evaluate(base, place) for base in part.bases[1:])
        return union(*found)

    def named(self, cls: Cls) -> Values:
        """Return the bases that a type itself names: the aliases of types, where a language inherits from those."""
        if not self._resolver.rules.aliases_are_bases:
            return self.declared(cls)
        symbol = self._resolver.symbol(cls)
        place = Place(cls.path, cls.index, symbol.start)
        return union(*(self._resolver.evaluate(base, place) for base in symbol.bases))

    def _behind(self, base: Value) -> Values:
        """Return the type that a base means: what an alias stands for, what makes it where it is no type itself."""
        made = self._resolver.made_by(base) if isinstance(base, Func) else base
        if isinstance(made, Obj) and self._resolver.symbol(made).kind == "object":
            return (Cls(made.path, made.index, made.args),)
        aliased = self._resolver.aliased(base) if isinstance(base, Cls) else None
        if aliased is not None:
            return union(*(self._behind(one) for one in aliased))
        if isinstance(base, Ext) and base.args and self._resolver.rules.aliases_are_bases:
            # What a library makes of a type (`Omit<X, "a">`) has the members of that type.
            meant = self._resolver.rules.instance(base)
            return tuple(Cls(one.path, one.index, one.args) for one in meant if isinstance(one, Obj)) or (base,)
        return self._resolver.instances((base,)) if isinstance(base, ExtObj) and base.type == "typeof" else (base,)

    def line(self, cls: Cls) -> tuple[Cls, ...]:
        """Return a type and those behind it, in the order that members are looked for in them."""
        known = self._lines.get(cls)
        if known is not None:
            return known
        found = self._resolver.answers.once(("line", cls), lambda: self._line(cls))
        line = tuple(one for one in found if isinstance(one, Cls))
        if self._resolver.answers.knows(("line", cls)):
            self._lines[cls] = line
        return line or (cls,)  # a type that is behind itself

    def _line(self, cls: Cls) -> Values:
        order: list[Cls] = [cls]
        for base in self.bases(cls):
            if isinstance(base, Cls):
                order.extend(self.line(base))
            if len(order) > MOST_ANCESTORS:
                break
        seen: set[tuple[str, int]] = set()
        kept: list[Cls] = []
        for one in reversed(order):
            if (one.path, one.index) not in seen:
                seen.add((one.path, one.index))
                kept.append(one)
        kept.remove(next(one for one in kept if (one.path, one.index) == (cls.path, cls.index)))
        return (cls, *reversed(kept))

    def is_a(self, value: Cls | Obj, other: Cls | Obj) -> bool:
        """Tell whether the type of a value is another's type or below it."""
        return any(
            (one.path, one.index) == (other.path, other.index) for one in self.line(Cls(value.path, value.index))
        )

    def outside(self, cls: Cls) -> tuple[Ext, ...]:
        """Return the types outside of the project that stand behind a type."""
        known = self._outside.get(cls)
        if known is None:
            known = tuple(base for one in self.line(cls) for base in self.bases(one) if isinstance(base, Ext))
            if cls in self._lines:
                self._outside[cls] = known
        return known

    def params(self, path: str, index: int) -> tuple[str, ...]:
        """Return the names of a type's parameters: declared, or those that its bases are given, in their order."""
        key = (path, index)
        if key not in self._params:
            self._params[key] = ()
            symbol = self._resolver.symbol(Cls(path, index))
            declared = symbol.type_params
            if not declared:
                found: dict[str, None] = {}
                for base in self.bases(Cls(path, index)):
                    if isinstance(base, Cls | Ext):
                        found.update((one.name, None) for arg in base.args for one in arg if isinstance(one, Param))
                declared = tuple(found)
            self._params[key] = declared
        return self._params[key]

    def environment(self, cls: Cls) -> dict[str, Values]:
        """Return what the parameters of a type stand for."""
        if not cls.args:
            return {}
        return dict(zip(self.params(cls.path, cls.index), cls.args, strict=False))

    def _environment_of(self, cls: Cls, path: str, index: int) -> dict[str, Values]:
        """Return what the parameters of a type stand for, by the names that a symbol with its members gives them."""
        if (path, index) == (cls.path, cls.index) or not cls.args:
            return self.environment(cls)
        names = self._resolver.names(path)
        return dict(zip(names.facts.symbols[index].type_params, cls.args, strict=False)) if names is not None else {}

    def underlying(self, value: Obj) -> Values:
        """Return what an instance of a type is made of in the end, where the type is defined as another one."""
        seen: set[tuple[str, int]] = set()
        waiting: list[Value] = [value]
        found: list[Values] = []
        while waiting:
            one = waiting.pop()
            behind = self._defined_as(one) if isinstance(one, Obj) and (one.path, one.index) not in seen else None
            if isinstance(one, Obj):
                seen.add((one.path, one.index))
            if behind is not None:
                waiting.extend(behind)
            elif one != value:
                found.append((one,))
        return union(*found)

    def _defined_as(self, value: Obj) -> Values | None:
        """Return what an instance of a type is, where the type is defined as another one, None where it is not."""
        resolver = self._resolver
        names = resolver.names(value.path)
        bindings = names.all(value.index, UNDERLYING) if names is not None else ()
        if not bindings:
            return None
        found = union(*(resolver.binding(value.path, one) for one in bindings))
        return substituted(found, self.environment(Cls(value.path, value.index, value.args))) if value.args else found

    def parameter(self, cls: Cls, method: str, position: int) -> Values:
        """Return what the nearest type behind one that has a method says of its parameter at a position."""
        for one in self.line(cls)[1:]:
            names = self._resolver.names(one.path)
            for binding in names.all(one.index, method) if names is not None else ():
                if not isinstance(binding.value, Own) or names is None:
                    continue
                taken = names.facts.symbols[binding.value.symbol].params
                if position < len(taken):
                    declared = names.all(binding.value.symbol, taken[position])
                    found = union(*(self._resolver.binding(one.path, it) for it in declared[:1]))
                    if found:
                        return found
        return NOTHING

    def member(self, base: Cls | Obj | Bases, name: str) -> Values:
        """Return what a member is, of the first type in the line that has it, bound to what it was taken from."""
        key = ("member", base, name)
        return self._resolver.answers.once(key, lambda: self._member(base, name))

    def _member(self, base: Cls | Obj | Bases, name: str) -> Values:
        own = Cls(base.path, base.index, base.args if not isinstance(base, Bases) else ())
        line = self.line(own)
        receiver: Value = base
        if isinstance(base, Bases):
            line = line[1:]
            receiver = Cls(base.path, base.index, own=True) if base.cls else Obj(base.path, base.index, own=True)
        for cls in line:
            found = self._in_class(cls, receiver, name)
            if found is not None:
                return found
        if isinstance(base, Obj):
            for one in self.underlying(base):
                behind = self._resolver.member(one, name) if isinstance(one, Obj) else NOTHING
                if behind:
                    return behind
        for cls in line:
            if self._resolver.symbol(cls).kind == "object":  # it may hold what a module gives
                spread = (one for one in self.bases(cls) if isinstance(one, Module))
                behind = union(*(self._resolver.member(one, name) for one in spread))
                if behind:
                    return behind
        outside = self.outside(own)
        if outside:
            return self._resolver.rules.outside_member(self._resolver, own, outside, name)
        inherent = self._resolver.rules.inherent_member(self._resolver, own, name)
        return inherent or ((Ext(f"object.{name}"),) if isinstance(base, Bases) else NOTHING)

    def _in_class(self, cls: Cls, receiver: Value, name: str) -> Values | None:
        """Return what a class itself has under a name, None where it has nothing."""
        found = self._in_symbol(cls, (cls.path, cls.index), receiver, name)
        if found is not None:
            return found
        # What a type has by itself comes before what a part brings with a base of its own.
        brought: dict[bool, list[Values]] = {False: [], True: []}
        for part in self._resolver.rules.parts(self._resolver, cls.path, cls.index):
            values = self._in_symbol(cls, part, receiver, name)
            if values is not None:
                brought[len(self._resolver.symbol(Cls(*part)).bases) > 1].append(values)
        known = brought[False] or brought[True]
        return union(*known) if known else None

    def _in_symbol(self, cls: Cls, symbol: tuple[str, int], receiver: Value, name: str) -> Values | None:
        """Return what a symbol that holds members of a class has under a name, None where it has nothing."""
        resolver = self._resolver
        path, index = symbol
        names = resolver.names(path)
        bindings = [one for one in names.all(index, name) if not one.scoped] if names is not None else ()
        if not bindings:
            return None
        env = self._environment_of(cls, path, index)
        symbols = [one for one in bindings if one.type is None and self._defines(path, one)]
        if len(symbols) > 1:
            symbols = self._apart(path, symbols, isinstance(receiver, Cls))
        if symbols:
            return union(*(self._bound_symbol(path, one, receiver, env) for one in symbols))
        declared = [one for one in bindings if one.type is not None]
        values = union(*(resolver.binding(path, one) for one in declared))
        if not values:
            values = union(*(resolver.binding(path, one) for one in bindings if one.type is None))
        if env:
            values = substituted(values, env)
        if isinstance(receiver, Cls):
            values = resolver.rules.class_member(resolver, cls, values)
        return values

    def _defines(self, path: str, binding: Binding) -> bool:
        """Tell whether a member is a symbol of its own, no value that is put there."""
        if not isinstance(binding.value, Own):
            return False
        names = self._resolver.names(path)
        return names is not None and names.facts.symbols[binding.value.symbol].kind != "object"

    def _apart(self, path: str, symbols: list[Binding], of_class: bool) -> list[Binding]:
        """Return those of several members of one name that a class has, or its instances; all where that says none."""
        names = self._resolver.names(path)
        assert names is not None
        kept = [
            one
            for one in symbols
            if isinstance(one.value, Own)
            and bool(names.facts.symbols[one.value.symbol].flags & Flag.STATIC) == of_class
        ]
        return kept or symbols

    def _bound_symbol(self, path: str, binding: Binding, receiver: Value, env: Mapping[str, Values]) -> Values:
        assert isinstance(binding.value, Own)
        resolver = self._resolver
        found: list[Values] = []
        for one in resolver.own(path, binding.value.symbol):
            if not isinstance(one, Func):
                found.append(substituted((one,), env) if env else (one,))
                continue
            flags = resolver.symbol(one).flags
            this: Value | None = receiver
            if flags & Flag.CLASSMETHOD:
                this = (
                    Cls(receiver.path, receiver.index, receiver.args, receiver.own)
                    if isinstance(receiver, Obj)
                    else receiver
                )
            elif flags & Flag.STATIC or isinstance(receiver, Cls):
                this = None
            bound = Func(one.path, one.index, this, tuple(sorted(env.items())))
            if flags & Flag.PROPERTY and (isinstance(receiver, Obj) or flags & Flag.STATIC):
                found.append(resolver.calls.result(bound))
            else:
                found.append((bound,))
        return union(*found)


def substituted(values: Values, env: Mapping[str, Values]) -> Values:
    """Return values with the type parameters that an environment knows replaced by what they stand for."""
    return union(*(_substitute(one, env) for one in values))


def _substitute(value: Value, env: Mapping[str, Values]) -> Values:
    match value:
        case Param():
            return tuple(_bounded(one, value) for one in env.get(value.name) or (value,))
        case Cls() if value.args:
            return (Cls(value.path, value.index, _each(value.args, env), value.own),)
        case Obj() if value.args:
            return (Obj(value.path, value.index, _each(value.args, env), value.own),)
        case Ext() if value.args:
            return (Ext(value.name, _each(value.args, env)),)
        case ExtObj() if value.args:
            return (ExtObj(value.type, _each(value.args, env)),)
        case _:
            return (value,)


def _bounded(found: Value, before: Param) -> Value:
    """Return what stands for a type parameter; another parameter is known to be at least what this one was."""
    return Param(found.name, before.bound) if isinstance(found, Param) and not found.bound else found


def _each(args: tuple[Values, ...], env: Mapping[str, Values]) -> tuple[Values, ...]:
    return tuple(substituted(arg, env) for arg in args)
