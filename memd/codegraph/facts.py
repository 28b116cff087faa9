"""Facts: what one source file says, in words that are the same for every language.

Extraction (a worker process, tree-sitter) makes a `FileFacts` of a file; resolution reads nothing else. The values are
small, immutable and have a compact form (`pack`, `unpack`), so that they travel between processes and are kept with
the hash of the file they were made of.

An expression is kept only as far as it can carry a type. What a language writes in its own way is told in the neutral
form: `new Foo()` and `Foo{}` are `Construct`, `*p` and `&p` are `p`, `a->b` and `a::b` are `Attr`, a string literal is
`Literal("str")`.
"""

from __future__ import annotations

from typing import Final, TypeAlias, Union
from typing import Literal as OneValueOf

import msgspec

MODULE: Final = -1
"""The scope of code outside of every symbol."""
EXPORTS: Final = -2
"""The owner of names that a file gives to others, where a language tells them apart from its own."""

EVERYWHERE_KNOWN: Final = -3
"""The owner of names that a file declares for every other file too."""

RETURN: Final = "<return>"
"""A binding of this name in a function is something that it returns."""
YIELD: Final = "<yield>"
"""A binding of this name in a function is something that it yields."""
MEMBERS: Final = "<members>"
"""A binding of this name in a function is the class of its instances, which also holds the function's own members."""

OPTIONAL: Final = "="
"""What the name of a parameter begins with that need not be given, told where that matters (see `Symbol.takes`)."""
VARIABLE: Final = "..."
"""What the name of a parameter begins with (in `Symbol.params`) that takes any number of arguments."""
PATH: Final = "::"
"""What the id of a `Name` ends in that begins a path (`a::b`): where a language tells it apart from variables."""
UNDERLYING: Final = "<underlying>"
"""A binding of this name in a type is what its instances are made of: a list, a map, a function."""

Kind: TypeAlias = OneValueOf[
    "function", "method", "class", "interface", "enum", "struct", "trait", "union", "annotation", "alias", "namespace",
    "macro", "object", "type",
]  # fmt: skip
TYPE_KINDS: Final = frozenset(
    ("class", "interface", "enum", "struct", "trait", "union", "annotation", "object", "type")
)
"""The kinds of symbol whose instances have members. An `object` is the only instance of its own type; it is no node.

A `type` is one of its own that is made of another: a number, a map, a function.
"""


class Flag:
    """What else is known of a symbol; `Symbol.flags` is their sum. Plain numbers: they are asked for very often."""

    NONE: Final = 0
    STATIC: Final = 1  # a member of the class, called without an instance
    CLASSMETHOD: Final = 2  # gets the class as its first argument
    PROPERTY: Final = 4  # reading it calls it
    ASYNC: Final = 8  # calling it gives something to be awaited
    GENERATOR: Final = 16  # calling it gives something to be iterated; YIELD bindings say of what
    CONTEXT: Final = 32  # calling it gives a context manager over what it yields
    DECLARATION: Final = 64  # has no body here: an overload, a stub, a C prototype, an interface's method
    OVERLOAD: Final = 128
    ABSTRACT: Final = 256
    EXPORTED: Final = 512
    PART: Final = 4096  # holds members of a type that is defined elsewhere, which is its only base


class _Value(msgspec.Struct, frozen=True, array_like=True, gc=False, tag_field="is", tag=True):
    """A value without identity."""


class Name(_Value, frozen=True, tag="n"):
    """A name, looked up where the expression stands."""

    id: str


class Attr(_Value, frozen=True, tag="a"):
    """A member: `base.name`."""

    base: Expr
    name: str


class Call(_Value, frozen=True, tag="c"):
    """What calling gives. Arguments are told as far as they can matter for the result's type."""

    callee: Expr
    args: tuple[Expr | None, ...] = ()


class Construct(_Value, frozen=True, tag="x"):
    """A new instance of a type."""

    type: Expr


class Index(_Value, frozen=True, tag="i"):
    """`base[args]`: an element of a value, or a generic type with its arguments."""

    base: Expr
    args: tuple[Expr | None, ...] = ()


class Item(_Value, frozen=True, tag="t"):
    """The part of a value that a destructuring takes: of a tuple by its place, of an object by its key."""

    base: Expr
    key: int | str


class Element(_Value, frozen=True, tag="e"):
    """What iterating gives."""

    base: Expr


class Enter(_Value, frozen=True, tag="w"):
    """What a context manager gives to its block."""

    base: Expr


class Await(_Value, frozen=True, tag="p"):
    """What awaiting gives."""

    base: Expr


class Within(_Value, frozen=True, tag="b"):
    """An expression that stands at another byte than the one around it: what a function literal or a loop gives."""

    base: Expr
    at: int


class Deref(_Value, frozen=True, tag="d"):
    """What a pointer points to; what is none, is itself."""

    base: Expr


class OneOf(_Value, frozen=True, tag="o"):
    """Any of these: a conditional, `a or b`, a union type. `uncertain`: which of them, is only known when it runs."""

    options: tuple[Expr, ...]
    uncertain: bool = False


class Instance(_Value, frozen=True, tag="y"):
    """A value of the type that a type expression names: an annotation, a cast, a receiver."""

    type: Expr


class Literal(_Value, frozen=True, tag="l"):
    """A value of a type of the language itself: `str`, `list`, `tuple`, `func`."""

    type: str
    args: tuple[Expr | None, ...] = ()


class Import(_Value, frozen=True, tag="m"):
    """A module as an import statement names it, or a name in it."""

    module: str
    name: str | None = None


class Own(_Value, frozen=True, tag="s"):
    """The symbol with this index in the same file."""

    symbol: int


class This(_Value, frozen=True, tag="h"):
    """The instance that a method of the class with this index is called on; `cls` says its class instead."""

    symbol: int
    cls: bool = False


class Super(_Value, frozen=True, tag="u"):
    """The instance of the class with this index, seen as its bases."""

    symbol: int
    cls: bool = False


UNNAMED: Final = "[]"
"""What a type is found by that has no name of its own (a slice); the names of what is in it do without."""
CLAIM: Final = "<is>"
"""A binding of this name in a function is the type that its argument has where it gives true."""
ITSELF: Final = -1
"""A function literal is no argument of a call, but itself what is wanted: it is assigned or returned."""
WHOLE: Final = -1
"""Not a parameter of what is given as argument, but what is wanted there itself."""


class Contextual(_Value, frozen=True, tag="k"):
    """The parameter `param` of a function literal given as argument `arg` to the call of `callee`.

    Where `arg` is ITSELF, `callee` is a value of the function's own type.
    """

    callee: Expr
    arg: int
    param: int
    args: tuple[Expr | None, ...] = ()
    """What else the call is given, which may say what the type parameters of the callee stand for."""


Expr: TypeAlias = Union[  # noqa: UP007 - msgspec resolves the names in it at run time
    Name, Attr, Call, Construct, Deref, Index, Item, Element, Enter, Await, Within, OneOf, Instance, Literal, Import,
    Own, This, Super, Contextual,
]  # fmt: skip


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A definition: `parent` is the index of the symbol around it, or MODULE.

    Lines count from 1, `start` and `end` are bytes. `bases`, `returns` (and, of an alias, what it stands for) are type
    expressions; `params` are the names of the parameters, with the stars or dots of those that take several.
    """

    name: str
    kind: Kind
    parent: int
    line: int
    end_line: int
    start: int
    end: int
    flags: int = 0
    bases: tuple[Expr, ...] = ()
    returns: Expr | None = None
    params: tuple[str, ...] = ()
    type_params: tuple[str, ...] = ()
    decorators: tuple[Expr, ...] = ()
    signature: str = ""
    doc: str = ""
    around: int | None = None
    """The symbol whose code it stands in, where that is not its parent (`this.m = ...` in a method); or MODULE."""
    bounds: tuple[Expr | None, ...] = ()
    """What each of the type parameters is known to be at least."""
    takes: tuple[Expr | None, ...] = ()
    """The types of its parameters, told where a language chooses among functions of a name by them."""


class Binding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name that gets a meaning: variable, parameter, field, import, alias, narrowing.

    It belongs to the scope `owner`; its expressions are evaluated in `scope`. It can be seen from byte `since` on.
    `until` ends the block it stands in: beyond that it may hold (it was in a branch), or, where `scoped`, it does not.
    `type` is a type expression that was declared, `value` what it was bound to.
    """

    name: str
    owner: int
    scope: int
    since: int
    until: int
    value: Expr | None = None
    type: Expr | None = None
    scoped: bool = False


class CallSite(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A call in the code of `scope` (a symbol's index or MODULE) at byte `at`."""

    scope: int
    at: int
    line: int
    callee: Expr
    constructs: bool = False
    args: tuple[Expr | None, ...] = ()
    """What it is given, told where the language chooses among functions of a name by that."""


class ImportSite(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A statement that names a module; `names` are what it takes of it, `None` is the module itself."""

    line: int
    module: str
    names: tuple[str, ...] = ()
    star: bool = False


class Comment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A comment that gives a reason: its tag, what follows it, and the symbol it stands in."""

    tag: str
    text: str
    line: int
    scope: int


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Everything that a file says. `stars` are the modules whose names all become its own."""

    path: str
    language: str
    digest: bytes
    lines: int
    symbols: tuple[Symbol, ...] = ()
    bindings: tuple[Binding, ...] = ()
    calls: tuple[CallSite, ...] = ()
    imports: tuple[ImportSite, ...] = ()
    stars: tuple[str, ...] = ()
    comments: tuple[Comment, ...] = ()
    error_nodes: bool = False
    extra: dict[str, str] = {}
    """What only the language's own rules read (a package clause, a namespace)."""

    def qualname(self, symbol: int) -> str:
        """Return the names of a symbol and of those around it, joined by dots."""
        names = []
        while symbol >= 0:
            if self.symbols[symbol].name != UNNAMED:
                names.append(self.symbols[symbol].name)
            symbol = self.symbols[symbol].parent
        return ".".join(reversed(names))

    def named(self, symbol: int) -> int:
        """Return the innermost symbol that is a node and holds this one (itself, if it is one), or MODULE."""
        if symbol >= 0 and self.symbols[symbol].flags & Flag.PART:
            symbol = self.symbols[symbol].parent
        found = at = symbol
        while at >= 0:
            if not self.symbols[at].name:
                found = self.symbols[at].parent
            at = self.symbols[at].parent
        while found >= 0 and self.symbols[found].kind == "object":
            found = self.symbols[found].parent
        return found

    def node(self, symbol: int) -> str:
        """Return the name of the node in the graph that a symbol is or belongs to, or the file's own for MODULE."""
        symbol = self.named(symbol)
        return f"{self.path}::{self.qualname(symbol)}" if symbol >= 0 else self.path


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(FileFacts)


def pack(facts: FileFacts) -> bytes:
    """Return the compact form of a file's facts."""
    return _ENCODER.encode(facts)


def unpack(data: bytes) -> FileFacts:
    """Return the facts that `pack` made the bytes of; raises msgspec.DecodeError where they are of another version."""
    return _DECODER.decode(data)
