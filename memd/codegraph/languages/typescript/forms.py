"""Forms: how expressions and types are told that are written in several ways."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from memd.codegraph.builder import text
from memd.codegraph.facts import Expr, Import, Index, Instance, Literal, Name, OneOf
from memd.codegraph.languages.typescript.words import EXPORTED


def type_params(node: Node) -> tuple[str, ...]:
    """Return the names of the type parameters that a definition has."""
    found = node.child_by_field_name("type_parameters")
    if found is None:
        return ()
    names = (child.child_by_field_name("name") for child in found.named_children)
    return tuple(text(name) for name in names if name is not None)


def with_arguments(base: Expr | None, args: tuple[Expr | None, ...]) -> Expr | None:
    """Return a generic type or function with its arguments."""
    return Index(base, args) if base is not None and args else base


def held(expr: Expr | None) -> Expr | None:
    """Return the instance of a type, for where a value stands."""
    return Instance(expr) if expr is not None else None


def type_of(expr: Expr | None) -> Expr | None:
    """Return the type of a value (`typeof x`), for where a type stands."""
    return Literal("typeof", (expr,)) if expr is not None else None


def one_of(options: list[Expr | None]) -> Expr | None:
    """Return the expression for any of some."""
    known = tuple(dict.fromkeys(option for option in options if option is not None))
    if len(known) < 2:
        return known[0] if known else None
    return OneOf(known)


def whole(module: str) -> Expr:
    """Return what `require` gives: what a module says that it is, and what it gives names to."""
    return OneOf((Import(module, EXPORTED), Import(module)))


def replaced(expr: Expr | None, known: Mapping[str, Expr | None]) -> Expr | None:
    """Return a type expression with some names in it replaced by what they are at least."""
    match expr:
        case Name():
            return known.get(expr.id, expr)
        case Index():
            base = replaced(expr.base, known)
            return Index(base, tuple(replaced(one, known) for one in expr.args)) if base is not None else None
        case Literal():
            return Literal(expr.type, tuple(replaced(one, known) for one in expr.args))
        case Instance():
            return held(replaced(expr.type, known))
        case OneOf():
            return one_of([replaced(one, known) for one in expr.options])
        case _:
            return expr


def key_of(node: Node | None) -> str | None:
    """Return the name of a member as its key is written, None where it is computed."""
    if node is None or node.type == "computed_property_name":
        return None
    words = text(node)
    return words.strip("\"'`") if node.type == "string" else words
