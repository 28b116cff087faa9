"""Overloads: which of several functions of a name a call means, by what it is given.

They matter only where they are defined in several files: overloads of one file are one node. What cannot take so many
arguments is out; of the others those are chosen whose parameters fit best what is known of the arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memd.codegraph.facts import OPTIONAL, Expr, Own, Symbol
from memd.codegraph.languages.c.names import POINTER
from memd.codegraph.languages.cpp.names import PRIMITIVES
from memd.codegraph.places import Place
from memd.codegraph.values import NOTHING, Cls, ExtObj, Func, Obj, Param, Value, Values

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

_EXACT: Final = 4
_BELOW: Final = 3
_ALIKE: Final = 2
_MAYBE: Final = 1
_BY_CONVERSION: Final = 0


def takes_the_same(one: Symbol, other: Symbol) -> bool:
    """Tell whether a declaration and a definition take parameters of the same types, as they are written."""
    return len(one.params) == len(other.params) and one.takes == other.takes


def best_of(resolver: Resolver, values: Values, args: tuple[Expr | None, ...], place: Place) -> Values:
    """Return those of some values that a call with these arguments means; all of them where there is no telling."""
    functions = [one for one in values if isinstance(one, Func)]
    overloads = list(dict.fromkeys(other for one in functions for other in _overloads(resolver, one)))
    if len(overloads) < 2 or len({_file(resolver, one) for one in overloads}) < 2:
        return values
    able = [one for one in overloads if _can_take(resolver.symbol(one), len(args))]
    if not able:
        return values
    given = [resolver.evaluate(one, place) for one in args]
    fits = {one: sum(_fit(resolver, one, at, values) for at, values in enumerate(given)) for one in able}
    best = max(fits.values())
    kept = tuple(one for one in able if fits[one] == best)
    return (*kept, *(one for one in values if not isinstance(one, Func)))


def _file(resolver: Resolver, function: Func) -> str:
    return resolver.rules.definition(resolver, function).path


def _overloads(resolver: Resolver, function: Func) -> list[Func]:
    """Return the functions of the same name beside one, itself among them."""
    names = resolver.names(function.path)
    symbol = resolver.symbol(function)
    bound = names.all(symbol.parent, symbol.name) if names is not None else ()
    found = [one.value.symbol for one in bound if isinstance(one.value, Own)]
    if function.index not in found:
        return [function]
    return [Func(function.path, index, function.this, function.env) for index in found]


def _can_take(symbol: Symbol, count: int) -> bool:
    """Tell whether a function can be given so many arguments."""
    least = sum(not name.startswith(OPTIONAL) for name in symbol.params)
    return least <= count and (count <= len(symbol.params) or "..." in symbol.signature)


def _fit(resolver: Resolver, function: Func, position: int, given: Values) -> int:
    """Return how well the parameter at a position takes an argument; what is not known of either could be anything."""
    symbol = resolver.symbol(function)
    taken = symbol.takes[position] if position < len(symbol.takes) else None
    if taken is None or not given:
        return _MAYBE
    declared = resolver.answers.once(
        ("takes", function.path, function.index, position),
        lambda: resolver.instance_of(taken, Place(function.path, function.index, symbol.start)),
    )
    if not declared:
        return _MAYBE
    return max(_one_fits(resolver, param, arg) for param in declared for arg in given)


def _one_fits(resolver: Resolver, param: Value, arg: Value) -> int:
    match param, arg:
        case Param(), _:
            return _MAYBE
        case Obj(), Obj():
            if (param.path, param.index) == (arg.path, arg.index):
                return _EXACT
            return _BELOW if resolver.ancestry.is_a(Cls(arg.path, arg.index), param) else _BY_CONVERSION
        case ExtObj(), ExtObj() if POINTER in (param.type, arg.type):
            if param.type != arg.type:
                return _BY_CONVERSION
            inner, other = _held(param), _held(arg)
            if not inner or not other:
                return _ALIKE
            return max(_one_fits(resolver, one, two) for one in inner for two in other)
        case ExtObj(), ExtObj():
            if param.type == arg.type:
                return _EXACT
            return _ALIKE if param.type in PRIMITIVES and arg.type in PRIMITIVES else _BY_CONVERSION
        case ExtObj(type=kind), Obj() if kind == POINTER:  # `&x` is told as x
            return max((min(_BELOW, _one_fits(resolver, one, arg)) for one in _held(param)), default=_MAYBE)
        case (Obj(), ExtObj()) | (ExtObj(), Obj()):
            return _BY_CONVERSION
        case _:
            return _MAYBE


def _held(pointer: ExtObj) -> Values:
    return pointer.args[0] if pointer.args else NOTHING
