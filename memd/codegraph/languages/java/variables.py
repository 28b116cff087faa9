"""Variables: the names that Java's code gives to values, and what lambdas are given."""

from __future__ import annotations

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import ITSELF, Attr, Contextual, Element, Expr, Instance, Own
from memd.codegraph.languages.java.definitions import field_of, parameters_of, with_dimensions
from memd.codegraph.languages.java.expressions import (
    MOST_TOLD,
    arity,
    callee,
    constructed,
    enclosing_type,
    listed,
    simple,
)
from memd.codegraph.languages.java.names import NEW
from memd.codegraph.languages.java.types import type_expr


def field(builder: Builder, node: Node) -> None:
    """`T x = y, z;` in a class."""
    _declare(builder, node, scoped=False)


def local(builder: Builder, node: Node) -> None:
    """`T x = y, z;` in code: seen up to the end of the block."""
    _declare(builder, node, scoped=True)


def _declare(builder: Builder, node: Node, *, scoped: bool) -> None:
    declared = type_expr(builder, node.child_by_field_name("type"))
    for declarator in node.children_by_field_name("declarator"):
        value = declarator.child_by_field_name("value")
        inferred = builder.expr(value) if value is not None and declared is None else None
        builder.bind(
            text(field_of(declarator, "name")),
            inferred,
            with_dimensions(declared, declarator),
            since=declarator.start_byte,
            until=None if scoped else _end_of_type(builder),
            scoped=scoped,
        )


def _end_of_type(builder: Builder) -> int:
    return builder.symbols[builder.scope].end if builder.scope >= 0 else builder.block_end


def constant(builder: Builder, node: Node) -> None:
    """A constant of an enum is an instance of it."""
    around = enclosing_type(builder)
    if around is not None:
        builder.bind(
            text(field_of(node, "name")), None, Own(around), since=node.start_byte, until=_end_of_type(builder)
        )


def for_each(builder: Builder, node: Node) -> None:
    """`for (T x : xs)`."""
    declared = type_expr(builder, node.child_by_field_name("type"))
    iterated = builder.expr(node.child_by_field_name("value")) if declared is None else None
    builder.bind(
        text(field_of(node, "name")),
        Element(iterated) if iterated is not None else None,
        with_dimensions(declared, node),
        since=node.start_byte,
        until=node.end_byte,
        scoped=True,
    )


def resource(builder: Builder, node: Node) -> None:
    """`try (T x = y)`."""
    name = node.child_by_field_name("name")
    if name is not None:
        declared = type_expr(builder, node.child_by_field_name("type"))
        value = builder.expr(node.child_by_field_name("value")) if declared is None else None
        builder.bind(text(name), value, declared, since=node.start_byte, scoped=True)


def catch(builder: Builder, node: Node) -> None:
    """`catch (A | B e)`."""
    parameter = next((child for child in node.named_children if child.type == "catch_formal_parameter"), None)
    if parameter is None:
        return
    kinds = next((child for child in parameter.named_children if child.type == "catch_type"), None)
    builder.bind(
        text(field_of(parameter, "name")),
        None,
        type_expr(builder, kinds),
        since=node.start_byte,
        until=node.end_byte,
        scoped=True,
    )


def lambda_(builder: Builder, node: Node) -> None:
    """A lambda is no symbol; what its parameters are is told by the call that it is given to."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return
    given = _wanted_by(builder, node)
    others = _beside(builder, node) if given is not None else ()
    if parameters.type == "formal_parameters":
        named = [(name, declared) for name, declared, _ in parameters_of(builder, node)]
    elif parameters.type == "identifier":
        named = [(text(parameters), None)]
    else:
        named = [(text(child), None) for child in parameters.named_children]
    for place, (name, declared) in enumerate(named):
        value = Contextual(*given, place, others) if given is not None and declared is None else None
        builder.bind(name, value, declared, since=node.start_byte, until=node.end_byte, scoped=True)


def _beside(builder: Builder, node: Node) -> tuple[Expr | None, ...]:
    """Return what a call is given beside lambdas: it may say what the type parameters of the callee stand for."""
    arguments = node.parent
    if arguments is None or arguments.type != "argument_list" or arguments.named_child_count < 2:
        return ()
    plain = [one if one.type not in ("lambda_expression", "method_reference") else None for one in listed(arguments)]
    found = tuple(simple(builder, one) if one is not None else None for one in plain[:MOST_TOLD])
    return found if any(found) else ()


def _wanted_by(builder: Builder, node: Node) -> tuple[Expr, int] | None:
    """Return the callee of the call that takes a lambda and as which argument; or ITSELF and what it is assigned to."""
    parent = node.parent
    around = parent.parent if parent is not None else None
    if parent is None or around is None:
        return None
    wanted: Expr | None = None
    if parent.type == "argument_list":
        if around.type == "method_invocation":
            wanted = callee(builder, around)
        elif around.type == "object_creation_expression":
            made = constructed(builder, around)
            wanted = Attr(made, f"{NEW}/{arity(around)}") if made is not None else None
        return (wanted, parent.named_children.index(node)) if wanted is not None else None
    if parent.type == "variable_declarator":
        declared = type_expr(builder, around.child_by_field_name("type"))
        wanted = Instance(declared) if declared is not None else None
    elif parent.type == "assignment_expression":
        wanted = builder.expr(parent.child_by_field_name("left"))
    elif parent.type == "cast_expression":
        wanted = builder.expr(parent)
    elif parent.type == "return_statement" and builder.scope >= 0:
        returned = builder.symbols[builder.scope].returns
        wanted = Instance(returned) if returned is not None else None
    return (wanted, ITSELF) if wanted is not None else None


def instance_of(builder: Builder, node: Node) -> None:
    """`x instanceof T t`: t holds from here on in the block around."""
    name = node.child_by_field_name("name")
    if name is not None:
        declared = type_expr(builder, node.child_by_field_name("right"))
        builder.bind(text(name), None, declared, since=node.start_byte, scoped=True)


def type_pattern(builder: Builder, node: Node) -> None:
    """`case T t` and the parts of `case P(T t)`."""
    parts = node.named_children
    if len(parts) >= 2 and parts[-1].type == "identifier":
        builder.bind(text(parts[-1]), None, type_expr(builder, parts[-2]), since=node.start_byte, scoped=True)
