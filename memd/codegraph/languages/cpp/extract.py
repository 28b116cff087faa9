"""What the nodes of a C++ file mean, beyond what they mean in C: its code, and which handler reads what."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, Handler, text
from memd.codegraph.facts import (
    MODULE,
    RETURN,
    Element,
    Expr,
    Item,
    Literal,
    Name,
)
from memd.codegraph.languages.c import extract as c
from memd.codegraph.languages.c.declarators import declared, descriptor, parameters, typed
from memd.codegraph.languages.cpp.definitions import (
    alias,
    declaration,
    field,
    file,
    function,
    namespace_alias,
    record,
    typedef,
    using,
)
from memd.codegraph.languages.cpp.expressions import EXPRESSIONS, given, is_cast
from memd.codegraph.languages.cpp.scopes import scope_parts

prepare = c.prepare
reread = c.reread
REPAIRS: Final = c.REPAIRS


def lambda_(builder: Builder, node: Node) -> None:
    """A lambda is no symbol; its parameters hide names in it."""
    declarator = node.child_by_field_name("declarator")
    for name, type_node, what, _ in parameters(declarator):
        if name and what is not None:
            auto = type_node is not None and type_node.type == "placeholder_type_specifier"
            type_ = None if auto else typed(builder, type_node, what)
            builder.bind(name, Literal("variable"), type_, since=node.start_byte, until=node.end_byte, scoped=True)


def range_(builder: Builder, node: Node) -> None:
    """`for (auto& x : y)`."""
    declarator = node.child_by_field_name("declarator")
    if declarator is None:
        return
    what = declared(declarator)
    type_node = node.child_by_field_name("type")
    right = builder.expr(node.child_by_field_name("right"))
    value: Expr | None = Element(right) if right is not None else None
    if what.name is None:
        return
    if what.name.type == "structured_binding_declarator":
        for place, child in enumerate(what.name.named_children):
            part: Expr = Item(value, place) if value is not None else Literal("variable")
            builder.bind(text(child), part, since=node.start_byte, until=node.end_byte, scoped=True)
        return
    auto = type_node is not None and type_node.type == "placeholder_type_specifier"
    builder.bind(
        text(what.name),
        value or Literal("variable"),
        None if auto else typed(builder, type_node, what),
        since=node.start_byte,
        until=node.end_byte,
        scoped=True,
    )


def catch(builder: Builder, node: Node) -> None:
    """`catch (const E& e)`."""
    for name, type_node, what, _ in parameters(node):
        if name and what is not None:
            builder.bind(
                name, None, typed(builder, type_node, what), since=node.start_byte, until=node.end_byte, scoped=True
            )


def initializer(builder: Builder, node: Node) -> None:
    """`: Base(x)` in a constructor constructs the base; of a member's type nothing is said here."""
    named = node.named_children[0] if node.named_children else None
    if named is not None:
        callee = Name(text(named)) if named.type == "field_identifier" else builder.expr(named)
        builder.call(node, callee, constructs=True)


def call(builder: Builder, node: Node) -> None:
    """A call; a cast is none."""
    callee = node.child_by_field_name("function")
    if callee is None or is_cast(callee):
        return
    # `X::~X() = default;` outside of the class reads like a call.
    if builder.scope != MODULE or scope_parts(callee)[1].type != "destructor_name":
        builder.call(node, builder.expr(callee), args=given(builder, node))


def new(builder: Builder, node: Node) -> None:
    """`new T(x)`."""
    type_ = builder.expr(node.child_by_field_name("type"))
    builder.call(node, type_, constructs=True)


def construct(builder: Builder, node: Node) -> None:
    """`T{x}`."""
    type_ = descriptor(builder, node.child_by_field_name("type"))
    builder.call(node, type_, constructs=True)


def return_(builder: Builder, node: Node) -> None:
    """`return x`: what a function gives whose type is `auto`."""
    scope = builder.scope
    if scope >= 0 and builder.symbols[scope].returns is None and node.named_children:
        value = builder.expr(node.named_children[0])
        if value is not None:
            builder.bind(RETURN, value, since=node.start_byte, until=node.start_byte)


__all__ = ["EXPRESSIONS", "HANDLERS", "REPAIRS", "prepare", "reread"]

HANDLERS: Final[dict[str, Handler]] = {
    "file": file,
    "record": record,
    "function": function,
    "typedef": typedef,
    "alias": alias,
    "namespace_alias": namespace_alias,
    "using": using,
    "declaration": declaration,
    "field": field,
    "macro": c.macro,
    "lambda": lambda_,
    "range": range_,
    "catch": catch,
    "block": c.block,
    "initializer": initializer,
    "return": return_,
    "call": call,
    "new": new,
    "construct": construct,
}
