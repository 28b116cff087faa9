"""Declarators: what C's declarations declare. `int *(*f)(int)` reads from the inside out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import Expr, Import, Index
from memd.codegraph.languages.c.names import POINTER

_NAMES: Final = frozenset(
    (
        "identifier",
        "field_identifier",
        "type_identifier",
        "qualified_identifier",
        "operator_name",
        "destructor_name",
        "operator_cast",
        "template_function",
        "structured_binding_declarator",
    )
)

# These hold another declarator without naming it.
_AROUND: Final = frozenset(
    (
        "reference_declarator",
        "abstract_reference_declarator",
        "parenthesized_declarator",
        "variadic_declarator",
        "attributed_declarator",
    )
)


class Declared(NamedTuple):
    """One declarator: its name (None where it is left out), how far it points, and, of a function, its parameters.

    `function` is the declarator of the function itself where the name is one that is called, not a pointer to one.
    """

    name: Node | None
    pointers: int
    function: Node | None
    opaque: bool
    """Whether what the name stands for has a type of its own that is not followed: a pointer to a function."""


def declared(node: Node) -> Declared:
    """Return what a declarator declares."""
    pointers = 0
    function: Node | None = None
    opaque = False
    at: Node | None = node
    while at is not None and at.type not in _NAMES:
        kind = at.type
        if kind in (
            "pointer_declarator",
            "abstract_pointer_declarator",
            "array_declarator",
            "abstract_array_declarator",
        ):
            if function is not None:
                opaque = True  # a pointer to what has been seen: `(*f)(int)`
            pointers += 1
        elif kind in ("function_declarator", "abstract_function_declarator"):
            function = at
        inner = at.child_by_field_name("declarator")
        if inner is None and kind in _AROUND:
            inner = next((child for child in at.named_children if child.type != "ms_call_modifier"), None)
        at = inner
    last = at
    while last is not None and last.type == "qualified_identifier":
        last = last.child_by_field_name("name")
    if last is not None and last.type == "operator_cast":
        function = last
    return Declared(at, pointers, None if opaque else function, opaque)


def declarators(node: Node) -> Iterator[tuple[Node, Node | None]]:
    """Yield each declarator of a declaration with the value it is given."""
    for child in node.children_by_field_name("declarator"):
        if child.type == "init_declarator":
            inner = child.child_by_field_name("declarator")
            if inner is not None:
                yield inner, child.child_by_field_name("value")
        else:
            yield child, node.child_by_field_name("value") or node.child_by_field_name("default_value")


def typed(builder: Builder, type_node: Node | None, what: Declared) -> Expr | None:
    """Return the type that a declarator gives to its name."""
    if what.opaque:
        return None
    return pointed(builder.expr(type_node), what.pointers)


def pointed(type_: Expr | None, pointers: int) -> Expr | None:
    """Return the type of a pointer to a type."""
    if type_ is None:
        return None
    for _ in range(min(pointers, 3)):
        type_ = Index(Import(POINTER), (type_,))
    return type_


def descriptor(builder: Builder, node: Node | None) -> Expr | None:
    """Return the type that a cast or a template argument names."""
    if node is None:
        return None
    if node.type != "type_descriptor":
        return builder.expr(node)
    abstract = node.child_by_field_name("declarator")
    type_ = builder.expr(node.child_by_field_name("type"))
    if abstract is None:
        return type_
    what = declared(abstract)
    return None if what.function is not None or what.opaque else pointed(type_, what.pointers)


class Parameter(NamedTuple):
    """A parameter; the name of one without is empty."""

    name: str
    type: Node | None
    what: Declared | None
    optional: bool = False


def parameters(function: Node | None) -> list[Parameter]:
    """Return the parameters of a function."""
    listed = function.child_by_field_name("parameters") if function is not None else None
    if listed is None and function is not None:
        inner = function.child_by_field_name("declarator")  # of an operator_cast
        listed = inner.child_by_field_name("parameters") if inner is not None else None
    found: list[Parameter] = []
    for child in listed.named_children if listed is not None else ():
        if child.type in ("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"):
            declarator = child.child_by_field_name("declarator")
            what = declared(declarator) if declarator is not None else None
            name = text(what.name) if what is not None and what.name is not None else ""
            optional = child.type != "parameter_declaration"
            found.append(Parameter(name, child.child_by_field_name("type"), what, optional))
    return found
