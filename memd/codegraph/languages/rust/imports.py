"""What a `use` or `extern crate` of Rust brings."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import (
    Attr,
    Expr,
    Import,
)
from memd.codegraph.languages.rust.names import CRATE, SELF, SUPER
from memd.codegraph.languages.rust.types import root


def use(builder: Builder, node: Node) -> None:
    """`use a::{b, c as d, e::*};`."""
    argument = node.child_by_field_name("argument")
    if argument is not None:
        for parts, name, star in _leaves(argument, ()):
            _use(builder, node, parts, name, star=star)


def _leaves(node: Node, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, bool]]:
    """Yield each path that is used, the name that it gets, and whether it stands for all names below."""
    kind = node.type
    if kind == "use_as_clause":
        inner, name = node.child_by_field_name("path"), node.child_by_field_name("alias")
        if inner is not None and name is not None:
            yield (*before, *_parts(inner)), text(name), False
    elif kind == "use_wildcard":
        yield (*before, *(part for child in node.named_children for part in _parts(child))), "", True
    elif kind == "scoped_use_list":
        inner, listed = node.child_by_field_name("path"), node.child_by_field_name("list")
        under = (*before, *_parts(inner)) if inner is not None else before
        for child in listed.named_children if listed is not None else ():
            yield from _leaves(child, under)
    elif kind == "use_list":
        for child in node.named_children:
            yield from _leaves(child, before)
    elif kind == "self" and before:
        yield before, before[-1], False
    elif kind in ("identifier", "scoped_identifier", "crate", "super", "self"):
        parts = (*before, *_parts(node))
        yield parts, parts[-1], False


def _parts(node: Node) -> tuple[str, ...]:
    return tuple(part.strip() for part in text(node).split("::") if part.strip())


def _use(builder: Builder, node: Node, parts: tuple[str, ...], name: str, *, star: bool) -> None:
    if not parts:
        return
    expr = _path_expr(builder, parts)
    inline = builder.enclosing("namespace") is not None
    inside = parts[0] in (SELF, SUPER) and inline
    if not inside:
        builder.imported(node, "::".join(parts), star=star)
    if star:
        if not inside:
            builder.stars.append("::".join(parts))
        return
    if name != "_":
        builder.bind(name, expr, since=node.start_byte)


def _path_expr(builder: Builder, parts: tuple[str, ...]) -> Expr:
    if parts[0] == SUPER:
        count = next((at for at, part in enumerate(parts) if part != SUPER), len(parts))
        expr = root(builder, SUPER)
        if count > 1:
            expr = Import("::".join(parts[:count]))
        parts = parts[count:]
    else:
        # A name that is used under itself means the module or crate, not what is bound here.
        expr = root(builder, parts[0]) if parts[0] in (CRATE, SELF) else Import(parts[0])
        parts = parts[1:]
    for part in parts:
        expr = Attr(expr, part)
    return expr


def crate(builder: Builder, node: Node) -> None:
    """`extern crate a as b;`."""
    name = node.child_by_field_name("name")
    if name is not None:
        given = node.child_by_field_name("alias")
        builder.bind(text(given if given is not None else name), Import(text(name)), since=node.start_byte)
