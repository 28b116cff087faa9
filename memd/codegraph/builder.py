"""Builder: takes what a language's handlers find in a syntax tree and makes `FileFacts` of it.

The driver (`parse.py`) hands captured nodes over in the order of the source, outer ones first. A handler opens symbols,
binds names and notes calls; the builder knows which symbol and which block it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from tree_sitter import Node

from memd.codegraph.facts import (
    MODULE,
    Binding,
    CallSite,
    Comment,
    Expr,
    FileFacts,
    ImportSite,
    Kind,
    Name,
    Own,
    Symbol,
)

Handler: TypeAlias = Callable[["Builder", Node], None]
ExprHandler: TypeAlias = Callable[["Builder", Node], Expr | None]

# An expression nested deeper than this carries no type that anybody could follow.
DEEPEST: Final = 60
LONGEST_SIGNATURE: Final = 200
LONGEST_DOC: Final = 200


class Builder:
    """Gathers the facts of one file."""

    def __init__(self, source: bytes, expressions: Mapping[str, ExprHandler], root: Node) -> None:
        self.source = source
        end = root.end_byte + 1
        self._root = root.id
        self.symbols: list[Symbol] = []
        self.bindings: list[Binding] = []
        self.calls: list[CallSite] = []
        self.imports: list[ImportSite] = []
        self.stars: list[str] = []
        self.comments: list[Comment] = []
        self.extra: dict[str, str] = {}
        self.scope = MODULE
        """The symbol that the current node stands in."""
        self.state: object = None
        """What a language's handlers keep of the file while it is read."""
        self._expressions = expressions
        self._scopes: list[tuple[int, int]] = [(MODULE, end)]
        self._blocks: list[int] = [end]
        self._flags: list[int] = []
        self._memo: dict[int, Expr | None] = {}
        self._depth = 0

    # --- where we are -------------------------------------------------------------------------------------------

    def reach(self, at: int) -> None:
        """Leave the symbols and blocks that end at or before a byte."""
        blocks = self._blocks
        while len(blocks) > 1 and blocks[-1] <= at:
            blocks.pop()
        scopes = self._scopes
        while len(scopes) > 1 and scopes[-1][1] <= at:
            scopes.pop()
        self.scope = scopes[-1][0]

    def is_whole(self, node: Node) -> bool:
        """Tell whether a node is the whole file. Asking for its parent takes the longer the more there is of it."""
        return node.id == self._root

    def block(self, end: int) -> None:
        """Enter a block that ends at a byte: what is bound in it holds for certain only up to there."""
        self._blocks.append(end)

    @property
    def block_end(self) -> int:
        """The end of the innermost block."""
        return self._blocks[-1]

    def enclosing(self, *kinds: str) -> int | None:
        """Return the innermost symbol around here of one of these kinds, or None."""
        scope = self.scope
        while scope >= 0:
            symbol = self.symbols[scope]
            if symbol.kind in kinds:
                return scope
            scope = symbol.parent
        return None

    # --- what is found ------------------------------------------------------------------------------------------

    def open(
        self,
        name: str,
        kind: Kind,
        node: Node,
        *,
        parent: int | None = None,
        enter: bool = True,
        bound: bool = True,
        flags: int = 0,
        **more: Any,
    ) -> int:
        """Add a symbol that spans a node and return its index; what follows inside of the node belongs to it.

        `parent` is given where the symbol belongs to another one than it stands in; `more` are fields of `Symbol`.
        Its name is bound where it belongs, unless `bound` is False: it is a member, or a name in the code around it.
        """
        index = len(self.symbols)
        start, end = node.start_byte, node.end_byte
        self.symbols.append(
            Symbol(
                name,
                kind,
                self.scope if parent is None else parent,
                node.start_point[0] + 1,
                node.end_point[0] + 1,
                start,
                end,
                **more,
            )
        )
        self._flags.append(flags)
        if bound:
            self.bind(name, Own(index), since=start, owner=self.scope if parent is None else parent)
        if enter:
            self.enter(index)
        return index

    def add(self, name: str, kind: Kind, *, parent: int, line: int, start: int, end: int) -> int:
        """Add a symbol that no node defines as a whole, and return its index."""
        index = len(self.symbols)
        self.symbols.append(Symbol(name, kind, parent, line, line, start, end))
        self._flags.append(0)
        return index

    def enter(self, symbol: int) -> None:
        """Go into a symbol that was opened before: what follows inside of its node belongs to it."""
        end = self.symbols[symbol].end
        self._scopes.append((symbol, end))
        self._blocks.append(end)
        self.scope = symbol

    def change(self, symbol: int, **fields: Any) -> None:
        """Set fields of a symbol that was opened before its head was read."""
        self.symbols[symbol] = msgspec.structs.replace(self.symbols[symbol], **fields)

    def unflag(self, symbol: int, flags: int) -> None:
        """Take flags from a symbol."""
        self._flags[symbol] &= ~flags

    def flag(self, symbol: int, flags: int) -> None:
        """Add flags to a symbol."""
        self._flags[symbol] |= flags

    def flags(self, symbol: int) -> int:
        """Return the flags that a symbol has so far."""
        return self._flags[symbol]

    def bind(
        self,
        name: str,
        value: Expr | None = None,
        type: Expr | None = None,
        *,
        since: int,
        until: int | None = None,
        owner: int | None = None,
        scope: int | None = None,
        scoped: bool = False,
    ) -> None:
        """Give a name a meaning from byte `since` on; see `Binding`."""
        self.bindings.append(
            Binding(
                name,
                self.scope if owner is None else owner,
                self.scope if scope is None else scope,
                since,
                self._blocks[-1] if until is None else until,
                value,
                type,
                scoped,
            )
        )

    def call(
        self,
        node: Node,
        callee: Expr | None,
        *,
        constructs: bool = False,
        scope: int | None = None,
        args: tuple[Expr | None, ...] = (),
    ) -> None:
        """Note a call. A callee that cannot be told (None) is one that nobody could resolve: nothing is noted."""
        if callee is not None:
            at = node.start_byte
            where = self.scope if scope is None else scope
            self.calls.append(CallSite(where, at, node.start_point[0] + 1, callee, constructs, args))

    def imported(self, node: Node, module: str, names: Sequence[str] = (), *, star: bool = False) -> None:
        """Note a statement that names a module."""
        self.imports.append(ImportSite(node.start_point[0] + 1, module, tuple(names), star))

    # --- expressions --------------------------------------------------------------------------------------------

    def expr(self, node: Node | None) -> Expr | None:
        """Return what a node of an expression means, or None where it can carry no type."""
        if node is None:
            return None
        kind = node.type
        if kind == "identifier":
            return Name(text(node))
        handler = self._expressions.get(kind)
        if handler is None:
            return None
        key = node.id
        memo = self._memo
        if key in memo:
            return memo[key]
        if self._depth > DEEPEST:
            return None
        self._depth += 1
        found = memo[key] = handler(self, node)
        self._depth -= 1
        return found

    def facts(self, path: str, language: str, digest: bytes, *, error_nodes: bool) -> FileFacts:
        """Return what was gathered."""
        symbols = tuple(
            symbol if not flags else msgspec.structs.replace(symbol, flags=int(flags))
            for symbol, flags in zip(self.symbols, self._flags, strict=True)
        )
        return FileFacts(
            path,
            language,
            digest,
            self.source.count(b"\n") + (not self.source.endswith(b"\n") and bool(self.source)),
            symbols,
            tuple(self.bindings),
            tuple(self.calls),
            tuple(self.imports),
            tuple(self.stars),
            tuple(self.comments),
            error_nodes,
            self.extra,
        )


def text(node: Node) -> str:
    """Return the source of a node."""
    found = node.text
    return found.decode("utf-8", "replace") if found is not None else ""


def first(node: Node) -> Node | None:
    """Return the first named child of a node, None where it has none."""
    children = node.named_children
    return children[0] if children else None


def one_line(words: str, limit: int) -> str:
    """Return words on one line, cut to a limit of characters."""
    return " ".join(words.split())[:limit]


def has(flags: int, flag: int) -> bool:
    """Tell whether a sum of flags has one."""
    return bool(flags & flag)
