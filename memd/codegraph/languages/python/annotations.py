"""Annotations: type expressions, also those in quotes."""

from __future__ import annotations

import ast
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, first, text
from memd.codegraph.facts import Attr, Expr, Index, Literal, Name, OneOf
from memd.codegraph.languages.python.nodes import unquoted

LONGEST: Final = 500


def annotation(builder: Builder, node: Node | None) -> Expr | None:
    """Return the type expression of an annotation, None where there is none or it says nothing that can be followed."""
    if node is None:
        return None
    kind = node.type
    if kind == "type":
        return annotation(builder, first(node))
    if kind == "string":
        return quoted(builder, node)
    if kind in ("generic_type", "subscript", "binary_operator", "union_type", "list", "tuple"):
        # These may hold quoted parts; Python's own parser reads them all the same way.
        return parsed(text(node))
    return builder.expr(node)


def quoted(builder: Builder, node: Node) -> Expr | None:
    """Return the type expression that a string literal holds."""
    words = unquoted(text(node))
    if words.isidentifier():
        return Name(words)
    return parsed(words)


def parsed(words: str) -> Expr | None:
    """Return the type expression that is written in some text, None where it is none."""
    if len(words) > LONGEST:
        return None
    try:
        tree = ast.parse(words.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return _converted(tree)


def _converted(tree: ast.expr) -> Expr | None:
    match tree:
        case ast.Name():
            return Name(tree.id)
        case ast.Attribute():
            base = _converted(tree.value)
            return Attr(base, tree.attr) if base is not None else None
        case ast.Subscript():
            base = _converted(tree.value)
            given = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
            return Index(base, tuple(_converted(one) for one in given)) if base is not None else None
        case ast.BinOp(op=ast.BitOr()):
            options = tuple(one for one in (_converted(tree.left), _converted(tree.right)) if one is not None)
            return OneOf(options) if options else None
        case ast.Constant(value=str() as words):
            return parsed(words)
        case ast.Constant(value=None):
            return Literal("None")
        case ast.Constant() if tree.value is ...:
            return Literal("...")
        case ast.List() | ast.Tuple():
            return Literal("list", tuple(_converted(one) for one in tree.elts))
        case _:
            return None
