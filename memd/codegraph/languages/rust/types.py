"""Types and paths: what a node means where Rust expects a type or the name of something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, text
from memd.codegraph.facts import MODULE, PATH, Attr, Expr, Import, Index, Instance, Literal, Name, Own
from memd.codegraph.languages.rust.names import CRATE, SELF, SLICE, TUPLE

_FUNCTIONS: Final = frozenset(("Fn", "FnMut", "FnOnce"))
_NOT_ARGUMENTS: Final = frozenset(("lifetime", "block", "integer_literal", "line_comment", "block_comment"))


def root(builder: Builder, word: str) -> Expr:
    """Return what `crate`, `self` or `super` means in the module around here, which may stand inside of the file."""
    if word == CRATE:
        return Import(CRATE)
    around = builder.enclosing("namespace")
    if around is None:
        return Import(word)
    if word == SELF:
        return Own(around)
    outer = builder.symbols[around].parent
    return Own(outer) if outer != MODULE else Import(SELF)


def path(builder: Builder, node: Node) -> Expr | None:
    """`a::b`, `<A as B>::c`, `crate::a`."""
    head = node.child_by_field_name("path")
    name = node.child_by_field_name("name")
    if name is None:
        return None
    if head is None:
        return builder.expr(name)
    base = _head(builder, head)
    return Attr(base, text(name)) if base is not None else None


def _head(builder: Builder, node: Node) -> Expr | None:
    """Return what a path begins with: no variable, whatever that is called, and `self` is the module around here."""
    if node.type == "self":
        return root(builder, SELF)
    if node.type == "identifier" and text(node)[:1].islower():
        return Name(text(node) + PATH)
    return builder.expr(node)


def _root(builder: Builder, node: Node) -> Expr | None:
    return root(builder, text(node))


def _name(builder: Builder, node: Node) -> Expr | None:
    return Name(text(node))


def _generic(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("type") or node.child_by_field_name("function"))
    listed = node.child_by_field_name("type_arguments")
    if base is None or listed is None:
        return base
    return Index(
        base, tuple(_argument(builder, one) for one in listed.named_children if one.type not in _NOT_ARGUMENTS)
    )


def _argument(builder: Builder, node: Node) -> Expr | None:
    # `Item = T` gives the type that an iterator is of.
    return builder.expr(node.child_by_field_name("type") if node.type == "type_binding" else node)


def _inner_type(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.child_by_field_name("type") or node.child_by_field_name("trait"))


def _first(builder: Builder, node: Node) -> Expr | None:
    return next((found for one in node.named_children if (found := builder.expr(one)) is not None), None)


def _tuple_type(builder: Builder, node: Node) -> Expr | None:
    return Index(Import(TUPLE), tuple(builder.expr(one) for one in node.named_children))


def _array_type(builder: Builder, node: Node) -> Expr | None:
    return Index(Import(SLICE), (builder.expr(node.child_by_field_name("element")),))


def _outside(builder: Builder, node: Node) -> Expr | None:
    return Import(text(node))


def _function_type(builder: Builder, node: Node) -> Expr | None:
    """`Fn(A) -> B`, `fn(A) -> B`; what looks like it but is another trait has no such meaning."""
    trait = node.child_by_field_name("trait")
    if trait is not None and text(trait) not in _FUNCTIONS:
        return None
    listed = node.child_by_field_name("parameters")
    given = [_as_value(builder, one) for one in listed.named_children] if listed is not None else []
    return Literal("Callable", (*given, _as_value(builder, node.child_by_field_name("return_type"))))


def _as_value(builder: Builder, node: Node | None) -> Expr | None:
    type_ = builder.expr(node.child_by_field_name("type") if node is not None and node.type == "parameter" else node)
    return Instance(type_) if type_ is not None else None


def bounds(builder: Builder, node: Node | None) -> Iterator[Expr]:
    """Yield the traits of `T: A + B`."""
    for child in node.named_children if node is not None else ():
        if child.type not in ("lifetime", "removed_trait_bound"):
            found = builder.expr(child)
            if found is not None:
                yield found


def type_parameters(builder: Builder, node: Node) -> tuple[tuple[str, ...], dict[str, list[Expr]]]:
    """Return the names of a definition's type parameters without bounds, and those that have bounds with these."""
    bounded: dict[str, list[Expr]] = {}
    names: list[str] = []
    listed = node.child_by_field_name("type_parameters")
    for child in listed.named_children if listed is not None else ():
        name = child.child_by_field_name("name")
        if child.type == "type_parameter" and name is not None:
            names.append(text(name))
            bounded.setdefault(text(name), []).extend(bounds(builder, child.child_by_field_name("bounds")))
    for child in node.named_children:
        if child.type == "where_clause":
            for one in child.named_children:
                left = one.child_by_field_name("left")
                if left is not None and text(left) in bounded:
                    bounded[text(left)].extend(bounds(builder, one.child_by_field_name("bounds")))
    return tuple(name for name in names if not bounded[name]), {name: found for name, found in bounded.items() if found}


TYPES: Final[dict[str, ExprHandler]] = {
    "type_identifier": _name,
    "field_identifier": _name,
    "crate": _root,
    "self": _name,
    "super": _root,
    "scoped_identifier": path,
    "scoped_type_identifier": path,
    "generic_type": _generic,
    "generic_function": _generic,
    "generic_type_with_turbofish": _generic,
    "reference_type": _inner_type,
    "pointer_type": _inner_type,
    "dynamic_type": _inner_type,
    "abstract_type": _inner_type,
    "qualified_type": _inner_type,
    "bracketed_type": _first,
    "bounded_type": _first,
    "higher_ranked_trait_bound": _inner_type,
    "tuple_type": _tuple_type,
    "array_type": _array_type,
    "primitive_type": _outside,
    "function_type": _function_type,
}
