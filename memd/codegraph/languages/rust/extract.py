"""What the nodes of a Rust file mean: what its code does, and which handler reads what."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, Handler
from memd.codegraph.facts import (
    Contextual,
    Element,
    Expr,
    Index,
    Instance,
    OneOf,
    Within,
)
from memd.codegraph.languages.rust.conditionals import laid_open
from memd.codegraph.languages.rust.definitions import (
    alias,
    associated,
    constant,
    enum,
    function,
    impl,
    mod,
    struct,
    trait,
)
from memd.codegraph.languages.rust.expressions import EXPRESSIONS, callee_of, is_variant
from memd.codegraph.languages.rust.imports import crate, use
from memd.codegraph.languages.rust.patterns import names_in, places


def let(builder: Builder, node: Node) -> None:
    """`let x = y;`, `if let Some(x) = y`, `while let`."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None:
        return
    type_ = builder.expr(node.child_by_field_name("type"))
    value = builder.expr(node.child_by_field_name("value"))
    if type_ is not None:
        value = OneOf((Instance(type_), value)) if value is not None and _is_open(type_) else Instance(type_)
    until = None
    if node.type == "let_condition":
        around = node.parent
        while around is not None and around.type in ("let_chain", "parenthesized_expression", "binary_expression"):
            around = around.parent
        until = around.end_byte if around is not None else None
    for name, found in names_in(builder, pattern, value):
        builder.bind(name, found, since=node.end_byte, until=until, scoped=True)


def _is_open(type_: Expr) -> bool:
    """Tell whether a type leaves something to be inferred (`Vec<_>`)."""
    return isinstance(type_, Index) and None in type_.args


def arm(builder: Builder, node: Node) -> None:
    """`pattern => value`."""
    pattern = node.child_by_field_name("pattern")
    body = node.parent
    around = body.parent if body is not None else None
    if pattern is None or around is None:
        return
    matched = builder.expr(around.child_by_field_name("value"))
    for name, value in names_in(builder, pattern, matched):
        builder.bind(name, value, since=pattern.start_byte, until=node.end_byte, scoped=True)


def for_(builder: Builder, node: Node) -> None:
    """`for x in y`."""
    pattern, value = node.child_by_field_name("pattern"), builder.expr(node.child_by_field_name("value"))
    body = node.child_by_field_name("body")
    if pattern is not None and body is not None:
        for name, found in names_in(builder, pattern, Element(value) if value is not None else None):
            builder.bind(name, found, since=body.start_byte, until=node.end_byte, scoped=True)


def closure(builder: Builder, node: Node) -> None:
    """A closure is no symbol: its parameters are what it is called with."""
    parameters = node.child_by_field_name("parameters")
    arguments = node.parent
    call_node = arguments.parent if arguments is not None and arguments.type == "arguments" else None
    called = call_node.child_by_field_name("function") if call_node is not None else None
    callee = callee_of(builder, called) if called is not None else None
    position = arguments.named_children.index(node) if call_node is not None and arguments is not None else 0
    for place, child in places(parameters) if parameters is not None else ():
        pattern: Node = child
        value: Expr | None = (
            Within(Contextual(callee, position, place), node.start_byte) if callee is not None else None
        )
        if child.type == "parameter":
            inner = child.child_by_field_name("pattern")
            type_ = builder.expr(child.child_by_field_name("type"))
            if inner is None:
                continue
            pattern, value = inner, Instance(type_) if type_ is not None else value
        for name, found in names_in(builder, pattern, value):
            builder.bind(name, found, since=node.start_byte, until=node.end_byte, scoped=True)


def call(builder: Builder, node: Node) -> None:
    """A call."""
    callee = node.child_by_field_name("function")
    found = callee_of(builder, callee) if callee is not None else None
    if found is not None and not is_variant(found):  # the variant of an enum is made, not called
        builder.call(node, found)


def block(builder: Builder, node: Node) -> None:
    """What is bound in a block ends with it."""
    builder.block(node.end_byte)


prepare = laid_open

__all__ = ["EXPRESSIONS", "HANDLERS", "prepare"]

HANDLERS: Final[dict[str, Handler]] = {
    "mod": mod,
    "impl": impl,
    "trait": trait,
    "struct": struct,
    "enum": enum,
    "function": function,
    "alias": alias,
    "associated": associated,
    "constant": constant,
    "use": use,
    "crate": crate,
    "block": block,
    "let": let,
    "arm": arm,
    "for": for_,
    "closure": closure,
    "call": call,
}
