"""Outside: what JavaScript's own types hand through: the types that pass from argument to result and to callbacks.

A result is written as: `self` the receiver, `T` (first), `V` (last) its arguments, `R` what the callback gives, `R*`
what that holds, `A` the first argument's value; `X[]` is an array of X, `X!` a promise of X, `it(X)` an iterator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from memd.codegraph.values import NOTHING, Ext, ExtObj, Func, Obj, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

ARRAYS: Final = frozenset(("Array", "ReadonlyArray", "tuple", "NodeListOf", "HTMLCollectionOf", "ConcatArray"))
PROMISES: Final = frozenset(("Promise", "PromiseLike", "Awaitable", "Awaited"))
ITERATORS: Final = frozenset(
    "Iterator Iterable IterableIterator AsyncIterator AsyncIterable AsyncIterableIterator Generator AsyncGenerator"
    " ReadableStream Set ReadonlySet WeakSet".split()
)
MAPS: Final = frozenset(("Map", "ReadonlyMap", "WeakMap"))

_ARRAY: Final[dict[str, str]] = {
    "map": "R[]",
    "flatMap": "R*[]",
    "filter": "self",
    "find": "T",
    "findLast": "T",
    "pop": "T",
    "shift": "T",
    "at": "T",
    "slice": "self",
    "splice": "self",
    "concat": "self",
    "reverse": "self",
    "toReversed": "self",
    "sort": "self",
    "toSorted": "self",
    "fill": "self",
    "with": "self",
    "flat": "T*[]",
    "values": "it(T)",
    "entries": "it(pair)",
    "reduce": "R|T",
    "reduceRight": "R|T",
    "join": "string",
}
_MAP: Final[dict[str, str]] = {
    "get": "V",
    "set": "self",
    "values": "it(V)",
    "keys": "it(T)",
    "entries": "it(entry)",
}
_SET: Final[dict[str, str]] = {"add": "self", "values": "it(T)", "keys": "it(T)"}
_PROMISE: Final[dict[str, str]] = {"then": "R!", "catch": "R|T!", "finally": "self"}
_STATIC: Final[dict[str, str]] = {
    "Array.from": "from",
    "Array.of": "A[]",
    "Promise.resolve": "A!",
    "Promise.all": "all",
    "Promise.allSettled": "settled",
    "Promise.race": "first",
    "Promise.any": "first",
    "Object.assign": "A",
    "Object.freeze": "A",
    "Object.seal": "A",
    "Object.create": "created",
    "Object.values": "A*[]",
    "Object.entries": "entries",
    "Object.fromEntries": "from entries",
    "structuredClone": "A",
    "Function.call": "called",
    "Function.apply": "called",
    "Function.bind": "self*",
    "Reflect.construct": "made",
}

# Which arguments of a callback are what, by the method that takes it.
_CALLBACKS: Final[dict[str, tuple[str, ...]]] = {
    "reduce": ("first", "T", "number", "self"),
    "reduceRight": ("first", "T", "number", "self"),
    "sort": ("T", "T"),
    "toSorted": ("T", "T"),
    "then": ("T",),
    "forEach": ("T", "number", "self"),
}
_EACH: Final = frozenset("map flatMap filter find findLast findIndex findLastIndex some every forEach".split())
Args = Callable[[int], Values]


def result(resolver: Resolver, outside: Ext, args: Args) -> Values | None:
    """Return what calling something of the language gives, None where that is not known."""
    owner, _, name = outside.name.rpartition(".")
    way = _STATIC.get(outside.name)
    if way is None:
        way = _methods(owner).get(name)
    if way is None:
        return None
    return _made(resolver, way, ExtObj(owner, outside.args), args)


def _methods(owner: str) -> dict[str, str]:
    if owner in ARRAYS:
        return _ARRAY
    if owner in MAPS:
        return _MAP
    if owner in PROMISES:
        return _PROMISE
    return _SET if owner in ITERATORS else {}


def taken(resolver: Resolver, outside: Ext, argument: int, param: int, args: Args) -> Values:
    """Return what something of the language calls a function with that is its argument."""
    owner, _, name = outside.name.rpartition(".")
    held = outside.args
    if param < 0:
        return NOTHING
    if owner in MAPS and name == "forEach":
        return (
            (held[-1], held[0] if held else NOTHING, (ExtObj(owner, held),))[param] if held and param < 3 else NOTHING
        )
    if outside.name == "Array.from" and argument == 1 and param == 0:
        return _elements(resolver, args(0))
    if owner in PROMISES and argument > 0:
        return NOTHING
    if owner in ARRAYS and name in _EACH:
        words: tuple[str, ...] = ("T", "number", "self")
    elif owner in ITERATORS and name in _EACH:
        words = ("T", "T", "self")
    elif owner in ARRAYS or owner in PROMISES:
        words = _CALLBACKS.get(name, ())
    else:
        return NOTHING
    if param >= len(words):
        return NOTHING
    if words[param] == "first":
        return args(1) or _first(owner, held)
    return _made(resolver, words[param], ExtObj(owner, held), args)


def _made(resolver: Resolver, way: str, base: ExtObj, args: Args) -> Values:
    if way in ("string", "number"):
        return (ExtObj(way),)
    known = _WAYS.get(way)
    return known(resolver, base, args) if known is not None else NOTHING


def _one(base: ExtObj) -> Values:
    return _first(base.type, base.args)


def _last(base: ExtObj) -> Values:
    return base.args[-1] if base.args else NOTHING


def _iterator(values: Values) -> Values:
    return (ExtObj("Iterator", (values,)),)


def _pair(first: Values, second: Values) -> Values:
    return (ExtObj("tuple", (first, second)),)


def _created(args: Args) -> Values:
    return tuple(Obj(one.path, one.index, one.args) for one in args(0) if isinstance(one, Obj))


def _flat(resolver: Resolver, base: ExtObj) -> Values:
    inner = _one(base)
    return _elements(resolver, inner) or inner


def _every(resolver: Resolver, args: Args) -> Values:
    return union(*(_all(resolver, one) for one in args(0) if isinstance(one, ExtObj)))


_Way = Callable[["Resolver", ExtObj, Args], Values]
_WAYS: Final[dict[str, _Way]] = {
    "self": lambda _resolver, base, _args: (base,),
    "T": lambda _resolver, base, _args: _one(base),
    "V": lambda _resolver, base, _args: _last(base),
    "A": lambda _resolver, _base, args: args(0),
    "R": lambda resolver, _base, args: results(resolver, args(0)),
    "R[]": lambda resolver, _base, args: _array(results(resolver, args(0))),
    "R*[]": lambda resolver, _base, args: _array(_elements(resolver, results(resolver, args(0)))),
    "A[]": lambda _resolver, _base, args: _array(args(0)),
    "A*[]": lambda resolver, _base, args: _array(_elements(resolver, args(0))),
    "T*[]": lambda resolver, base, _args: _array(_flat(resolver, base)),
    "R|T": lambda resolver, base, args: union(args(1), results(resolver, args(0))) or _one(base),
    "R|T!": lambda resolver, base, args: promise(resolver, union(_one(base), results(resolver, args(0)))),
    "R!": lambda resolver, _base, args: promise(resolver, results(resolver, args(0))),
    "A!": lambda resolver, _base, args: promise(resolver, args(0)),
    "it(T)": lambda _resolver, base, _args: _iterator(_one(base)),
    "it(V)": lambda _resolver, base, _args: _iterator(_last(base)),
    "it(pair)": lambda _resolver, base, _args: _iterator(_pair((ExtObj("number"),), _one(base))),
    "it(entry)": lambda _resolver, base, _args: _iterator(_pair(_one(base), _last(base))),
    "from": lambda resolver, _base, args: _array(results(resolver, args(1)) or _elements(resolver, args(0))),
    "all": lambda resolver, _base, args: promise(resolver, _every(resolver, args)),
    "first": lambda resolver, _base, args: promise(resolver, _elements(resolver, args(0))),
    "entries": lambda resolver, _base, args: _array(_pair((ExtObj("string"),), _elements(resolver, args(0)))),
    "created": lambda _resolver, _base, args: _created(args),
    "called": lambda resolver, base, _args: results(resolver, _one(base)),
    "self*": lambda _resolver, base, _args: _one(base),
}


def _all(resolver: Resolver, given: ExtObj) -> Values:
    if given.type == "tuple":
        return (ExtObj("tuple", tuple(_awaited(resolver, one) for one in given.args)),)
    return _array(_awaited(resolver, given.args[0] if given.args else NOTHING))


def _awaited(resolver: Resolver, values: Values) -> Values:
    return union(*(resolver.uses.awaited(one) for one in values))


def _array(values: Values) -> Values:
    return (ExtObj("Array", (values,)),)


def promise(resolver: Resolver, values: Values) -> Values:
    """Return a promise of values; what is one already stays one."""
    return (ExtObj("Promise", (_awaited(resolver, values),)),)


def _first(owner: str, held: tuple[Values, ...]) -> Values:
    if owner == "tuple":
        return union(*held)
    return held[0] if held else NOTHING


def _elements(resolver: Resolver, values: Values) -> Values:
    return union(*(resolver.uses.element(one) for one in values))


def results(resolver: Resolver, values: Values) -> Values:
    """Return what calling any of some functions gives."""
    found: list[Values] = []
    for one in values:
        if isinstance(one, Func):
            found.append(resolver.calls.result(one))
        else:
            known = resolver.rules.function_type(resolver, one)
            if known is not None:
                found.append(known[1])
    return union(*found)
