"""Types: how Java writes them, as type expressions."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import Attr, Expr, Index, Instance, Literal, Name, OneOf
from memd.codegraph.languages.java.names import ARRAY

_PRIMITIVE: Final = frozenset(("integral_type", "floating_point_type", "boolean_type"))
TYPES: Final = _PRIMITIVE | frozenset(
    "type_identifier scoped_type_identifier scoped_identifier generic_type array_type wildcard annotated_type"
    " catch_type type_bound".split()
)
"""The nodes that write types."""


def type_expr(builder: Builder, node: Node | None) -> Expr | None:
    """Return the type expression that a node writes, None for `void`, `?` or `var`: they have no members.

    The parts of a type are asked of the builder, which bounds how deep they are followed.
    """
    if node is None:
        return None
    kind = node.type
    if kind in ("type_identifier", "identifier"):
        word = text(node)
        return Name(word) if word != "var" else None
    if kind in _PRIMITIVE:
        return Literal(text(node))
    if kind == "generic_type":
        return _generic(builder, node)
    if kind in ("scoped_type_identifier", "scoped_identifier"):
        return _scoped(builder, node)
    if kind == "array_type":
        return array_of(builder.expr(node.child_by_field_name("element")), _dimensions(node))
    if kind == "wildcard":
        bounds = [
            child for child in node.named_children if child.type not in ("super", "marker_annotation", "annotation")
        ]
        return builder.expr(bounds[-1]) if bounds else None
    if kind == "annotated_type":
        return builder.expr(node.named_children[-1])
    if kind in ("catch_type", "type_bound"):
        options = tuple(one for one in (builder.expr(child) for child in node.named_children) if one is not None)
        return OneOf(options) if len(options) > 1 else options[0] if options else None
    return None


def array_of(element: Expr | None, dimensions: int = 1) -> Expr | None:
    """Return the type of arrays of a type, so many deep."""
    for _ in range(dimensions):
        element = Literal(ARRAY, (Instance(element) if element is not None else None,))
    return element


def _dimensions(node: Node) -> int:
    return (node.child_by_field_name("dimensions") or node).text.count(b"[")  # type: ignore[union-attr]


def _generic(builder: Builder, node: Node) -> Expr | None:
    base, arguments = node.named_children[0], node.named_children[-1]
    named = builder.expr(base)
    if named is None or not arguments.named_children:
        return named
    return Index(named, tuple(builder.expr(one) for one in arguments.named_children))


def _scoped(builder: Builder, node: Node) -> Expr | None:
    parts = [child for child in node.named_children if child.type not in ("marker_annotation", "annotation")]
    base = builder.expr(parts[0])
    return Attr(base, text(parts[-1])) if base is not None else None
