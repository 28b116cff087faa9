"""Uses: what the syntax itself asks of a value: iterating, indexing, entering, awaiting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memd.codegraph.values import NOTHING, Cls, ExtObj, Module, Obj, Space, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver


class Uses:
    """The uses of one resolver."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def element(self, base: Value) -> Values:
        """Return what iterating a value gives."""
        match base:
            case ExtObj():
                return self._resolver.rules.element_outside(base)
            case Obj():
                if (
                    self._resolver.member(base, self._resolver.rules.next_methods[0])
                    if self._resolver.rules.next_methods
                    else False
                ):
                    given = self._resolver.calls.using(base, self._resolver.rules.next_methods)
                    return union(*(self.pointed(one) for one in self._all_awaited(given)))
                iterators = self._resolver.calls.using(base, self._resolver.rules.iterate_methods)
                if iterators:
                    return union(*(self.element(one) for one in iterators if one != base))
                found = self._resolver.calls.using(base, self._resolver.rules.item_methods)
                return found or union(*(self.element(one) for one in self._behind(base)))
            case Cls():
                return self._resolver.rules.class_member(self._resolver, base, NOTHING)
            case _:
                return NOTHING

    def _behind(self, base: Obj) -> Values:
        """Return what an instance also is: of the type that its own is defined as, of types outside behind its own."""
        ancestry = self._resolver.ancestry
        outside = ancestry.outside(Cls(base.path, base.index, base.args))
        return (*ancestry.underlying(base), *(ExtObj(one.name, one.args) for one in outside if one.args))

    def item(self, base: Value, key: int | str | None) -> Values:
        """Return what an index gives, or a part that is taken by destructuring."""
        match base:
            case ExtObj():
                return self._resolver.rules.item_outside(base, key)
            case Obj():
                behind = self._resolver.ancestry.underlying(base)
                if behind:
                    return union(*(self.item(one, key) for one in behind))
                if isinstance(key, str):
                    return self._resolver.member(base, key)
                return self._resolver.calls.using(base, self._resolver.rules.item_methods) or self.element(base)
            case Module() | Space() | Cls() if isinstance(key, str):
                return self._resolver.member(base, key)
            case _:
                return NOTHING

    def entered(self, base: Value) -> Values:
        """Return what a context manager gives to its block."""
        match base:
            case ExtObj(type="ContextManager"):
                return base.args[0] if base.args else NOTHING
            case ExtObj():
                return self._resolver.rules.enter_outside(base)
            case Obj():
                return self._all_awaited(self._resolver.calls.using(base, self._resolver.rules.enter_methods))
            case _:
                return NOTHING

    def awaited(self, base: Value) -> Values:
        """Return what awaiting a value gives; something that need not be awaited is itself."""
        if isinstance(base, ExtObj) and base.type in self._resolver.rules.awaitables:
            return base.args[0] if base.args else NOTHING
        return (base,)

    def pointed(self, base: Value) -> Values:
        """Return what a value points to; something that does not point is itself."""
        rules = self._resolver.rules
        if isinstance(base, ExtObj) and base.type in rules.pointers:
            return base.args[0] if base.args else NOTHING
        if isinstance(base, Obj) and rules.deref_methods:
            found = self._resolver.calls.using(base, rules.deref_methods)
            return union(*(self.pointed(one) for one in found if one != base)) or (base,)
        return (base,)

    def _all_awaited(self, values: Values) -> Values:
        return union(*(self.awaited(one) for one in values))
