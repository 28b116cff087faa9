"""Variables: what is declared, and what is assigned to names and members."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, first, text
from memd.codegraph.facts import (
    Attr,
    Expr,
    Instance,
    Literal,
    Own,
)
from memd.codegraph.languages.typescript.frames import assign, at, declare
from memd.codegraph.languages.typescript.functions import destructure, take_apart
from memd.codegraph.languages.typescript.jsdoc import doc_before
from memd.codegraph.languages.typescript.literals import fill, uncertain, unwrapped
from memd.codegraph.languages.typescript.names import Target, chain, put, target_of, value_of
from memd.codegraph.languages.typescript.types import type_expr
from memd.codegraph.languages.typescript.words import KIND


def variable(builder: Builder, node: Node) -> None:
    """A variable of `let` or `const`."""
    _declare(builder, node, hoisted=False)


def var(builder: Builder, node: Node) -> None:
    """A variable of `var`."""
    _declare(builder, node, hoisted=True)


def _declare(builder: Builder, node: Node, *, hoisted: bool) -> None:
    at(builder, node)
    target = node.child_by_field_name("name")
    value = unwrapped(node.child_by_field_name("value"))
    declared = type_expr(builder, node.child_by_field_name("type"))
    if target is None:
        return
    if target.type != "identifier":
        base = Instance(declared) if declared is not None else builder.expr(value)
        destructure(builder, target, base, node.end_byte, hoisted=hoisted)
        return
    name = text(target)
    targets, last = chain(value) if value is not None else ([], None)
    own = Target(name, plain=True, declared=True)
    found = value_of(builder, [own, *(target_of(builder, one, last) for one in targets)], last)
    if isinstance(found, Own) and builder.symbols[found.symbol].kind == "object":
        # What the variable is declared to be, and what is written there, are both true of it.
        declare(builder, name, found, None, node.start_byte, hoisted=hoisted, early=True)
        declared = declared if declared is not None else _said_before(builder, node)
        if declared is not None:
            declare(builder, name, None, declared, node.end_byte, hoisted=hoisted)
        return
    if isinstance(found, Own):
        declare(builder, name, found, None, node.start_byte, hoisted=hoisted, early=True)
        return
    if declared is None:
        declared = _said_before(builder, node)
    whole = node.child_by_field_name("value")
    if value is not None and value.type in REFERENCES and (whole is value or _is_function_type(declared)):
        declared = None if _is_function_type(declared) else declared  # another name of a function
    elif last is value:
        found = builder.expr(whole)
    declare(builder, name, found, declared, node.end_byte, hoisted=hoisted)


REFERENCES: Final = frozenset(("identifier", "member_expression"))
"""Nodes that name something that is defined elsewhere."""


def _said_before(builder: Builder, node: Node) -> Expr | None:
    """Return the type that the comment before a statement gives to what is declared in it."""
    doc = doc_before(builder, node)
    return doc.type if doc is not None else None


def _is_function_type(declared: Expr | None) -> bool:
    return isinstance(declared, Literal) and declared.type == "Callable"


def assign_(builder: Builder, node: Node) -> None:
    """`x = y`, `a.b = y`, `exports.x = y`, `X.prototype.m = y`, `a = b = y`."""
    at(builder, node)
    left = node.child_by_field_name("left")
    if left is None:
        return
    if node.type == "assignment_expression":
        targets, value = chain(node)
    else:
        targets, value = [left], unwrapped(node.child_by_field_name("right"))
    target = target_of(builder, left, value)
    if target is None:
        if left.type in ("object_pattern", "array_pattern"):
            take_apart(
                builder, left, builder.expr(value), lambda name, part: assign(builder, name, part, node.end_byte)
            )
        else:
            value_of(builder, [None], value)
        return
    if target.name == "prototype" and target.owner is not None and target.owner >= 0 and value is not None:
        _prototype(builder, target.owner, value)
        return
    found = value_of(builder, [target, *(target_of(builder, one, value) for one in targets[1:])], value)
    if target.exported:
        builder.extra.setdefault(KIND, "cjs")
    if target.plain:
        assign(builder, target.name, uncertain(found), node.end_byte)
    elif target.owner is not None:
        declared = _said_before(builder, node)
        # What a member is given may be given to it elsewhere, too; what a module exports is that.
        value_given = found if target.exported else uncertain(found)
        put(builder, target.owner, target.name, value_given, declared, node.end_byte)


def _prototype(builder: Builder, owner: int, value: Node) -> None:
    """`X.prototype = { ... }`, `X.prototype = Object.create(Y.prototype)`, `X.prototype = new Y()`."""
    if value.type == "object":
        fill(builder, value, owner)
        return
    base: Expr | None = None
    if value.type == "new_expression":
        base = builder.expr(value.child_by_field_name("constructor"))
    elif value.type == "call_expression":
        given = value.child_by_field_name("arguments")
        base = of_prototype(builder, first(given)) if given is not None else None
    else:
        base = of_prototype(builder, value)
    add_base(builder, owner, base)


def of_prototype(builder: Builder, node: Node | None) -> Expr | None:
    """Return X of `X.prototype`."""
    found = builder.expr(node)
    return found.base if isinstance(found, Attr) and found.name == "prototype" else None


def add_base(builder: Builder, owner: int, base: Expr | None) -> None:
    """Put a type behind another one."""
    if base is not None:
        builder.change(owner, bases=(*builder.symbols[owner].bases, base))
