"""Expected: the type that a function literal is taken as, by what it stands in."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from memd.codegraph.builder import Builder
from memd.codegraph.facts import ITSELF, WHOLE, Attr, Await, Call, Contextual, Element, Expr, Instance
from memd.codegraph.languages.typescript.forms import key_of
from memd.codegraph.languages.typescript.jsdoc import doc_before
from memd.codegraph.languages.typescript.literals import is_async
from memd.codegraph.languages.typescript.types import type_expr

_FARTHEST = 12


class Wanted(NamedTuple):
    """What calls a function literal: argument `argument` of a call of `callee`, or ITSELF, a value of its type."""

    callee: Expr
    argument: int


def wanted_by(builder: Builder, node: Node) -> Wanted | None:
    """Return what calls a function literal, None where nothing says it."""
    given = _argument(builder, node)
    if given is not None:
        return given
    found = expected(builder, node)
    return Wanted(found, ITSELF) if found is not None else None


def _argument(builder: Builder, node: Node) -> Wanted | None:
    """Return the call that a node is an argument of."""
    around = node.parent
    if around is None or around.type != "arguments":
        return None
    call = around.parent
    if call is None:
        return None
    callee = builder.expr(call.child_by_field_name("function" if call.type == "call_expression" else "constructor"))
    if callee is None:
        return None
    place = 0
    for child in around.named_children:
        if child.id == node.id:
            return Wanted(callee, place)
        place += child.type != "comment"
    return None


def expected(builder: Builder, node: Node, depth: int = 0) -> Expr | None:
    """Return a value of the type that an expression is expected to have where it stands."""
    around = node.parent
    if around is None or depth > _FARTHEST:
        return None
    match around.type:
        case "parenthesized_expression" | "ternary_expression" | "binary_expression" | "non_null_expression":
            return expected(builder, around, depth + 1)
        case "arguments":
            given = _argument(builder, node)
            return Contextual(given.callee, given.argument, WHOLE) if given is not None else None
        case (
            "variable_declarator"
            | "public_field_definition"
            | "field_definition"
            | "required_parameter"
            | "optional_parameter"
        ):
            return _held(type_expr(builder, around.child_by_field_name("type")) or _said(builder, around))
        case "as_expression" | "satisfies_expression":
            return _held(type_expr(builder, around.named_children[-1]))
        case "assignment_expression":
            return _held(_said(builder, around)) or builder.expr(around.child_by_field_name("left"))
        case "pair":
            return _member_of(builder, around.parent, around.child_by_field_name("key"), depth)
        case "object":  # a method of it
            return _member_of(builder, around, node.child_by_field_name("name"), depth)
        case "array":
            whole = expected(builder, around, depth + 1)
            return Element(whole) if whole is not None else None
        case "return_statement":
            return _result_of(builder, around, depth + 1)
        case "arrow_function":
            return _given_by(builder, around, depth + 1)
        case _:
            return None


def _said(builder: Builder, node: Node) -> Expr | None:
    """Return the type that a comment says of a variable, a field or what is assigned."""
    doc = doc_before(builder, node)
    return doc.type if doc is not None else None


def _member_of(builder: Builder, holder: Node | None, key_node: Node | None, depth: int) -> Expr | None:
    key = key_of(key_node)
    whole = expected(builder, holder, depth + 1) if holder is not None and key is not None else None
    return Attr(whole, key) if whole is not None and key is not None else None


def _held(declared: Expr | None) -> Expr | None:
    return Instance(declared) if declared is not None else None


def _result_of(builder: Builder, node: Node, depth: int) -> Expr | None:
    """Return what the function around a `return` is expected to give."""
    around = node.parent
    while around is not None and not around.type.endswith(("function", "function_declaration", "method_definition")):
        if around.type == "function_expression":
            break
        around = around.parent
    return _given_by(builder, around, depth) if around is not None else None


def _given_by(builder: Builder, function: Node, depth: int) -> Expr | None:
    returns = function.child_by_field_name("return_type")
    if returns is not None:
        found = _held(type_expr(builder, returns))
    else:
        wanted = wanted_by(builder, function) if depth < _FARTHEST else None
        if wanted is None:
            return None
        taken = wanted.callee if wanted.argument == ITSELF else Contextual(wanted.callee, wanted.argument, WHOLE)
        found = Call(taken)
    return Await(found) if found is not None and is_async(function) else found
