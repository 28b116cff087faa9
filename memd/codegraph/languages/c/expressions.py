"""What a node of a C expression means."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, text
from memd.codegraph.facts import Attr, Call, Deref, Expr, Instance, Item, Name, OneOf
from memd.codegraph.languages.c.declarators import descriptor


def tag(name: str) -> str:
    """Return the name under which C knows a struct: `struct x` and `x` are two things."""
    return f"struct {name}"


def _type_name(builder: Builder, node: Node) -> Expr | None:
    return Name(text(node))


def _record_type(builder: Builder, node: Node) -> Expr | None:
    name = node.child_by_field_name("name")
    return Name(tag(text(name))) if name is not None else None


def _member(builder: Builder, node: Node) -> Expr | None:
    argument = builder.expr(node.child_by_field_name("argument"))
    named = node.child_by_field_name("field")
    if argument is None or named is None:
        return None
    operator = node.child_by_field_name("operator")
    arrow = operator is not None and operator.type == "->"
    return Attr(Deref(argument) if arrow else argument, text(named))


def _call(builder: Builder, node: Node) -> Expr | None:
    callee = builder.expr(node.child_by_field_name("function"))
    return Call(callee) if callee is not None else None


def _pointer(builder: Builder, node: Node) -> Expr | None:
    inner = builder.expr(node.child_by_field_name("argument"))
    if inner is None:
        return None
    return Deref(inner) if node.children[0].type == "*" else inner


def _inner(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.named_child(0))


def _cast(builder: Builder, node: Node) -> Expr | None:
    type_ = descriptor(builder, node.child_by_field_name("type"))
    return Instance(type_) if type_ is not None else None


def _subscript(builder: Builder, node: Node) -> Expr | None:
    inner = builder.expr(node.child_by_field_name("argument"))
    return Item(inner, 0) if inner is not None else None


def _conditional(builder: Builder, node: Node) -> Expr | None:
    found = tuple(
        one for field in ("consequence", "alternative") if (one := builder.expr(node.child_by_field_name(field)))
    )
    return OneOf(found) if found else None


def _right(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.child_by_field_name("right"))


EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    "type_identifier": _type_name,
    "field_identifier": _type_name,
    "struct_specifier": _record_type,
    "union_specifier": _record_type,
    "field_expression": _member,
    "call_expression": _call,
    "pointer_expression": _pointer,
    "parenthesized_expression": _inner,
    "cast_expression": _cast,
    "compound_literal_expression": _cast,
    "subscript_expression": _subscript,
    "conditional_expression": _conditional,
    "assignment_expression": _right,
    "comma_expression": _right,
}
