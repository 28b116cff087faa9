"""Patterns: the names that a pattern binds, and what each of them is a part of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import Attr, Deref, Element, Expr, Instance, Item, Literal, OneOf

UNKNOWN: Final = Literal("variable")
_WRAPS: Final = frozenset(("Some", "Ok"))
# What these hold is matched with the same value: `x @ y`, `a | b`, `&x`, `ref x`.
_THROUGH: Final = frozenset(
    ("captured_pattern", "or_pattern", "ref_pattern", "mut_pattern", "reference_pattern", "match_pattern")
)


def names_in(builder: Builder, node: Node, value: Expr | None) -> Iterator[tuple[str, Expr]]:
    """Yield each name that a pattern binds with what it then is; `value` is what the pattern is matched with."""
    kind = node.type
    if kind in ("identifier", "shorthand_field_identifier"):
        yield text(node), value or UNKNOWN
    elif kind == "tuple_struct_pattern":
        yield from _tuple_struct(builder, node, value)
    elif kind == "struct_pattern":
        yield from _struct(builder, node, value)
    elif kind in ("tuple_pattern", "slice_pattern"):
        for place, child in places(node):
            part: Expr | None = None
            if value is not None:
                part = Item(value, place) if kind == "tuple_pattern" else Element(value)
            yield from names_in(builder, child, part)
    elif kind in _THROUGH:
        guard = node.child_by_field_name("condition")
        for child in node.named_children:
            if child != guard:
                yield from names_in(builder, child, value)


def places(listed: Node) -> Iterator[tuple[int, Node]]:
    """Yield what a list holds with its place in it; a `_` has one too, and is no node of its own."""
    place = 0
    for child in listed.children:
        if child.type == ",":
            place += 1
        elif child.is_named:
            yield place, child


def _tuple_struct(builder: Builder, node: Node, value: Expr | None) -> Iterator[tuple[str, Expr]]:
    type_ = node.child_by_field_name("type")
    named = text(type_) if type_ is not None else ""
    for place, child in places(node):
        part: Expr | None
        if child == type_:
            continue
        if named in _WRAPS:
            part = Deref(value) if value is not None else None
        elif named == "Err":
            part = Item(value, 1) if value is not None else None
        else:
            part = member_of(builder, type_, str(place), value)
        yield from names_in(builder, child, part)


def _struct(builder: Builder, node: Node, value: Expr | None) -> Iterator[tuple[str, Expr]]:
    type_ = node.child_by_field_name("type")
    for child in node.named_children:
        if child.type != "field_pattern":
            continue
        name = child.child_by_field_name("name")
        pattern = child.child_by_field_name("pattern")
        if name is None:
            continue
        part = member_of(builder, type_, text(name), value)
        yield from names_in(builder, pattern if pattern is not None else name, part)


def member_of(builder: Builder, type_: Node | None, field: str, value: Expr | None) -> Expr | None:
    """Return the field of a struct, or of the variant of an enum, that a path names.

    Both are known to the type; what is matched may know its arguments besides.
    """
    whole = builder.expr(type_) if type_ is not None else None
    if whole is None:
        return None
    if isinstance(whole, Attr) and whole.name[:1].isupper() and _is_type(whole.base):
        name = f"{whole.name}.{field}"
        declared: Expr = Attr(whole.base, name)
    else:
        name = f".{field}"
        declared = Attr(Instance(whole), name)
    return OneOf((Attr(value, name), declared)) if value is not None else declared


def _is_type(base: Expr) -> bool:
    name = getattr(base, "id", None) or getattr(base, "name", None)
    return isinstance(name, str) and name[:1].isupper()
