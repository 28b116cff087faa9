"""Calls: what calling a value gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from memd.codegraph.facts import RETURN, VARIABLE, YIELD, Call, Expr, Flag
from memd.codegraph.inheritance import substituted
from memd.codegraph.places import Place
from memd.codegraph.values import CLASS_OF, NOTHING, Cls, Ext, ExtObj, Func, Obj, Param, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver


class Calls:
    """The calls of one resolver."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def called(self, callee: Value, call: Call, place: Place) -> Values:
        """Return what calling a value gives."""
        match callee:
            case Cls():
                return (Obj(callee.path, callee.index, callee.args, callee.own),)
            case Func():
                return self.result(callee, call, place)
            case Ext():

                def argument(position: int) -> Values:
                    return self._resolver.evaluate(call.args[position] if position < len(call.args) else None, place)

                return self._resolver.rules.call_outside(self._resolver, callee, argument)
            case Obj():
                behind = self._resolver.ancestry.underlying(callee)
                if behind:
                    return union(*(self.called(one, call, place) for one in behind if one != callee))
                return self.using(callee, self._resolver.rules.call_methods)
            case ExtObj():
                known = self._resolver.rules.function_type(self._resolver, callee)
                return known[1] if known is not None else NOTHING
            case _:
                return NOTHING

    def using(self, base: Value, methods: Iterable[str]) -> Values:
        """Return what calling the first of some methods that there is gives."""
        for method in methods:
            found = self._resolver.member(base, method)
            if found:
                return union(*(self.result(one) for one in found if isinstance(one, Func)))
        return NOTHING

    def result(self, function: Func, call: Call | None = None, place: Place | None = None) -> Values:
        """Return what a function gives back: as it declares, else as its code does; for the receiver that it has."""
        decorated = self.decorated(function)
        if decorated and self._resolver.rules.call_methods:
            return union(*(self.using(one, self._resolver.rules.call_methods) for one in decorated))
        found = self._resolver.answers.once(("result", function.path, function.index), lambda: self._result(function))
        if function.env or any(isinstance(one, Param) or _has_params(one) for one in found):
            env = {**dict(function.env), **self._from_receiver(function)}
            if call is not None and place is not None:
                env.update(self.from_arguments(function, call.args, place))
            found = substituted(found, env)
        if function.this is not None:
            found = union(*(self._as_receiver(one, function.this) for one in found))
        return found

    def decorated(self, function: Func) -> Values:
        """Return what the decorators of a function have made of it, nothing where it stays a function.

        Only a decorator that says so counts: most hand back something that is called like what they were given.
        """
        if not self._resolver.symbol(function).decorators:
            return NOTHING
        key = ("decorated", function.path, function.index)
        return self._resolver.answers.once(key, lambda: self._decorated(function))

    def _decorated(self, function: Func) -> Values:
        symbol = self._resolver.symbol(function)
        place = Place(function.path, symbol.parent, symbol.start)
        for decorator in symbol.decorators:
            made: list[Values] = []
            for one in self._resolver.evaluate(decorator, place):
                match one:
                    case Func():
                        made.append(self.result(one))
                    case Cls() if not isinstance(decorator, Call):
                        made.append((Obj(one.path, one.index, one.args),))
                    case ExtObj(type="Callable") if one.args:
                        made.append(one.args[-1])
                    case Obj():
                        made.append(self.using(one, self._resolver.rules.call_methods))
                    case _:
                        pass
            found = tuple(one for one in union(*made) if isinstance(one, Obj))
            if found:
                return found
        return NOTHING

    def _result(self, function: Func) -> Values:
        names = self._resolver.names(function.path)
        assert names is not None
        symbol = self._resolver.symbol(function)
        flags = symbol.flags
        if symbol.returns is not None:
            found = self._resolver.instance_of(symbol.returns, Place(function.path, function.index, symbol.start))
            if flags & Flag.CONTEXT:
                found = (ExtObj("ContextManager", (union(*(self._resolver.uses.element(one) for one in found)),)),)
            elif flags & Flag.ASYNC and not flags & Flag.GENERATOR:
                found = (ExtObj("Awaitable", (found,)),)
            return found
        wanted = YIELD if flags & Flag.GENERATOR else RETURN
        given = union(*(self._resolver.binding(function.path, one) for one in names.all(function.index, wanted)))
        if flags & Flag.CONTEXT:
            return (ExtObj("ContextManager", (given,)),)
        if flags & Flag.GENERATOR:
            return (ExtObj("Iterator", (given,)),)
        if flags & Flag.ASYNC:
            return (ExtObj("Awaitable", (given,)),)
        return given

    def _from_receiver(self, function: Func) -> dict[str, Values]:
        """Return what a type parameter must be that stands for the receiver itself (`def m(self: T) -> T`)."""
        names = self._resolver.names(function.path)
        params = self._resolver.symbol(function).params
        if names is None or not params or not isinstance(function.this, Obj | Cls):
            return {}
        if not self._resolver.rules.receiver_is_parameter:
            return {}
        declared = (self._resolver.binding(function.path, one) for one in names.all(function.index, params[0])[:1])
        return {one.name: (function.this,) for values in declared for one in values if isinstance(one, Param)}

    def from_arguments(self, function: Func, args: Sequence[Expr | None], place: Place) -> dict[str, Values]:
        """Return what the type parameters of a function must be, as far as its arguments tell."""
        found: dict[str, Values] = {}
        for position, arg in enumerate(args):
            if arg is None:
                continue
            declared = self.parameter(function, position)
            if any(isinstance(one, Param) or _has_params(one) for one in declared):
                given = self._resolver.evaluate(arg, place)
                if self._takes_any_number(function, position) and not _are_like(given, declared):
                    declared = union(*(self._resolver.uses.element(one) for one in declared))
                self.matched(declared, given, found)
        return found

    def _takes_any_number(self, function: Func, position: int) -> bool:
        params = self._resolver.symbol(function).params
        return position < len(params) and params[position].startswith(VARIABLE)

    def matched(self, declared: Values, given: Values, env: dict[str, Values], depth: int = 0) -> None:
        """Add to `env` what the type parameters in a declared type are where values are given for it."""
        if not given or depth > _DEEPEST_MATCH:
            return
        for one in declared:
            if isinstance(one, Param):
                env[one.name] = union(env.get(one.name, NOTHING), given)
                if any(_has_params(bound) for bound in one.bound):
                    self.matched(one.bound, given, env, depth + 1)
                continue
            if not _has_params(one):
                continue
            for other in given:
                self._matched(one, other, env, depth)

    def _matched(self, declared: Value, given: Value, env: dict[str, Values], depth: int) -> None:
        args = self._seen_as(declared, given)
        if args is not None:
            for one, other in zip(declared.args if isinstance(declared, Obj | ExtObj) else (), args, strict=False):
                self.matched(one, other, env, depth + 1)
            return
        wanted = self._resolver.rules.function_type(self._resolver, declared)
        if wanted is None:
            return
        if isinstance(given, Cls) and self._resolver.rules.types_are_called:
            self.matched(wanted[1], self._resolver.instances((given,)), env, depth + 1)
            return
        known = self._resolver.rules.function_type(self._resolver, given)
        if known is not None:
            self.matched(wanted[1], known[1], env, depth + 1)

    def _seen_as(self, declared: Value, given: Value) -> tuple[Values, ...] | None:
        """Return the type arguments of a value seen as one of a declared type, None where it is none."""
        if isinstance(declared, Obj) and isinstance(given, Obj):
            for one in self._resolver.ancestry.line(Cls(given.path, given.index, given.args)):
                if (one.path, one.index) == (declared.path, declared.index):
                    return one.args
        elif isinstance(declared, ExtObj) and isinstance(given, ExtObj) and declared.type == given.type:
            return given.args
        elif isinstance(declared, ExtObj) and isinstance(given, Cls) and declared.type == CLASS_OF:
            return (self._resolver.instances((given,)),)
        return None

    def parameter(self, function: Func, position: int) -> Values:
        """Return what the parameter at a position takes, counted without the receiver that a method is taken from."""
        resolver = self._resolver
        names = resolver.names(function.path)
        symbol = resolver.symbol(function)
        if names is None:
            return NOTHING
        if function.this is not None and resolver.rules.receiver_is_parameter:
            position += 1
        if position >= len(symbol.params):
            return NOTHING
        name = symbol.params[position].lstrip("*.=")
        return union(*(resolver.binding(function.path, one) for one in names.all(function.index, name)[:1]))

    def _as_receiver(self, value: Value, receiver: Value) -> Values:
        """Return a value, where it is the instance itself as the one that the method was called on."""
        match value:
            case Obj() if value.own:
                if isinstance(receiver, Obj | Cls) and self._resolver.ancestry.is_a(receiver, value):
                    return (Obj(receiver.path, receiver.index, receiver.args, receiver.own),)
                return (value,)
            case Ext() | ExtObj() if (
                value.name if isinstance(value, Ext) else value.type
            ) in self._resolver.rules.self_types:
                if isinstance(receiver, Obj | Cls):
                    return (Obj(receiver.path, receiver.index, receiver.args, receiver.own),)
                return NOTHING
            case ExtObj() if value.args:
                args = tuple(union(*(self._as_receiver(one, receiver) for one in arg)) for arg in value.args)
                return (ExtObj(value.type, args),)
            case _:
                return (value,)


# Types nested deeper than this are not compared.
_DEEPEST_MATCH: Final = 4


def _are_like(given: Values, declared: Values) -> bool:
    """Tell whether a list is given for a parameter that takes any number."""
    kinds = {one.type for one in declared if isinstance(one, ExtObj)}
    return any(isinstance(one, ExtObj) and one.type in kinds for one in given)


def _has_params(value: Value) -> bool:
    return isinstance(value, Cls | Obj | ExtObj | Ext) and bool(value.args)
