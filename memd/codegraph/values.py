"""Values: what an expression can stand for, as far as the source shows it."""

from __future__ import annotations

from typing import Final, TypeAlias, Union

import msgspec


class _Value(msgspec.Struct, frozen=True, gc=False):
    """A value; equal ones are one."""


class Module(_Value, frozen=True):
    """A file of the project, or a folder (its path ends in "/"): what can be asked for names."""

    key: str


class Space(_Value, frozen=True):
    """A symbol that only holds names: a namespace, an inline module, an object of functions."""

    path: str
    index: int


class Cls(_Value, frozen=True):
    """A type of the project itself, with the values that its type arguments stand for."""

    path: str
    index: int
    args: tuple[Values, ...] = ()
    own: bool = False


class Obj(_Value, frozen=True):
    """An instance of a type of the project. `own`: it is the one that the method was called on, or of a type below."""

    path: str
    index: int
    args: tuple[Values, ...] = ()
    own: bool = False


class Bases(_Value, frozen=True):
    """The instance (or, `cls`, the class) that a method is called on, seen as what stands behind its class."""

    path: str
    index: int
    cls: bool = False


class Func(_Value, frozen=True):
    """A function of the project, with what it was taken from and what the type parameters around it stand for."""

    path: str
    index: int
    this: Value | None = None
    env: tuple[tuple[str, Values], ...] = ()


class Ext(_Value, frozen=True):
    """Something outside of the project: a module, class or function of a library or of the language itself."""

    name: str
    args: tuple[Values, ...] = ()


class ExtObj(_Value, frozen=True):
    """An instance of a type outside of the project."""

    type: str
    args: tuple[Values, ...] = ()


class Param(_Value, frozen=True):
    """A type parameter, and what it is known to be at least."""

    name: str
    bound: tuple[Value, ...] = ()


Value: TypeAlias = Union[  # noqa: UP007 - the names are forward references
    Module, Space, Cls, Obj, Bases, Func, Ext, ExtObj, Param
]
Values: TypeAlias = tuple[Value, ...]

NOTHING: Final[Values] = ()
CLASS_OF: Final = "type[]"
"""The type of what is the class of its argument, where that is not known yet."""
MOST: Final = 12
"""Who can be more things than this could be anything."""


def every(*several: Values) -> Values:
    """Return all of them, each once, in order: not what one thing can be, but many things."""
    return tuple(dict.fromkeys(value for values in several for value in values))


def union(*several: Values) -> Values:
    """Return what any of them can be, each once, in order."""
    found: dict[Value, None] = {}
    for values in several:
        for value in values:
            found[value] = None
    return tuple(found)[:MOST]
