"""Expressions: what the nodes of Go's expressions stand for. What a pointer points to, and its address, are itself."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, text
from memd.codegraph.facts import Attr, Call, Construct, Element, Expr, Index, Instance, Item, Literal, Name
from memd.codegraph.languages.go.types import TYPES, signature_type

MOST_TOLD: Final = 4
"""So many arguments of a call are told: they can say what the type parameters of a function stand for."""
_SIMPLE: Final = 3
"""An argument is told where it is nested no deeper than this."""


def callee(builder: Builder, node: Node) -> Expr | None:
    """Return what a call calls, with the type arguments that it gives."""
    found = builder.expr(node.child_by_field_name("function"))
    given = node.child_by_field_name("type_arguments")
    if found is None or given is None:
        return found
    return Index(found, tuple(builder.expr(one) for one in given.named_children))


def _call(builder: Builder, node: Node) -> Expr | None:
    called = callee(builder, node)
    arguments = node.child_by_field_name("arguments")
    if called is None or arguments is None:
        return None
    given = arguments.named_children
    if isinstance(called, Name) and given:
        match called.id:
            case "new" | "make":
                kind = builder.expr(given[0])
                return Instance(kind) if kind is not None else None
            case "append" | "min" | "max":
                return builder.expr(given[0])
            case _:
                pass
    told = tuple(_told(builder, one) for one in given[:MOST_TOLD])
    return Call(called, told if any(told) else ())


def _told(builder: Builder, node: Node) -> Expr | None:
    found = builder.expr(node)
    return found if found is not None and _depth(found) <= _SIMPLE else None


def _depth(expr: Expr | None) -> int:
    match expr:
        case Attr() | Item() | Element():
            return 1 + _depth(expr.base)
        case Index():
            return 1 + max(_depth(expr.base), *map(_depth, expr.args), 0)
        case Call():
            return 1 + max(_depth(expr.callee), *map(_depth, expr.args), 0)
        case Literal():
            return 1 + max(0, *map(_depth, expr.args), 0)
        case _:
            return 1


def _conversion(builder: Builder, node: Node) -> Expr | None:
    """`[]T(x)`; `f[T](x)` is written the same way, and is a call where f is a function."""
    kind = builder.expr(node.child_by_field_name("type"))
    operand = node.child_by_field_name("operand")
    return Call(kind, (_told(builder, operand) if operand is not None else None,)) if kind is not None else None


def _selector(builder: Builder, node: Node) -> Expr | None:
    base, name = builder.expr(node.child_by_field_name("operand")), node.child_by_field_name("field")
    return Attr(base, text(name)) if base is not None and name is not None else None


def _index(builder: Builder, node: Node) -> Expr | None:
    """`x[i]`, or a generic function with its type argument."""
    base = builder.expr(node.child_by_field_name("operand"))
    index = node.child_by_field_name("index")
    if base is None:
        return None
    argument = builder.expr(index) if index is not None and index.type in _TYPE_ARGUMENTS else None
    return Index(base, (argument,))


def _operand(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.child_by_field_name("operand"))


def _unary(builder: Builder, node: Node) -> Expr | None:
    operator = node.child_by_field_name("operator")
    sign = operator.type if operator is not None else ""
    if sign in ("&", "*"):
        return _operand(builder, node)
    received = _operand(builder, node) if sign == "<-" else None
    return Element(received) if received is not None else None


def _asserted(builder: Builder, node: Node) -> Expr | None:
    kind = builder.expr(node.child_by_field_name("type"))
    return Instance(kind) if kind is not None else None


def _composite(builder: Builder, node: Node) -> Expr | None:
    kind = builder.expr(node.child_by_field_name("type"))
    return Construct(kind) if kind is not None else None


def _first(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.named_child(0))


def _string(_builder: Builder, _node: Node) -> Expr:
    return Instance(Name("string"))


_TYPE_ARGUMENTS: Final = frozenset(
    ("identifier", "selector_expression", "index_expression", "unary_expression", *TYPES)
)

EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    **TYPES,
    "call_expression": _call,
    "type_conversion_expression": _conversion,
    "type_instantiation_expression": lambda builder, node: builder.expr(node.child_by_field_name("type")),
    "selector_expression": _selector,
    "index_expression": _index,
    "slice_expression": _operand,
    "unary_expression": _unary,
    "type_assertion_expression": _asserted,
    "composite_literal": _composite,
    "parenthesized_expression": _first,
    "func_literal": signature_type,
    "interpreted_string_literal": _string,
    "raw_string_literal": _string,
}
