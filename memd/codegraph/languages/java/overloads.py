"""Overloads: which of several methods of a name and a number of parameters a call means.

A method of a type and one that it inherits may differ in nothing but the types of their parameters. What is known of
the arguments decides, roughly as the compiler does: who cannot take them is out, and who fits closest is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memd.codegraph.facts import VARIABLE, Flag, Own
from memd.codegraph.inheritance import substituted
from memd.codegraph.languages.java.library import bases_of, library
from memd.codegraph.languages.java.names import ARRAY
from memd.codegraph.values import Cls, ExtObj, Func, Obj, Param, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

_EXACT: Final = 4.0
_BELOW: Final = 3.0
_FARTHER: Final = 0.05
_MAYBE: Final = 1.0
_ANYTHING: Final = 0.5
_VARIABLE: Final = -10.0

_NUMBERS: Final = ("byte", "short", "char", "int", "long", "float", "double")
"""Each can be given for those behind it."""
_BOXES: Final = {
    "Byte": "byte",
    "Short": "short",
    "Character": "char",
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
    "Boolean": "boolean",
}
_OF_STRINGS: Final = frozenset(("CharSequence", "Comparable", "Serializable", "Object"))
_CLOSED: Final = frozenset(("String", "boolean", *_NUMBERS, *_BOXES))
"""Types that nothing is below of, or that this module knows all of."""


class Overloads:
    """The overloads of a project's methods."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._parameters: dict[tuple[Func, int], Values] = {}
        self._known: dict[tuple[Value, tuple[str, int], str], tuple[Func, ...]] = {}

    def chosen(self, functions: Sequence[Func], name: str, args: Sequence[Values]) -> Values:
        """Return those of some functions, or of what stands behind them, that take the arguments best."""
        found: dict[Func, None] = {}
        groups: dict[Value, list[Func]] = {}
        for one in functions:
            groups.setdefault(self._receiver(one), []).append(one)
        for group in groups.values():
            several = self._of(group[0], name)
            found.update((one, None) for one in (self._best(several, args) if len(several) > 1 else ()) or group)
        return tuple(found)

    def differ(self, functions: Sequence[Func], name: str) -> bool:
        """Tell whether there is anything to choose from."""
        return any(len(self._of(one, name)) > 1 for one in functions)

    def takes(self, function: Func, args: Sequence[Values]) -> bool:
        """Tell whether a method takes what is known of the arguments."""
        return self._fits(function, args) is not None

    def _receiver(self, function: Func) -> Value:
        if isinstance(function.this, Obj | Cls):
            return function.this
        return Cls(function.path, self._resolver.symbol(function).parent)

    def _of(self, function: Func, name: str) -> tuple[Func, ...]:
        """Return the methods of a name from the type of one of them on, less those that another one overrides."""
        owner = (function.path, self._resolver.symbol(function).parent)
        key = (self._receiver(function), owner, name)
        if key not in self._known:
            self._known[key] = tuple(self._find(key[0], owner, name))
        return self._known[key]

    def _find(self, receiver: Value, owner: tuple[str, int], name: str) -> list[Func]:
        if not isinstance(receiver, Obj | Cls):
            return []
        resolver = self._resolver
        line = resolver.ancestry.line(Cls(receiver.path, receiver.index, receiver.args))
        since = next((place for place, one in enumerate(line) if (one.path, one.index) == owner), 0)
        found: list[Func] = []
        seen: set[object] = set()
        for cls in line[since:]:
            names = resolver.names(cls.path)
            env = tuple(sorted(resolver.ancestry.environment(cls).items()))
            for binding in names.all(cls.index, name) if names is not None else ():
                if not isinstance(binding.value, Own) or names is None:
                    continue
                symbol = names.facts.symbols[binding.value.symbol]
                if found and symbol.flags & Flag.STATIC and names.facts.symbols[cls.index].kind == "interface":
                    continue  # what an interface has without an instance is not inherited
                this = None if symbol.flags & Flag.STATIC or isinstance(receiver, Cls) else receiver
                one = Func(cls.path, binding.value.symbol, this, env)
                signature = tuple(_identity(self._taken(one, i)) for i in range(len(symbol.params)))
                if signature not in seen:
                    seen.add(signature)
                    found.append(one)
        return found

    def _taken(self, function: Func, position: int) -> Values:
        """Return what a parameter takes."""
        key = (function, position)
        if key not in self._parameters:
            declared = self._resolver.calls.parameter(function, position)
            self._parameters[key] = substituted(declared, dict(function.env)) if function.env else declared
        return self._parameters[key]

    def _best(self, several: Sequence[Func], args: Sequence[Values]) -> list[Func]:
        """Return who fits best; of those that fit alike, those of the type that comes first."""
        best: list[Func] = []
        most = float("-inf")
        for one in several:
            fits = self._fits(one, args)
            if fits is None or fits < most:
                continue
            if fits > most:
                best, most = [one], fits
            elif (one.path, self._resolver.symbol(one).parent) == (best[0].path, self._resolver.symbol(best[0]).parent):
                best.append(one)
        return best

    def _fits(self, function: Func, args: Sequence[Values]) -> float | None:
        params = self._resolver.symbol(function).params
        variable = bool(params) and params[-1].startswith(VARIABLE)
        total = _VARIABLE if variable else 0.0
        for position, given in enumerate(args):
            last = variable and position >= len(params) - 1
            declared = self._taken(function, len(params) - 1 if last else position)
            fits = self._all_fit(declared, given)
            if last:
                elements = union(*(one.args[0] for one in declared if isinstance(one, ExtObj) and one.args))
                single = self._all_fit(elements, given)
                fits = single if fits is None or (single is not None and single > fits) else fits
            if fits is None:
                return None
            total += fits
        return total

    def _all_fit(self, declared: Values, given: Values) -> float | None:
        """Return how well a parameter takes an argument, None where it cannot; what is not known could be anything."""
        if not declared or not given:
            return _MAYBE
        several = [self._one_fits(param, arg) for param in declared for arg in given]
        known = [one for one in several if one is not None]
        return max(known) if known else None

    def _one_fits(self, param: Value, arg: Value) -> float | None:
        if isinstance(param, Param) or isinstance(arg, Param):
            return self._parameter_fits(param, arg)
        if isinstance(param, ExtObj) and param.type == "Object":
            return _ANYTHING
        if isinstance(arg, ExtObj) and arg.type in ("function", "reference"):
            return self._function_fits(param, arg)
        match param, arg:
            case Obj(), Obj():
                line = self._resolver.ancestry.line(Cls(arg.path, arg.index))
                for distance, one in enumerate(line):
                    if (one.path, one.index) == (param.path, param.index):
                        return _BELOW - distance * _FARTHER if distance else _EXACT
                return None
            case ExtObj(), Obj():
                return self._outside_takes(param, arg)
            case Obj(), ExtObj():
                return _MAYBE if arg.type[:1] == "?" else None
            case ExtObj(), ExtObj():
                return _outside_fits(param, arg, self)
            case _:
                return _MAYBE

    def _parameter_fits(self, param: Value, arg: Value) -> float | None:
        """Return how well a parameter takes an argument where the type of one of them is a type parameter."""
        if not isinstance(param, Param):
            return self._all_fit((param,), arg.bound) if isinstance(arg, Param) and arg.bound else _ANYTHING / 2
        if not param.bound:
            return _ANYTHING
        bound = self._all_fit(param.bound, (arg,))
        return None if bound is None else bound - 2 * _FARTHER

    def _outside_takes(self, param: ExtObj, arg: Obj) -> float | None:
        """Return how well a parameter of a library type takes an instance of one of the project's."""
        outside = self._resolver.ancestry.outside(Cls(arg.path, arg.index))
        behind = [one.name for one in outside] + [base.name for one in outside for base in bases_of(one.name)]
        if param.type in behind:
            return _BELOW - _FARTHER * len(behind)
        return _MAYBE if outside and param.type not in _CLOSED and param.type != ARRAY else None

    def elements_fit(self, param: ExtObj, arg: ExtObj) -> float | None:
        """Return how well an array takes another one."""
        return self._all_fit(param.args[0], arg.args[0]) if param.args and arg.args else _MAYBE

    def _function_fits(self, param: Value, arg: ExtObj) -> float | None:
        wanted = self._resolver.rules.function_type(self._resolver, param)
        if wanted is None:
            return None if isinstance(param, Obj) or param_is_closed(param) else _MAYBE / 2
        if arg.type == "function" and len(arg.args) - 1 != len(wanted[0]):
            return None
        return _BELOW


def param_is_closed(param: Value) -> bool:
    """Tell whether nothing that is not known can be given for a parameter."""
    return isinstance(param, ExtObj) and (param.type in _CLOSED or param.type == ARRAY or param.type in library())


def _identity(values: Values) -> object:
    """Return what tells the types of parameters apart, less their own arguments."""
    found: list[object] = []
    for one in values:
        match one:
            case Obj():
                found.append((one.path, one.index))
            case ExtObj():
                inner = _identity(one.args[0]) if one.type == ARRAY and one.args else None
                found.append((one.type, inner))
            case Param():
                found.append(_identity(one.bound) if one.bound else "Object")
            case _:
                found.append(None)
    return tuple(found)


def _outside_fits(param: ExtObj, arg: ExtObj, overloads: Overloads) -> float | None:
    if param.type == ARRAY and arg.type == ARRAY:
        return overloads.elements_fit(param, arg)
    if param.type == arg.type:
        return _EXACT
    if ARRAY in (param.type, arg.type):
        return None
    if arg.type in _CLOSED:
        return _closed_fits(param.type, arg.type)
    for distance, base in enumerate(bases_of(arg.type)):
        if base.name == param.type:
            return _BELOW - distance * _FARTHER
    if param.type in _CLOSED or (param.type in library() and arg.type in library()):
        return None if arg.type in library() else _MAYBE / 2
    return _MAYBE


def _closed_fits(param: str, arg: str) -> float | None:
    """Return how well a parameter takes a string, a number or a truth value."""
    if arg == "String":
        return _BELOW if param in _OF_STRINGS else None
    plain, wanted = _BOXES.get(arg, arg), _BOXES.get(param, param)
    boxed = _FARTHER * 10 if (arg in _BOXES) != (param in _BOXES) else 0.0
    if plain == wanted:
        return _BELOW - boxed
    if plain in _NUMBERS and wanted in _NUMBERS and param not in _BOXES:
        steps = _NUMBERS.index(wanted) - _NUMBERS.index(plain)
        return _BELOW - steps * _FARTHER - boxed if steps > 0 else None
    return _ANYTHING if param in ("Number", "Comparable", "Serializable") else None
