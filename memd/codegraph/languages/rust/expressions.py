"""What a node of a Rust expression means."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, text
from memd.codegraph.facts import Attr, Await, Call, Construct, Deref, Expr, Index, Instance, Literal, OneOf, Within
from memd.codegraph.languages.rust.names import TUPLE
from memd.codegraph.languages.rust.types import TYPES

_MOST_ARMS: Final = 8


def callee_of(builder: Builder, node: Node) -> Expr | None:
    """Return what is called: of `x.f()` the method, never a field."""
    if node.type == "generic_function":
        inner = node.child_by_field_name("function")
        return (
            callee_of(builder, inner) if inner is not None and inner.type == "field_expression" else builder.expr(node)
        )
    if node.type == "field_expression":
        base = builder.expr(node.child_by_field_name("value"))
        name = node.child_by_field_name("field")
        return Attr(base, text(name)) if base is not None and name is not None else None
    return builder.expr(node)


def _call(builder: Builder, node: Node) -> Expr | None:
    callee_node = node.child_by_field_name("function")
    callee = callee_of(builder, callee_node) if callee_node is not None else None
    given = node.child_by_field_name("arguments")
    args = tuple(builder.expr(one) for one in given.named_children[:4]) if given is not None else ()
    if callee is None:
        return None
    # `E::A(x)` makes an E, as `E::A` alone is one.
    return OneOf((Call(callee, args), callee)) if is_variant(callee) else Call(callee, args)


def is_variant(callee: Expr) -> bool:
    """Tell whether what is called is written like the variant of an enum."""
    return isinstance(callee, Attr) and callee.name[:1].isupper()


def _field_access(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("value"))
    name = node.child_by_field_name("field")
    return Attr(base, f".{text(name)}") if base is not None and name is not None else None


def _inner(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.child_by_field_name("value") or node.named_child(node.named_child_count - 1))


def _try(builder: Builder, node: Node) -> Expr | None:
    inner = builder.expr(node.named_child(0))
    return Deref(inner) if inner is not None else None


def _await(builder: Builder, node: Node) -> Expr | None:
    inner = builder.expr(node.named_child(0))
    return Await(inner) if inner is not None else None


def _index(builder: Builder, node: Node) -> Expr | None:
    inner = builder.expr(node.named_child(0))
    return Index(inner, (None,)) if inner is not None else None


def _struct(builder: Builder, node: Node) -> Expr | None:
    type_ = builder.expr(node.child_by_field_name("name"))
    if type_ is None:
        return None
    # `E::A { .. }` makes an E.
    return OneOf((Construct(type_), Call(type_))) if isinstance(type_, Attr) else Construct(type_)


def _cast(builder: Builder, node: Node) -> Expr | None:
    type_ = builder.expr(node.child_by_field_name("type"))
    return Instance(type_) if type_ is not None else None


def _closure(builder: Builder, node: Node) -> Expr | None:
    body = node.child_by_field_name("body")
    result = builder.expr(body)
    at = body.start_byte if body is not None else node.start_byte
    return Literal("function", (Within(result, at) if result is not None else None,))


def _tuple(builder: Builder, node: Node) -> Expr | None:
    return Literal(TUPLE, tuple(builder.expr(one) for one in node.named_children))


def _block(builder: Builder, node: Node) -> Expr | None:
    last = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    if last is None or last.type in ("let_declaration", "expression_statement") or last.type.endswith("_item"):
        return None
    found = builder.expr(last)
    return Within(found, last.start_byte) if found is not None else None


def _if(builder: Builder, node: Node) -> Expr | None:
    return _one_of(builder, (node.child_by_field_name("consequence"), node.child_by_field_name("alternative")))


def _else(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.named_child(0))


def _match(builder: Builder, node: Node) -> Expr | None:
    body = node.child_by_field_name("body")
    arms = [one for one in body.named_children if one.type == "match_arm"] if body is not None else []
    values = [one.child_by_field_name("value") for one in arms[:_MOST_ARMS]]
    found = [
        Within(value, at.start_byte) for at in values if at is not None and (value := builder.expr(at)) is not None
    ]
    return OneOf(tuple(found)) if found else None


def _one_of(builder: Builder, nodes: tuple[Node | None, ...]) -> Expr | None:
    found = tuple(value for one in nodes if (value := builder.expr(one)) is not None)
    return OneOf(found) if found else None


def _string(builder: Builder, node: Node) -> Expr | None:
    return Literal("str")


EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    **TYPES,
    "call_expression": _call,
    "field_expression": _field_access,
    "reference_expression": _inner,
    "unary_expression": _inner,
    "parenthesized_expression": _inner,
    "try_expression": _try,
    "await_expression": _await,
    "index_expression": _index,
    "struct_expression": _struct,
    "type_cast_expression": _cast,
    "closure_expression": _closure,
    "tuple_expression": _tuple,
    "block": _block,
    "unsafe_block": _inner,
    "if_expression": _if,
    "else_clause": _else,
    "match_expression": _match,
    "string_literal": _string,
    "raw_string_literal": _string,
}
