"""Nodes: what several handlers of Python ask of a node or an expression."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from memd.codegraph.facts import Attr, Call, Expr, Name, OneOf

_STRING: Final = re.compile(r"[A-Za-z]{0,2}(\"\"\"|'''|\"|')(.*?)\1", re.DOTALL)


def field(node: Node, name: str) -> Node:
    """Return the part of a node that a field names; the node itself where an error of syntax left it out."""
    found = node.child_by_field_name(name)
    return found if found is not None else node


def unquoted(words: str) -> str:
    """Return what a string literal says, less its prefix and quotes."""
    found = _STRING.fullmatch(words)
    return found[2] if found is not None else words


def last_word(expr: Expr) -> str:
    """Return the last name of a chain, of a call that of what is called; empty where it has none."""
    if isinstance(expr, Call):
        expr = expr.callee
    if isinstance(expr, Attr):
        return expr.name
    return expr.id if isinstance(expr, Name) else ""


def dotted(expr: Expr | None) -> str | None:
    """Return `a.b.c` for a chain of plain names, None for anything else."""
    if isinstance(expr, Name):
        return expr.id
    if isinstance(expr, Attr):
        base = dotted(expr.base)
        return f"{base}.{expr.name}" if base is not None else None
    return None


def one_of(options: list[Expr | None]) -> Expr | None:
    """Return the expression for any of some."""
    known = tuple(option for option in options if option is not None)
    if len(known) < 2:
        return known[0] if known else None
    return OneOf(known)
