"""Outside: what values of library types give, as the library tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeGuard

from memd.codegraph.languages.java.library import Entry, Function, Method, Named, Type, bases_of, library, lookup
from memd.codegraph.languages.java.names import ARRAY
from memd.codegraph.values import NOTHING, Ext, ExtObj, Param, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver


SOMETHING: Final = "?"
"""The type of what a library gives that nothing is known of."""


def result_of(resolver: Resolver, called: Ext, args: Callable[[int], Values]) -> Values:
    """Return what calling a method of the library (`List.get/1`) gives.

    What is not told is something of the library's own, unless it may be what the receiver holds.
    """
    found = _method(called)
    if found is None:
        holds = any(not isinstance(one, ExtObj) for arg in called.args for one in arg)
        return NOTHING if holds and called.name.partition(".")[0] != "Class" else (ExtObj(SOMETHING),)
    entry, method, env = found
    for position, declared in enumerate(method.params):
        given = args(position)
        if method.variable and position == len(method.params) - 1:
            given = union(*(one.args[0] if _is_array(one) else (one,) for one in given))
        _match(resolver, declared, given, env)
    # What a static method cannot know yet (a collector, of what it collects) is known to who is given its result.
    return _settled(values_of(method.result, env), env, keep=not entry.params)


def _is_array(value: Value) -> TypeGuard[ExtObj]:
    return isinstance(value, ExtObj) and value.type == ARRAY and bool(value.args)


def taken_by(called: Ext, argument: int, param: int) -> Values:
    """Return what a method of the library calls the function with that is its argument at a position."""
    found = _method(called)
    if found is None:
        return NOTHING
    _, method, env = found
    if argument >= len(method.params):
        return NOTHING
    function = _as_function(method.params[argument], env)
    return _settled(function[0][param], env) if function is not None and param < len(function[0]) else NOTHING


def function_of(value: ExtObj) -> tuple[tuple[Values, ...], Values] | None:
    """Return what an instance of a library type takes and gives when it is called; None where it is no function."""
    if value.type in ("function", "reference"):
        return (), value.args[-1] if value.args else NOTHING
    entry = library().get(value.type)
    if entry is None or entry.function is None:
        return None
    env = dict(zip(entry.params, value.args, strict=False))
    return tuple(values_of(one, env) for one in entry.function.params), values_of(entry.function.result, env)


def element_of(value: ExtObj) -> Values:
    """Return what iterating over a value of a library type gives."""
    if value.type == "[]" or value.type not in library():
        return value.args[0] if len(value.args) == 1 else NOTHING
    entry = library()[value.type]
    env = dict(zip(entry.params, value.args, strict=False))
    for base in bases_of(value.type):
        if base.name == "Iterable":
            return values_of(base.args[0], env)
    return NOTHING


def takes(type_name: str, name: str) -> bool:
    """Tell whether the library tells of a method of a type that takes as many arguments as are asked for (`get/1`)."""
    plain, _, count = name.partition("/")
    found = lookup(type_name, plain)
    return found is not None and count == str(len(found[1].params))


def has_method(type_name: str, name: str) -> bool:
    """Tell whether the library tells of a method (`get/1`) of a type."""
    return lookup(type_name, name.partition("/")[0]) is not None


def values_of(one: Type, env: Mapping[str, Values]) -> Values:
    """Return what a type of the library is as values; `void` is nothing."""
    if isinstance(one, Function):
        return (ExtObj("function", (values_of(one.result, env),)),)
    if len(one.name) == 1:
        return env.get(one.name, (Param(one.name),))
    if one.name == "void":
        return NOTHING
    return (ExtObj(one.name, tuple(values_of(arg, env) for arg in one.args)),)


def _settled(values: Values, env: Mapping[str, Values], *, keep: bool = False) -> Values:
    """Return values with the parameters replaced that are known, and (unless `keep`) without the others."""
    found: list[Values] = []
    for value in values:
        if isinstance(value, Param):
            found.append(env.get(value.name, (value,) if keep or value.bound else NOTHING))
        elif isinstance(value, ExtObj) and value.args:
            found.append((ExtObj(value.type, tuple(_settled(arg, env, keep=keep) for arg in value.args)),))
        else:
            found.append((value,))
    return union(*found)


def _method(called: Ext) -> tuple[Entry, Method, dict[str, Values]] | None:
    owner, _, name = called.name.rpartition(".")
    found = lookup(owner, name.partition("/")[0])
    if found is None:
        return None
    entry, method, args = found
    receiver = dict(zip(library()[owner].params, called.args, strict=False))
    env = {
        param: values
        for param, arg in zip(entry.params, args, strict=False)
        if (values := _settled(values_of(arg, receiver), {}))
    }
    return entry, method, env


def _as_function(declared: Type, env: Mapping[str, Values]) -> tuple[tuple[Values, ...], Values] | None:
    if isinstance(declared, Function):
        return tuple(values_of(one, env) for one in declared.params), values_of(declared.result, env)
    for value in values_of(declared, env):
        if isinstance(value, ExtObj):
            return function_of(value)
    return None


def _match(resolver: Resolver, declared: Type, given: Values, env: dict[str, Values]) -> None:
    """Add to `env` what the type parameters in a declared type are where values are given for it."""
    if not given:
        return
    if isinstance(declared, Function):
        for one in given:
            known = resolver.rules.function_type(resolver, one)
            if known is not None:
                _match(resolver, declared.result, known[1], env)
    elif len(declared.name) == 1:
        env.setdefault(declared.name, given)
    else:
        for one in given:
            for arg, values in zip(declared.args, _seen_as(declared.name, one), strict=False):
                _match(resolver, arg, values, env)


def _seen_as(name: str, value: object) -> tuple[Values, ...]:
    """Return the arguments of a library value seen as one of a type that stands behind its own."""
    if not isinstance(value, ExtObj):
        return ()
    if value.type == name:
        return value.args
    entry = library().get(value.type)
    for base in bases_of(value.type) if entry is not None else ():
        if base.name == name and entry is not None:
            env = dict(zip(entry.params, value.args, strict=False))
            return tuple(values_of(arg, env) if isinstance(arg, Named | Function) else NOTHING for arg in base.args)
    return ()
