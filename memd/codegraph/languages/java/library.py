"""The library: what the types of Java's own library (and the common ones beside it) hand through.

It is told in `library.txt`, nearly in the words of Java itself, and only what carries a type from one place to another:
`Type<T> : Base<T> = (T) -> R { ... }` with what the type is called as, what its methods give, and what they call a
function with (`(T) -> R`). Names of one letter are type parameters; of overloads, the one that tells most stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Named:
    """A type with its arguments; `name` of one letter is a type parameter."""

    name: str
    args: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """What a lambda takes and gives."""

    params: tuple[Type, ...]
    result: Type


Type: TypeAlias = Named | Function


@dataclass(frozen=True, slots=True)
class Method:
    """What a method takes and gives; the last parameter may stand for any number (`...`)."""

    params: tuple[Type, ...]
    result: Type
    variable: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A type of the library; `function` is what it is called as, where it has one method to implement."""

    params: tuple[str, ...]
    bases: tuple[Type, ...]
    methods: dict[str, Method]
    function: Function | None


_TOKEN: Final = re.compile(r"->|\.\.\.|\[\]|[\w.]*\w|[<>{}(),:;=]")


@cache
def library() -> dict[str, Entry]:
    """Return the types of the library by their names."""
    return dict(_Reader(resources.files(__package__).joinpath("library.txt").read_text("utf-8")).entries())


def lookup(type_name: str, method: str) -> tuple[Entry, Method, tuple[Type, ...]] | None:
    """Return the entry that has a method of a type, the method, and the arguments that the type gives to that entry."""
    return _found(type_name, method, None)


def _found(name: str, method: str, args: tuple[Type, ...] | None) -> tuple[Entry, Method, tuple[Type, ...]] | None:
    entry = library().get(name)
    if entry is None:
        return None
    given = args if args is not None else tuple(Named(one) for one in entry.params)
    if method in entry.methods:
        return entry, entry.methods[method], given
    env = dict(zip(entry.params, given, strict=False))
    for base in entry.bases:
        if isinstance(base, Named):
            found = _found(base.name, method, tuple(_replaced(one, env) for one in base.args))
            if found is not None:
                return found
    return None


def bases_of(name: str) -> Iterator[Named]:
    """Yield a type and all behind it, with the arguments that it gives to them, in its own parameters."""
    entry = library().get(name)
    if entry is None:
        return
    yield Named(name, tuple(Named(one) for one in entry.params))
    for base in entry.bases:
        if isinstance(base, Named):
            for one in bases_of(base.name):
                env = dict(zip(library()[base.name].params, base.args, strict=False))
                yield Named(one.name, tuple(_replaced(arg, env) for arg in one.args))


def _replaced(one: Type, env: dict[str, Type]) -> Type:
    if isinstance(one, Function):
        return Function(tuple(_replaced(param, env) for param in one.params), _replaced(one.result, env))
    if not one.args:
        return env.get(one.name, one)
    return Named(one.name, tuple(_replaced(arg, env) for arg in one.args))


class _Reader:
    """Reads the text above."""

    def __init__(self, words: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(words)
        self._at = 0

    def entries(self) -> Iterator[tuple[str, Entry]]:
        while self._at < len(self._tokens):
            head = self._named()
            bases: list[Type] = []
            function: Function | None = None
            if self._take(":"):
                bases.append(self._type())
                while self._take(","):
                    bases.append(self._type())
            if self._take("="):
                wanted = self._type()
                function = wanted if isinstance(wanted, Function) else None
            params = tuple(one.name for one in head.args if isinstance(one, Named))
            yield head.name, Entry(params, tuple(bases), dict(self._methods()), function)

    def _methods(self) -> Iterator[tuple[str, Method]]:
        self._expect("{")
        while not self._take("}"):
            result = self._type()
            name = self._next()
            self._expect("(")
            params: list[Type] = []
            variable = False
            while not self._take(")"):
                params.append(self._type())
                variable = self._take("...") or variable
                self._take(",")
            self._expect(";")
            yield name, Method(tuple(params), result, variable)

    def _type(self) -> Type:
        if self._take("("):
            params: list[Type] = []
            while not self._take(")"):
                params.append(self._type())
                self._take(",")
            self._expect("->")
            return Function(tuple(params), self._type())
        found = self._named()
        while self._take("[]"):
            found = Named("[]", (found,))
        return found

    def _named(self) -> Named:
        name = self._next()
        args: list[Type] = []
        if self._take("<"):
            while not self._take(">"):
                args.append(self._type())
                self._take(",")
        return Named(name, tuple(args))

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, token: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at] == token:
            self._at += 1
            return True
        return False

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise ValueError(f"the library's text has {self._tokens[self._at : self._at + 5]} where {token!r} belongs")
